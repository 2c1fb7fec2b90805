// Keeps a screen awake while it is looked at, and makes sounds where somebody allowed them.
let lock = null;

const take = async () => {
  try {
    lock = document.visibilityState === "visible" ? await navigator.wakeLock?.request("screen") : null;
  } catch {
    lock = null; // the battery is low, or the browser has none
  }
};

// It is lost when the page is hidden, and taken again when it is seen.
export const keepAwake = () => {
  document.addEventListener("visibilitychange", () => { if (!lock || lock.released) take(); });
  return take();
};

export class Sound {
  context = null;

  // A browser plays nothing before somebody has pressed something.
  allow() {
    this.context ??= new AudioContext();
    return this.context.resume();
  }

  get isOn() {
    return this.context?.state === "running";
  }

  off() {
    return this.context?.suspend();
  }

  // Tones one after the other, each of a fifth of a second.
  play(tones) {
    if (!this.isOn) return;
    tones.forEach((tone, i) => {
      const [oscillator, gain] = [this.context.createOscillator(), this.context.createGain()];
      const at = this.context.currentTime + i * 0.25;
      oscillator.frequency.value = tone;
      gain.gain.setValueAtTime(0.2, at);
      gain.gain.exponentialRampToValueAtTime(0.001, at + 0.22);
      oscillator.connect(gain).connect(this.context.destination);
      oscillator.start(at);
      oscillator.stop(at + 0.22);
    });
  }
}

export const MINUTE_LEFT = [660, 660];
export const LEVEL_ENDS = [880, 660, 880, 1047];
export const MOVED = [523, 659, 784];
