const data = JSON.parse(document.getElementById("data").textContent);
const { steps, sources } = data;

// Each thread with steps has a column.
const acting = new Set(steps.map(s => s.thread));
const threads = data.threads.filter(t => acting.has(t.number));
for (const number of acting) if (!threads.some(t => t.number === number)) threads.push({ number, name: `thread ${number}` });
const column = new Map(threads.map((t, i) => [t.number, i]));
const name = number => threads[column.get(number)].name;
const colour = number => `var(--t${column.get(number) % 8})`;

const VERBS = { preempted: "is interrupted", blocked: "has to wait", yielded: "gives way", ended: "has ended" };
const NEAR = 4;
const isSwitch = i => i > 0 && (steps[i].switch !== undefined || steps[i].thread !== steps[i - 1].thread);
const switches = steps.map((_, i) => i).filter(isSwitch);
const numbers = new Intl.NumberFormat("en");

// One turn after the other: the steps of one thread up to the next switch.
const turns = [];
for (let i = 0; i < steps.length; i++) {
  if (i === 0 || isSwitch(i)) turns.push({ from: i, to: i + 1 });
  else turns[turns.length - 1].to = i + 1;
}

const timeline = $("timeline");
const lanes = make("div", threads.length > 3 ? "lanes narrow" : "lanes");
lanes.style.setProperty("--threads", threads.length);
lanes.style.setProperty("--least", innerWidth <= 600 ? "118px" : "170px");
const rows = new Array(steps.length);

const location = step => step.file ? `${step.file.split("/").pop()}${step.line ? ":" + step.line : ""}` : step.method;
const lineOf = step => sources[step.file]?.[step.line];

function row(i) {
  const step = steps[i], own = column.get(step.thread);
  const r = make("div", "step");
  r.append(make("span", "at", numbers.format(step.at)));
  threads.forEach((t, c) => {
    const lane = make("div", c === own ? "lane own" : "lane");
    if (c === own) {
      lane.style.setProperty("--thread", colour(t.number));
      const before = i > 0 && !isSwitch(i) ? steps[i - 1] : undefined;
      const same = before && before.line === step.line && before.method === step.method;
      if (!same) {
        lane.append(make("span", "line", location(step)));
        const source = lineOf(step);
        if (source !== undefined) lane.append(make("span", "source", source.trim()));
        else lane.append(make("span", "source", step.method));
      }
      const does = make("span", "does", step.action + " ");
      if (step.place) does.append(step.place);
      if (step.value !== undefined) does.append(" = ", make("b", "", step.value));
      if (step.older) {
        const newer = step.older === 1 ? "1 newer store is" : `${step.older} newer stores are`;
        does.append(" ", make("span", "old", `old: ${newer} not seen`));
      }
      lane.append(does);
    }
    r.append(lane);
  });
  r.addEventListener("click", () => select(i));
  rows[i] = r;
  return r;
}

// Steps that are left out until the user requests them; `fill` makes them.
function more(from, to, text, fill) {
  const m = make("div", "more");
  const button = make("button", "", text);
  const open = () => {
    const all = document.createDocumentFragment();
    fill(all);
    m.replaceWith(all);
  };
  button.addEventListener("click", open);
  m.append(button);
  for (let i = from; i < to; i++) rows[i] = { open };
  return m;
}

function fillSteps(into, from, to) {
  for (let i = from; i < to; i++) into.append(row(i));
}

function fillTurn(into, { from, to }) {
  if (from > 0) {
    const reason = steps[from].switch;
    const what = `${name(steps[from - 1].thread)} ${VERBS[reason] ?? "stops"}; ${name(steps[from].thread)} continues`;
    const line = make("div", `switch ${reason ?? ""}`);
    line.append(make("span", "", what));
    into.append(line);
  }
  if (to - from <= 2 * NEAR + 1) fillSteps(into, from, to);
  else {
    const [head, tail] = [from + NEAR, to - NEAR];
    fillSteps(into, from, head);
    const text = `… ${numbers.format(tail - head)} steps of ${name(steps[from].thread)}`;
    into.append(more(head, tail, text, part => fillSteps(part, head, tail)));
    fillSteps(into, tail, to);
  }
}

lanes.append(make("div", "name"));
for (const t of threads) {
  const head = make("div", "name", t.name);
  head.append(make("small", "", ` thread ${t.number}`));
  head.style.setProperty("--thread", colour(t.number));
  lanes.append(head);
}
// If there are very many turns, those in the middle are left out, in groups of a hundred.
const FEW = 400, GROUP = 100;
for (let t = 0; t < turns.length; t += GROUP) {
  const group = turns.slice(t, t + GROUP);
  const fill = into => { for (const turn of group) fillTurn(into, turn); };
  if (turns.length <= FEW || t < GROUP || t + GROUP >= turns.length) fill(lanes);
  else {
    const text = `… ${group.length} turns, from ${numbers.format(steps[group[0].from].at)} bytecodes`;
    lanes.append(more(group[0].from, group[group.length - 1].to, text, fill));
  }
}
const end = make("div", "end");
end.append(make("span", "", document.title));
lanes.append(end);
timeline.append(lanes);

