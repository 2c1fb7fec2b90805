// A player's phone at a live night: check in, the own seat, a clock in the pocket, what each place left would bring.
import { Alarm } from "./alarm.js";
import { keepAwake, LEVEL_ENDS, MINUTE_LEFT, MOVED, Sound } from "./awake.js";
import { button, h, redraw } from "./dom.js";
import { drawFace, stageOf } from "./face.js";
import { Feed, keepOwn, ownDevice } from "./feed.js";
import { blindsOf, counted, nextTick, short, shown } from "./times.js";
import { listed, place, pointsOf, say, timeOf } from "./words.js";

const root = document.getElementById("follow");
const at = (id) => document.getElementById(id);
const sound = new Sound();
const FOLDS_MOST = 12;

class Follow {
  constructor(night) {
    const { dataset } = root;
    this.feed = new Feed(night, { face: dataset.face, log: dataset.log, every: 5000 }, () => this.draw());
    this.alarm = new Alarm({ minute: () => sound.play(MINUTE_LEFT), end: () => sound.play(LEVEL_ENDS) });
    this.showsClock = false;
    at("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.askIn(at("name").value);
    });
    at("sound").addEventListener("change", (event) => (event.target.checked ? sound.allow() : sound.off()));
    at("clock").addEventListener("click", () => {
      this.showsClock = !this.showsClock;
      this.draw();
      if (this.showsClock) at("stage").scrollIntoView({ block: "center" });
    });
    keepAwake();
  }

  get face() {
    return this.feed.told?.face;
  }

  get me() {
    return this.feed.told?.me ?? { entry: null, asked: "", player: null, name: "", brings: [] };
  }

  // What was tapped here and has not gone out.
  get waits() {
    return this.feed.device.queue;
  }

  askIn(name, player = null) {
    const words = name.trim().replace(/\s+/g, " ").slice(0, 60);
    if (words) this.feed.record("ask_in", player ? { name: words, player } : { name: words });
  }

  // The own entry while it is in, and the row of it once it is out.
  own() {
    const { entry } = this.me;
    return { left: this.face.left.find(({ id }) => id === entry), out: this.face.out.find(({ id }) => id === entry) };
  }

  draw() {
    clearTimeout(this.timer);
    const { feed, face } = this;
    if (feed.isOver) {
      at("body").replaceChildren(h("p", { class: "empty" }, say("follow over")));
      return;
    }
    if (!face) return;
    const now = feed.ms;
    const seen = shown(face, now);
    this.alarm.see(seen);
    at("club-name").textContent = face.club;
    at("title").textContent = face.title;
    this.pocket(face, now);
    redraw(at("strip"), this.strip(face, seen, now));
    const told = JSON.stringify([feed.told.token, this.waits.length, Boolean(feed.offlineSince), feed.told.me]);
    if (told !== this.drawn) this.drawBody(seen);
    this.drawn = told;
    const isRunning = seen.isStarted && seen.now.is_running;
    this.timer = setTimeout(() => this.draw(), isRunning ? nextTick(seen.now.left_ms) : 1000);
  }

  pocket(face, now) {
    at("stage").hidden = !this.showsClock;
    if (this.showsClock) at("stage").replaceChildren(drawFace(face, now, { offlineSince: this.feed.offlineSince }));
  }

  strip(face, seen, now) {
    const left = h("span", { class: "n" }, h("b", {}, say("left", { n: face.left.length })), h("small", {}, say("of entries", { n: face.n_entries })));
    if (!seen.isStarted) return [h("span", { class: "t" }, timeOf(face.starts_ms)), h("span", {}, h("b", {}, say("not begun"))), left];
    const { level, next, isBreak, now: clock } = seen;
    const bold = isBreak ? say("the break") : level?.bb ? blindsOf(level) : say("the running");
    const small = next ? `${seen.number ? say("the level", { n: seen.number }) : ""}. ${say("the next")} ${blindsOf(next)}` : seen.isLast ? say("Last level") : "";
    const time = clock.left_ms === null ? counted(clock.ran_ms) : counted(clock.left_ms);
    return [h("span", { class: "t" }, time), h("span", {}, h("b", {}, clock.is_running ? bold : `${bold}, ${say("the stopped")}`), h("small", {}, small)), left];
  }

  drawBody(seen) {
    const { face, feed, me } = this;
    const { left, out } = this.own();
    const isAsking = this.waits.some(({ kind }) => kind === "ask_in") || (me.asked && !me.entry);
    const isOpen = face.stage === "open" && stageOf(face, seen) !== "over";
    at("ask").hidden = Boolean(me.entry) || isAsking || !isOpen;
    at("known").hidden = at("ask").hidden || !me.name;
    redraw(at("known"), me.name ? button(say("I am", { name: me.name }), () => this.askIn(me.name, me.player), { class: "btn main" }) : null);
    redraw(at("wires"), [
      feed.offlineSince ? h("div", { class: "wire off" }, h("p", {}, h("b", {}, say("offline", { time: timeOf(feed.offlineSince) })), ` ${say("follow offline")}`)) : null,
      isAsking ? h("div", { class: "wire" }, h("p", {}, say("asks at the desk", { name: me.asked || this.waits[0]?.body.name || "" }))) : null,
      left && !left.has_seen && left.seat ? this.newSeat(left) : null,
      face.bonuses.filter(({ entry }) => entry === me.entry).map(({ points, reason }) =>
        h("div", { class: "wire ok" }, h("p", {}, say("bonus", { points, reason })))),
    ].flat());
    redraw(at("head"), h("h1", {}, this.headline(seen, left, out)), this.beneath(left, out));
    redraw(at("seat"), left?.seat ? h("div", { class: "my-seat" }, h("p", { class: "big-seat" }, say("the seat", { table: left.seat[0], seat: left.seat[1] }))) : null);
    redraw(at("brings"), this.brings());
    redraw(at("left"), this.stillIn());
    redraw(at("out"), this.gone());
    redraw(at("acts"), this.acts(left, isOpen), this.proof());
    this.callMove(left);
  }

  // The own row of the published result: that of the entry, or of the account's player whoever entered it.
  get mine() {
    const { face, me } = this;
    return face.result?.rows.find(({ entry, player }) => (me.entry && entry === me.entry) || (me.player && player === me.player));
  }

  headline(seen, left, out) {
    const { face, mine } = this;
    if (mine) return say(mine.place === 1 ? "you win" : "you come", { place: place(mine.place) });
    if (out) return say("you are out", { place: place(out.place) });
    if (stageOf(face, seen) === "over") return say("the wins", { name: face.left[0]?.name ?? "" });
    if (!seen.isStarted) return say("here", { n: face.left.length });
    return left ? say("left with you", { n: face.left.length }) : say("left of", { n: face.left.length, of: face.n_entries });
  }

  // What stands under the headline: points, rate and badge once they are known, or the way back in.
  beneath(left, out) {
    const { face, mine } = this;
    const result = face.result?.address ? h("p", {}, h("a", { class: "btn main", href: face.result.address }, say("the the whole result"))) : null;
    if (mine) {
      const change = mine.change > 0 ? `+${mine.change}` : String(mine.change ?? "").replace("-", "−");
      const rate = face.result.hides_ratings ? "" : mine.rate === null ? say("Rates are being computed") : say("rate now", { rate: mine.rate, change });
      const badge = mine.badge && mine.before && mine.badge !== mine.before ? ` ${say("badge now", { before: mine.before, badge: mine.badge })}` : "";
      return [mine.points ? h("p", { class: "small" }, pointsOf(mine.points)) : null, h("p", { class: "small" }, `${rate}${badge}`), result];
    }
    if (face.result) return result;
    if (!out) return null;
    const seen = shown(face, this.feed.ms);
    const again = face.closing_level && !seen.isClosed ? say("may re-enter") : "";
    return h("p", { class: "small" }, `${this.pointsWords(out.place)} ${again}`.trim());
  }

  pointsWords(at_) {
    const points = this.face.points.find(([first, last]) => first <= at_ && at_ <= last)?.[2];
    return points ? pointsOf(points) : "";
  }

  newSeat({ seat }) {
    return h("div", { class: "wire ok" }, h("p", { role: "status" }, h("b", {}, say("new seat", { table: seat[0], seat: seat[1] }))),
      button(say("the i have read it"), () => this.feed.record("seen_move", { entry: this.me.entry })));
  }

  // A move is heard and felt once, where sound was allowed.
  callMove(left) {
    const move = left && !left.has_seen ? `${left.moved}` : "";
    if (move && move !== this.calledMove) {
      sound.play(MOVED);
      navigator.vibrate?.([200, 100, 200]);
    }
    this.calledMove = move;
  }

  brings() {
    const { brings } = this.me;
    if (!brings.length) return null;
    const last = brings.length;
    const rises = brings.filter(({ badge }) => badge);
    const withRate = rises.length > 0;
    const head = [say("the place"), say("points label"), ...(withRate ? [say("the rate"), "TIER"] : [])];
    const change = (n) => h("span", { class: n < 0 ? "dn" : "up" }, ` ${n > 0 ? "+" : ""}${String(n).replace("-", "−")}`);
    const rows = brings.map((row) => h("tr", { class: row.place === last ? "here" : null },
      h("th", { scope: "row", class: "pos" }, place(row.place)), h("td", { class: "n" }, row.points || "–"),
      ...(withRate ? [h("td", { class: "n" }, String(row.rate), change(row.change)),
        h("td", { class: "n" }, row.badge ? h("span", { class: `badge ${row.badge[0].toLowerCase()} xs` }, h("span", {}, row.badge)) : "")] : [])));
    return [h("h2", {}, say("the what your place would bring")),
      h("table", { class: "brings five" }, withRate ? h("caption", {}, say("brings caption")) : null,
        h("thead", {}, h("tr", {}, head.map((word, i) => h("th", { scope: "col", class: i ? "n" : "pos" }, word)))), h("tbody", {}, rows))];
  }

  stillIn() {
    const { left } = this.face;
    if (!left.length) return [h("p", { class: "empty" }, say("nobody here"))];
    const names = [...left].sort((a, b) => a.name.localeCompare(b.name, document.documentElement.lang));
    const row = ({ id, name, seat, chips }) => h("li", {}, h("b", {}, name),
      id === this.me.entry ? h("span", { class: "own-tag" }, say("the you")) : null,
      h("span", { class: "meta" }, listed([seat ? say("the table", { n: seat[0] }) : "", chips ? short(chips) : ""].filter(Boolean))));
    return [h("h2", {}, say("the still in")), h("ul", { class: "in-now" }, names.map(row))];
  }

  gone() {
    const rows = this.face.out.slice(0, this.showsAll ? undefined : FOLDS_MOST);
    if (!rows.length) return null;
    return [h("h2", { class: "t" }, say("Out heading")), h("ol", { class: "outs" }, rows.map(({ id, name, place: at_, by, at_ms }) =>
      h("li", { class: id === this.me.entry ? "own" : null }, h("span", { class: "pl" }, place(at_)),
        h("span", {}, name, by ? h("span", { class: "meta" }, say("by", { name: by })) : null), h("time", {}, timeOf(at_ms))))),
    rows.length < this.face.out.length ? button(say("the all of them"), () => { this.showsAll = true; this.drawn = ""; this.draw(); }) : null];
  }

  // The fingerprint of the draw, and once the night is published what it is checked with.
  proof() {
    const { seed, result } = this.face;
    if (!seed.sha256) return null;
    const file = result ? [" ", h("a", { href: "../draw.json" }, say("draw file")), ` ${say("draw check")}`] : null;
    return h("p", { class: "small quiet proof" }, say("fingerprint", { sha: "" }), h("code", {}, seed.sha256), file);
  }

  acts(left, isOpen) {
    if (!left || !isOpen || !this.face.may_say_out) return null;
    const says = this.waits.some(({ kind }) => kind === "ask_out") || this.saidOut;
    return says ? h("p", { class: "small quiet" }, say("said out"))
      : button(say("the i am out"), () => { this.saidOut = true; this.feed.record("ask_out", { entry: this.me.entry }); this.drawn = ""; this.draw(); });
  }
}

const start = () => {
  const night = Number(root.dataset.night);
  const device = ownDevice(night);
  if (!device) {
    at("body").replaceChildren(h("p", { class: "note" }, say("follow no key")));
    return;
  }
  keepOwn(device);
  const page = new Follow(night);
  page.draw();
  page.feed.now().then(() => { root.dataset.ready = "1"; });
};

start();
