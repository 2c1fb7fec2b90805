// Reads the sheet of a night while it is typed: places, balances, sums, and the question of a wrong sum. The site does
// the same when the form is sent (entry/night_sheets), so that the page works without this file.
"use strict";

(() => {
  const form = document.querySelector("form.night");
  const how = document.getElementById("how");
  const data = document.getElementById("night-data");
  if (!form || !data) return;
  const { words, ordinals, presets, rules: opened, scored } = JSON.parse(data.textContent);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const $ = (selector, root = form) => root.querySelector(selector);
  const $$ = (selector, root = form) => [...root.querySelectorAll(selector)];
  const typedIn = (name) => form.elements[name]?.value.trim() ?? "";
  const unit = () => typedIn("unit");
  const isBalance = () => unit() === "balance";

  // ---- rules: those of the page, with what is typed over them ----
  const ruleText = (name) => typedIn(`rules-${name}`);
  const readRules = () => {
    const preset = presets[ruleText("preset")];
    const number = (name) => ruleText(name).replaceAll(",", "") || String(opened[name]);
    const uma = ruleText("uma").replace(/−/g, "-").split(/[,、]/);
    const hasUma = uma.length === opened.n_players && uma.every((value) => Number.isFinite(Number(value)));
    const own = scored
      ? {
          start: Number(number("start")),
          back: Number(number("back")),
          uma: hasUma ? uma : opened.uma,
          floating: preset ? preset.floating : [],
          ties: ruleText("ties"),
          sticks: ruleText("sticks"),
          chip_value: ruleText("chip_value") || "0",
        }
      : {};
    const house = (name) => ruleText(name) || "0";
    return scores.rulesOf({
      ...opened,
      ...own,
      house_per_table: house("house_per_table"),
      house_per_player: house("house_per_player"),
    });
  };

  // ---- numbers as they are shown ----
  const { grouped, points, thousands } = scores;
  const balanceText = (value) => thousands(value).replaceAll(",", "");
  const counted = (value) => (isBalance() ? thousands(value) : points(value));
  const amount = (value) => counted(Math.abs(value)).replace(/^\+/, "");

  // ---- reading a table ----
  const scale = () => ({ hundreds: 100, points: 1, balance: 100 })[unit()];
  const fieldOf = (table, row, part) => form.elements[`${table.where}-${row}-${part}`];
  const textOf = (table, row, part) => fieldOf(table, row, part)?.value.trim() ?? "";
  // A field that is left empty counts as 0; one that is no number is marked.
  const numberIn = (seat, text, kind) => {
    const value = text === "" ? 0 : scores.parse(text, kind);
    if (value === null) seat.unread ??= text;
    return value ?? 0;
  };

  const readSeat = (table, row) => {
    const typed = textOf(table, row, "score");
    const chips = textOf(table, row, "chips");
    const seat = { row, name: textOf(table, row, "name"), typed, hasChips: chips !== "" };
    seat.value = typed === "" ? null : scores.parse(typed, unit());
    if (typed !== "" && seat.value === null) seat.unread = typed;
    seat.chips = numberIn(seat, chips, "points");
    seat.penalty = numberIn(seat, textOf(table, row, "penalty"), "balance");
    return seat;
  };

  const readTable = (element, rules) => {
    const table = { element, where: element.id.slice(1), fixes: [], problem: "", problemRow: 0 };
    [table.round, table.number] = table.where.split("-").map(Number);
    const all = $$(".seat", element).map((seat) => readSeat(table, Number(seat.dataset.row)));
    table.seats = scored ? all : all.filter((seat) => seat.name || seat.typed);
    const isStored = form.elements[`${table.where}-event`].value !== "";
    const sticks = { row: 0 };
    const sticksLeft = numberIn(sticks, typedIn(`${table.where}-sticks`), "points");
    const options = { sticksLeft, isBalance: isBalance() };
    table.right = scores.rightSum(rules, table.seats, options);
    if (all.every((seat) => seat.typed === "") && !isStored) return { ...table, state: "empty", got: 0 };
    const unread = [...table.seats, sticks].find((seat) => seat.unread !== undefined);
    if (unread) return bad(table, unread.row, fill(words.unread, { text: unread.unread }));
    const typed = table.seats.filter((seat) => seat.value !== null);
    table.got = scores.total(typed.map((seat) => seat.value));
    table.fixes = scores.slips(
      table.seats.map((seat) => (seat.value === null ? null : seat.value / scale())),
      table.right / scale(),
    );
    if (typed.length < table.seats.length) return { ...table, state: "begun" };
    const flaw = scores.flawOf(rules, table.seats);
    if (flaw) return bad(table, table.seats[flaw.at]?.row ?? 0, fill(words[flaw.code], flaw));
    table.state = table.got === table.right && table.seats.length > 1 ? "good" : "wrong";
    table.results = scores.settle(rules, table.seats, options);
    return table;
  };

  const bad = (table, row, problem) => ({ ...table, state: "bad", problem, problemRow: row, fixes: [], got: 0 });

  // Marks tables whose player sits at an earlier table of the round, or in another seat.
  const findTwice = (tables) => {
    const seen = {};
    for (const table of tables) {
      const twice = table.seats.find((seat) => {
        const key = table.state === "empty" ? "" : scores.nameKey(seat.name);
        const at = key ? `${table.round} ${key}` : "";
        const other = at && seen[at];
        if (at) seen[at] = table;
        if (other) table.other = other;
        return Boolean(other);
      });
      if (!twice || table.state === "bad") continue;
      const text = table.other === table ? words.twice_here : words.twice;
      const values = { name: twice.name, one: table.other.number, two: table.number, round: table.round };
      Object.assign(table, bad(table, twice.row, fill(text, values)));
    }
  };

  // ---- writing what was read ----
  const button = (label, value) => {
    const made = document.createElement("button");
    made.type = "submit";
    Object.assign(made, { name: "do", value, textContent: label });
    return made;
  };
  // Buttons that stay the same are left alone: one of them may be pressed down while this is written.
  const putButtons = (place, made) => {
    const now = $$("button", place);
    if (now.length === made.length && now.every((old, i) => old.outerHTML === made[i].outerHTML)) return;
    for (const old of now) old.remove();
    place.append(...made);
  };
  const fixText = (slip) => counted(slip.right * scale());
  const fixValue = (table, slip) => {
    if (slip.kind === "unit") return `scale:${table.where}:${Math.abs(table.got) < Math.abs(table.right) ? "up" : "down"}`;
    return `set:${table.where}-${table.seats[slip.seat].row}:${isBalance() ? slip.right / 10 : slip.right}`;
  };
  const choice = (table, slip) =>
    button(`${table.seats[slip.seat].name} ${fixText(slip)}`.trim(), fixValue(table, slip));

  const writeSeats = (table) => {
    for (const element of $$(".seat", table.element)) {
      const row = Number(element.dataset.row);
      const at = table.seats.findIndex((seat) => seat.row === row);
      const result = table.state === "bad" ? undefined : table.results?.[at];
      $(".got b", element).textContent = result ? ordinals[result.place - 1] : "";
      $(".got small", element).textContent = result ? balanceText(result.balance) : "";
      const only = table.state === "wrong" && table.fixes.length === 1 ? table.fixes[0] : null;
      const isSuspect = Boolean(only) && only.seat !== null && only.seat === at;
      element.classList.toggle("unsure", table.state === "wrong");
      element.classList.toggle("suspect", isSuspect || table.problemRow === row);
      $(".score", element).classList.toggle("neg", at >= 0 && table.seats[at].value < 0);
      const fix = $(".fix", element);
      fix.hidden = !isSuspect;
      if (!isSuspect) continue;
      $("span", fix).textContent = `${fill(words[only.kind], { text: fixText(only) })} ${words.only_one}`;
      putButtons(fix, [button(fill(words.make, { text: fixText(only) }), fixValue(table, only))]);
    }
    for (const cell of $$("[data-name-of]", table.element)) {
      const row = Number(cell.dataset.nameOf.split("-").at(-1));
      const wind = $(`.seat[data-row="${row}"] .wind`, table.element)?.textContent ?? "";
      cell.textContent = `${wind} ${textOf(table, row, "name")}`.trim();
    }
  };

  const sumTexts = (table) => {
    const difference = table.got - table.right;
    if (table.state === "empty") {
      const note = scored && table.right ? fill(words.to_come, { left: counted(table.right) }) : "";
      return { label: words.sum, note, figure: "", mark: words.empty };
    }
    if (table.state === "bad") return { label: "", note: "", figure: "", mark: "!" };
    if (table.state === "begun") {
      const name = table.fixes[0] ? table.seats[table.fixes[0].seat].name : "";
      const note = fill(name ? words.left_for : words.to_come, { left: counted(-difference), name });
      return { label: words.sum_so_far, note, figure: counted(table.got), mark: counted(table.got) };
    }
    if (table.state === "good") return { label: words.sum, note: "", figure: `${counted(table.got)} ✓`, mark: "✓" };
    const figure = isBalance() ? balanceText(difference) : (difference < 0 ? "−" : "+") + grouped(difference);
    return {
      label: fill(words.of, { got: counted(table.got), right: counted(table.right) }),
      note: fill(difference < 0 ? words.missing : words.too_much, { n: amount(difference) }),
      figure,
      mark: figure,
    };
  };

  const question = (table) => {
    if (table.state === "begun") return { text: "", why: "", buttons: table.fixes.map((slip) => choice(table, slip)) };
    if (table.state !== "wrong" || !table.fixes.length) return { text: "", why: "", buttons: [] };
    if (table.fixes[0].kind === "unit") {
      const value = fixValue(table, table.fixes[0]);
      const way = value.split(":").at(-1);
      const text = fill(words[`unit_${way}`], { text: table.seats[0].typed });
      return { text, why: "", buttons: [button(words[`read_${way}`], value)] };
    }
    if (table.fixes.length === 1) return { text: "", why: "", buttons: [] };
    const difference = table.got - table.right;
    return {
      text: fill(difference < 0 ? words.which_missing : words.which_too_much, { n: amount(difference) }),
      why: words.each_one,
      buttons: table.fixes.map((slip) => choice(table, slip)),
    };
  };

  const writeTable = (table) => {
    const { element } = table;
    element.dataset.state = table.state;
    writeSeats(table);
    const problem = $(".problem", element);
    problem.textContent = table.problem;
    problem.hidden = !table.problem;
    const sum = sumTexts(table);
    const line = $(".sumline", element);
    line.classList.toggle("good", table.state === "good");
    line.classList.toggle("bad", table.state === "wrong");
    $(".label", line).textContent = sum.label;
    $("small", line).textContent = sum.note;
    $(".n", line).textContent = sum.figure;
    const asked = $(".asked", element);
    const { text, why, buttons } = question(table);
    asked.hidden = !text && !buttons.length;
    $("p", asked).hidden = !text;
    $("b", asked).textContent = text;
    $(".why-ask", asked).textContent = why;
    putButtons($(".choices", asked), buttons);
    const tab = $(`[data-tab="${element.id}"]`);
    if (!tab) return;
    $("small", tab).textContent = sum.mark;
    tab.classList.toggle("ok", table.state === "good");
    tab.classList.toggle("bad", ["wrong", "bad"].includes(table.state));
  };

  const targetOf = (table) => {
    const fix = table.state === "wrong" && table.fixes[0];
    const empty = table.seats.find((seat) => seat.typed === "");
    const row = table.problemRow || (fix && fix.seat !== null && table.seats[fix.seat].row) || (empty ? empty.row : 1);
    return `#${table.element.id}-${row}`;
  };

  const writeBar = (tables) => {
    const used = tables.filter((table) => table.state !== "empty");
    const names = new Set(used.flatMap((table) => table.seats.map((seat) => scores.nameKey(seat.name))));
    names.delete("");
    const many = ["none", "one"][used.length] ?? "many";
    const open = used.find((table) => table.state !== "good") ?? (used.length ? null : tables[0]);
    $("#bar b").textContent = fill(words[`count_${many}`], { players: names.size, tables: used.length });
    const [next, save] = [$("#next"), form.elements.save];
    const asked = open ? 0 : $$("#asks li:not(.answered)").length;
    next.hidden = !open && !asked;
    save.hidden = !next.hidden;
    if (asked) {
      $("#bar span").textContent = fill(words.todo_names, { n: asked });
      next.textContent = words.do_names;
      next.setAttribute("href", "#asks");
      return;
    }
    if (!open) {
      $("#bar span").textContent = words.todo_all;
      save.textContent = fill(words[`publish_${many}`], { tables: used.length });
      return;
    }
    const rounds = new Set(tables.map((table) => table.round)).size;
    const where = rounds === 1 ? open.number : open.where;
    $("#bar span").textContent = open.state === "empty" ? "" : fill(words[`todo_${open.state}`], { where });
    next.textContent = fill(words[`do_${open.state}`], { where });
    next.setAttribute("href", targetOf(open));
  };

  const writeRounds = (tables) => {
    for (const mark of $$("[data-round-mark]")) {
      const own = tables.filter((table) => table.round === Number(mark.dataset.roundMark));
      const good = own.filter((table) => table.state === "good").length;
      const isEmpty = own.every((table) => table.state === "empty");
      mark.textContent = isEmpty ? words.empty : fill(words.good_tables, { good, tables: own.length });
    }
  };

  // What the site has said of a table stands until the table or the rules are edited: it checks more than this file.
  const said = new Map(
    $$(".hanchan[data-state='bad']").map((element) => [
      element,
      { row: Number($(".suspect", element)?.dataset.row ?? 0), problem: $(".problem", element).textContent.trim() },
    ]),
  );
  const typedFor = (element) =>
    [...$$("input", element), ...$$(".terms :is(input, select)")].map((field) => field.value).join("\n");
  const keepSaid = (tables, isFirst) => {
    for (const table of tables) {
      const kept = said.get(table.element);
      if (!kept) continue;
      const typed = typedFor(table.element);
      // A problem that this file finds itself is not kept: it also finds when it is mended.
      if (isFirst ? table.state === "bad" : typed !== kept.typed) said.delete(table.element);
      else Object.assign(table, bad(table, kept.row, kept.problem));
      kept.typed = typed;
    }
  };

  const read = (isFirst = false) => {
    const rules = readRules();
    const tables = $$(".hanchan").map((element) => readTable(element, rules));
    findTwice(tables);
    keepSaid(tables, isFirst);
    tables.forEach(writeTable);
    writeRounds(tables);
    writeBar(tables);
    for (const tail of $$(".tail")) tail.hidden = unit() !== "hundreds";
    const terms = $("#terms");
    if (terms) terms.textContent = scores.termsOf(rules, words);
    if (how) how.textContent = words[`type_${unit()}`];
  };

  // ---- acts that need no answer of the site ----
  const setScore = (where, value) => {
    const field = form.elements[`${where}-score`];
    if (field) field.value = value;
  };
  const rescale = (where, way) => {
    for (const field of $$(`#h${CSS.escape(where)} .score input`)) {
      const digits = field.value.replaceAll(",", "").trim();
      field.value = way === "up" ? `${digits}00` : digits.replace(/00$/, "");
    }
  };
  const told = () => form.dispatchEvent(new Event("input", { bubbles: true }));
  form.addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    if (pressed.classList.contains("sign")) {
      const field = $("input", pressed.parentElement);
      field.value = /^[-−▲△]/.test(field.value) ? field.value.slice(1) : `-${field.value.replace(/^\+/, "")}`;
      field.focus();
      return told();
    }
    const [kind, where, value] = pressed.name === "do" ? pressed.value.split(":") : [];
    if (kind === "set") setScore(where, value);
    else if (kind === "scale") rescale(where, value);
    else return;
    event.preventDefault();
    told();
  });
  // Enter goes to the next score, and from the last one to the main act.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    const fields = $$(".score input");
    const row = event.target.closest(".seat");
    const at = fields.indexOf(row ? $(".score input", row) : null);
    const next = event.target.matches(".score input") ? fields[at + 1] : fields[at];
    if (!next) return ($("#next").hidden ? form.elements.save : $("#next")).focus();
    show(next);
    next.focus();
    next.select();
  });
  const DECIDED = ["start", "back", "uma", "ties", "sticks"]; // by a preset
  form.elements["rules-preset"]?.addEventListener("change", (event) => {
    const preset = presets[event.target.value];
    for (const name of DECIDED) if (preset) form.elements[`rules-${name}`].value = preset[name];
  });
  form.addEventListener("input", (event) => {
    if (DECIDED.some((name) => event.target.name === `rules-${name}`) && form.elements["rules-preset"])
      form.elements["rules-preset"].value = "";
  });

  // ---- one round at a time, and on a phone one table ----
  const show = (place) => {
    const table = place?.closest?.(".hanchan");
    const round = place?.closest?.(".round") ?? $(".round");
    for (const other of $$(".round")) other.classList.toggle("now", other === round);
    const now = table ?? $(".hanchan", round);
    for (const other of $$(".hanchan", round)) other.classList.toggle("now", other === now);
    for (const tab of $$("[data-tab]"))
      tab.toggleAttribute("aria-current", tab.dataset.tab === now?.id);
  };
  const showHash = () => {
    const place = document.getElementById(location.hash.slice(1));
    show(place && form.contains(place) ? place : null);
    if (place?.matches?.(".score input")) place.focus();
  };
  window.addEventListener("hashchange", showHash);
  form.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) showHash();
  });

  form.classList.add("live");
  for (const sign of $$(".sign")) sign.hidden = false;
  $("#keys").hidden = false;
  for (const kind of ["input", "change"]) form.addEventListener(kind, () => read());
  document.addEventListener("DOMContentLoaded", () => {
    showHash();
    read(true);
  });
})();