// An overview of all turns; the length of each is its number of steps.
const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
svg.setAttribute("viewBox", `0 0 ${Math.max(steps.length, 1)} 1`);
svg.setAttribute("preserveAspectRatio", "none");
const rect = (x, width, y, height, fill) => {
  const r = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [k, v] of Object.entries({ x, width, y, height })) r.setAttribute(k, v);
  r.style.fill = fill;
  svg.append(r);
  return r;
};
const each = 1 / Math.max(threads.length, 1);
for (const { from, to } of turns) rect(from, to - from, column.get(steps[from].thread) * each + each * .1, each * .8, colour(steps[from].thread));
const cursor = rect(0, 1, 0, 1, "color-mix(in srgb, var(--ink) 28%, transparent)");
$("overview").append(svg);
$("overview").addEventListener("click", e => {
  const box = svg.getBoundingClientRect();
  select(Math.min(steps.length - 1, Math.floor((e.clientX - box.left) / box.width * steps.length)));
});

// Where a thread is after step i: at its last step, or at its next one if another thread runs.
function position(number, i) {
  if (steps[i].thread === number) return { at: i, runs: true };
  for (let j = i + 1; j < steps.length; j++) if (steps[j].thread === number) return { at: j, before: true };
  for (let j = i; j >= 0; j--) if (steps[j].thread === number) return { at: j };
  return undefined;
}

function pane(t, i) {
  const place = position(t.number, i);
  const p = make("div", place.runs ? "pane runs" : "pane waits");
  p.style.setProperty("--thread", colour(t.number));
  const step = steps[place.at];
  p.append(make("h2", "", t.name));
  const state = place.runs ? "" : place.before ? ", next" : ", last";
  p.append(make("p", "", `${step.method} (${location(step)})${state}`));
  const known = sources[step.file];
  if (known && step.line) {
    const box = make("div", "lines code");
    const around = Object.keys(known).map(Number).filter(n => Math.abs(n - step.line) <= 4).sort((a, b) => a - b);
    const texts = around.map(n => known[n].replace(/\t/g, "    "));
    const indent = Math.min(...texts.filter(s => s.trim()).map(s => s.search(/\S/)));
    around.forEach((n, k) => {
      const l = make("div", n === step.line ? "now" : "");
      l.append(make("span", "", n), texts[k].slice(Number.isFinite(indent) ? indent : 0));
      box.append(l);
    });
    p.append(box);
  }
  return p;
}

function values(i) {
  const known = new Map();
  for (let j = 0; j <= i; j++) {
    const step = steps[j];
    if (!step.write || step.value === undefined || !step.place) continue;
    known.delete(step.place);
    known.set(step.place, j);
  }
  const box = $("values");
  box.replaceChildren();
  if (!known.size) return;
  box.append(make("h2", "", "Written last"));
  const table = make("table");
  for (const [place, j] of [...known].reverse().slice(0, 12)) {
    const tr = make("tr", j === i ? "changed" : "");
    tr.append(make("td", "", place), make("td", "code", steps[j].value), make("td", "", name(steps[j].thread)));
    table.append(tr);
  }
  box.append(table);
}

let selected = -1;
function select(i, scroll = true) {
  if (!steps.length) return;
  i = Math.max(0, Math.min(steps.length - 1, i));
  rows[selected]?.classList?.remove("selected");
  while (rows[i].open) rows[i].open();
  selected = i;
  rows[i].classList.add("selected");
  if (scroll) rows[i].querySelector(".own").scrollIntoView({ block: "nearest", inline: "nearest" });
  cursor.setAttribute("x", i);
  // with many threads, first those that run near this step
  const order = threads.map(t => [t, Math.abs(position(t.number, i).at - i)]);
  if (threads.length > 3) order.sort((a, b) => a[1] - b[1]);
  $("panes").replaceChildren(...order.map(([t]) => pane(t, i)));
  values(i);
  $("where").textContent = `step ${numbers.format(i + 1)} of ${numbers.format(steps.length)}`;
  $("back").disabled = i === 0;
  $("forth").disabled = i === steps.length - 1;
  $("previous").disabled = !switches.some(s => s < i);
  $("next").disabled = !switches.some(s => s > i);
}
const toSwitch = forth => {
  const found = forth ? switches.find(s => s > selected) : switches.findLast(s => s < selected);
  if (found !== undefined) select(found);
};
$("back").addEventListener("click", () => select(selected - 1));
$("forth").addEventListener("click", () => select(selected + 1));
$("previous").addEventListener("click", () => toSwitch(false));
$("next").addEventListener("click", () => toSwitch(true));

$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText($("command").textContent);
    $("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($("command"));
  }
});
document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const keys = { ArrowDown: () => select(selected + 1), ArrowUp: () => select(selected - 1), n: () => toSwitch(true), p: () => toSwitch(false) };
  const does = keys[e.key];
  if (!does || e.target.closest(".text")) return;
  e.preventDefault();
  does();
});
// At first, show the first place where the schedule differs from the default one.
const first = steps.findIndex(s => s.switch === "preempted");
const old = steps.findIndex(s => s.older);
const begin = first >= 0 ? first : old >= 0 ? old : 0;
select(begin, begin > 0);
