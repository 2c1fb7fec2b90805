// A big screen: one night, or two beside each other, drawn each second from the log's face and the server's time.
import { keepAwake, LEVEL_ENDS, MINUTE_LEFT, Sound } from "./awake.js";
import { h } from "./dom.js";
import { drawFace } from "./face.js";
import { Feed, keepOwn, ownDevice } from "./feed.js";
import { Alarm } from "./alarm.js";
import { nextTick, shown } from "./times.js";
import { say } from "./words.js";

const root = document.getElementById("screen");
const tools = document.getElementById("tools");
const sound = new Sound();
const FOLDS_AFTER_MS = 4000;

class Screen {
  constructor(night) {
    const at = (path) => root.dataset[path].replace("/0/", `/${night}/`);
    this.box = h("div", { class: "stage" });
    this.alarm = new Alarm({ minute: () => sound.play(MINUTE_LEFT), end: () => sound.play(LEVEL_ENDS) });
    this.feed = new Feed(night, { face: at("face"), log: at("log"), every: 2000 }, () => this.draw());
  }

  draw() {
    clearTimeout(this.timer);
    const { feed } = this;
    if (feed.isOver || !feed.told) {
      this.box.replaceChildren(h("p", { class: "note" }, say(feed.isOver ? "screen over" : "screen waits")));
      return;
    }
    const { face, qr } = feed.told;
    const now = feed.ms;
    if (qr && qr !== this.qr) {
      this.qr = qr;
      this.code = new DOMParser().parseFromString(qr, "image/svg+xml").documentElement;
    }
    this.box.replaceChildren(drawFace(face, now, { code: this.code, offlineSince: feed.offlineSince }));
    const seen = shown(face, now);
    this.alarm.see(seen);
    const isRunning = seen.isStarted && seen.now.is_running;
    this.timer = setTimeout(() => this.draw(), isRunning ? nextTick(seen.now.left_ms) : 1000);
  }
}

const showTools = () => {
  tools.hidden = false;
  clearTimeout(tools.timer);
  tools.timer = setTimeout(() => { tools.hidden = !tools.contains(document.activeElement); }, FOLDS_AFTER_MS);
};

const start = () => {
  const beside = new URLSearchParams(location.search).get("beside");
  const nights = [Number(root.dataset.night), ...(beside && /^\d{1,9}$/.test(beside) ? [Number(beside)] : [])];
  const screens = nights.filter(ownDevice).map((night) => new Screen(night));
  root.classList.toggle("two", screens.length > 1);
  if (!screens.length) {
    root.replaceChildren(h("p", { class: "note" }, say("screen no key")));
    return;
  }
  root.replaceChildren(...screens.map(({ box }) => box));
  for (const screen of screens) {
    keepOwn(screen.feed.device);
    screen.draw();
    screen.feed.now().then(() => { root.dataset.ready = "1"; });
  }
  keepAwake();
  for (const name of ["pointermove", "pointerdown", "keydown"]) window.addEventListener(name, showTools);
  document.getElementById("sound").addEventListener("change", (event) => (event.target.checked ? sound.allow() : sound.off()));
  document.getElementById("full").addEventListener("click", () =>
    (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
  for (const button of tools.querySelectorAll("[data-room]")) {
    button.addEventListener("click", () => { document.documentElement.dataset.theme = button.dataset.room; });
  }
};

start();
