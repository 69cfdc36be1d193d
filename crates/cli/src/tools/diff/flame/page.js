const data = JSON.parse($("data").textContent);
const FIELDS = 8, ROW = 19, count = data.nodes.length / FIELDS;
const at = (i, field) => data.nodes[i * FIELDS + field];
// A method's names, from the most to the least explicit one.
const shorter = data.methods.map(name => {
  const plain = name.replace(/[\w$]+\.(?=[\w$]+[.,)\[])/g, ""), bare = plain.replace(/\(.*/, "");
  return [name, plain, bare, bare.slice(bare.lastIndexOf(".") + 1)];
});
const grouped = n => n.toLocaleString("en");
const growth = (a, b) => a === b ? "no change" : a === 0 ? "new" : b === 0 ? "gone" : ((b - a) / a * 100).toFixed(2).replace(/^(?!-)/, "+") + "%";
$("totals").textContent = `${data.unit} ${grouped(data.before)} | ${grouped(data.after)} (${growth(data.before, data.after)})`;
// Parents, and where the descendants of each context end.
const parent = new Int32Array(count), end = new Int32Array(count);
{
  const open = [];
  for (let i = 0; i < count; i++) {
    while (open.length && at(open[open.length - 1], 0) >= at(i, 0)) end[open.pop()] = i;
    parent[i] = open.length ? open[open.length - 1] : -1;
    open.push(i);
  }
  while (open.length) end[open.pop()] = count;
}
let root = -1, rows = [], done = true, later = 0, mode = -1, hovered = -1, found = null;
const width = new Float64Array(count);
let all = 0;
/** Weights bottom up, as the larger of two counts of a context may be less than those of its callees. */
function weigh(wanted) {
  if (mode === wanted) return;
  mode = wanted;
  const below = new Float64Array(count);
  all = 0;
  for (let i = count - 1; i >= 0; i--) {
    const own = mode === 2 ? Math.max(at(i, 2), at(i, 3)) : at(i, 2 + mode);
    width[i] = Math.max(own, below[i]);
    if (parent[i] >= 0) below[parent[i]] += width[i]; else all += width[i];
  }
  all = Math.max(all, mode === 2 ? Math.max(data.before, data.after) : mode ? data.after : data.before);
}
/** Narrower boxes are left out with all above them, in pixels. */
const THIN = 0.3;
/** Puts contexts that follow each other into a row, from `x` on. */
function put(row, from, to, x) {
  const scale = 1 / (root < 0 ? all : width[root]), least = THIN / Math.max($("canvas").clientWidth, 1);
  for (let i = from; i < to; i = end[i]) {
    const w = width[i] * scale;
    if (w >= least) row.push({ i, x, w });
    x += w;
  }
}
/** Lays out rows until there are so many, or until the deadline. */
function extend(number, deadline = Infinity) {
  while (!done && rows.length < number) {
    const row = [];
    for (const { i, x } of rows[rows.length - 1]) put(row, i + 1, end[i], x);
    if (row.length) rows.push(row); else done = true;
    if (performance.now() > deadline) break;
  }
  $("graph").style.height = `${Math.max(rows.length * ROW, innerHeight)}px`;
}
/** What is in sight is laid out at once, the rest later. */
function layout() {
  weigh(Number($("width").value));
  // Callers of the chosen context stay as full rows above it.
  rows = [];
  for (let p = root < 0 ? -1 : parent[root]; p >= 0; p = parent[p]) rows.unshift([{ i: p, x: 0, w: 1 }]);
  const row = [];
  if (root < 0) put(row, 0, count, 0); else row.push({ i: root, x: 0, w: 1 });
  rows.push(row);
  done = false;
  extend(Math.ceil((hidden() + innerHeight) / ROW) + 1);
  clearTimeout(later);
  const go = () => {
    extend(Infinity, performance.now() + 12);
    if (!done) later = setTimeout(go);
  };
  if (!done) later = setTimeout(go, 60);
}
/** How much of the graph is above what is in sight. */
const hidden = () => $("canvas").getBoundingClientRect().top - $("graph").getBoundingClientRect().top;
function colour(i, most) {
  const [a, b] = $("colour").value === "s" ? [at(i, 4), at(i, 5)] : [at(i, 2), at(i, 3)];
  const share = most ? (b - a) / most : 0, t = Math.sign(share) * Math.sqrt(Math.abs(share));
  const mix = (from, to) => from.map((c, k) => Math.round(c + (to[k] - c) * Math.min(1, Math.abs(t))));
  const paper = kit.dark() ? [58, 62, 69] : [233, 230, 223];
  return `rgb(${mix(paper, t > 0 ? [214, 69, 61] : [61, 121, 214])})`;
}
const greatest = {};
function draw() {
  const canvas = $("canvas"), ratio = devicePixelRatio || 1, wide = canvas.clientWidth, high = innerHeight;
  canvas.style.height = `${high}px`;
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round(high * ratio);
  const c = canvas.getContext("2d"), above = hidden();
  c.scale(ratio, ratio);
  c.translate(0, -above);
  c.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  c.textBaseline = "middle";
  const k = $("colour").value === "s" ? 4 : 2;
  if (greatest[k] === undefined) {
    let most = 0;
    for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(at(i, k + 1) - at(i, k)));
    greatest[k] = most;
  }
  const first = Math.floor(above / ROW), last = Math.ceil((above + high) / ROW);
  extend(last + 1);
  for (let row = first; row < Math.min(last, rows.length); row++) for (const { i, x, w } of rows[row]) {
    const left = x * wide, width = w * wide;
    c.globalAlpha = found && !found(i) ? 0.25 : 1;
    c.fillStyle = colour(i, greatest[k]);
    c.fillRect(left, row * ROW, Math.max(width - 0.5, 0.5), ROW - 1);
    if (i === hovered) { c.strokeStyle = kit.dark() ? "#fff" : "#000"; c.strokeRect(left + 0.5, row * ROW + 0.5, Math.max(width - 1.5, 1), ROW - 2); }
    if (width > 40) {
      c.fillStyle = kit.dark() ? "#f0f1f3" : "#1c1e22";
      c.save(); c.beginPath(); c.rect(left, row * ROW, width - 4, ROW); c.clip();
      const names = shorter[at(i, 1)], fits = names.find(name => c.measureText(name).width <= width - 8);
      c.fillText(fits ?? names[names.length - 1], left + 4, row * ROW + ROW / 2);
      c.restore();
    }
  }
  c.globalAlpha = 1;
}
function tell(i) {
  if (i < 0) {
    $("note").textContent = data.hidden ? `${grouped(data.hidden)} contexts with less than 1/${grouped(data.narrowest)} of the bytecodes are not drawn; their bytecodes are in their callers.` : "";
    return;
  }
  const both = (name, k) => `${name} ${grouped(at(i, k))} | ${grouped(at(i, k + 1))} (${growth(at(i, k), at(i, k + 1))})`;
  $("note").textContent = `${data.methods[at(i, 1)]}: ${both("total", 2)}, ${both("self", 4)}, ${both("calls", 6)}`;
}
function show() { layout(); draw(); tell(hovered); }
function hit(event) {
  const rect = $("graph").getBoundingClientRect(), x = (event.clientX - rect.left) / rect.width;
  const row = rows[Math.floor((event.clientY - rect.top) / ROW)] || [];
  const box = row.find(b => b.x <= x && x < b.x + b.w);
  return box ? box.i : -1;
}
$("canvas").onmousemove = event => { const i = hit(event); if (i !== hovered) { hovered = i; draw(); tell(i); } };
$("canvas").onmouseleave = () => { hovered = -1; draw(); tell(-1); };
function zoom(i) { root = i; hovered = -1; show(); keep(true); }
function find() {
  const text = $("search").value.toLowerCase();
  found = text ? i => data.methods[at(i, 1)].toLowerCase().includes(text) : null;
}
// The link tells what is shown, as far as it is not as at the beginning. A step is an entry of the
// browser's history; typing changes the present one.
const parts = ["width", "colour", "search"], initial = parts.map(id => $(id).value);
function keep(step) {
  const told = new URLSearchParams(parts.map((id, k) => [id, $(id).value === initial[k] ? "" : $(id).value]).filter(pair => pair[1]));
  if (root >= 0) told.set("context", root);
  const text = String(told);
  if (text === String(new URLSearchParams(location.hash.slice(1)))) return;
  try {
    history[step ? "pushState" : "replaceState"](null, "", text ? "#" + text : location.pathname + location.search);
  } catch { /* A page from nowhere has no link of its own. */ }
}
function restore() {
  const told = new URLSearchParams(location.hash.slice(1)), context = told.get("context") || "";
  parts.forEach((id, k) => {
    $(id).value = told.get(id) || initial[k];
    if ($(id).value === "") $(id).value = initial[k];
  });
  root = /^\d+$/.test(context) && context < count ? Number(context) : -1;
  hovered = -1;
  find();
  show();
}
$("canvas").onclick = event => { const i = hit(event); zoom(i >= 0 && i === root ? parent[i] : i); };
$("canvas").onkeydown = event => { if (event.key === "Escape") zoom(-1); };
$("reset").onclick = () => zoom(-1);
$("width").onchange = $("colour").onchange = () => { show(); keep(true); };
let typing = 0;
$("search").oninput = () => {
  find();
  draw();
  clearTimeout(typing);
  typing = setTimeout(keep, 250, false);
};
addEventListener("resize", show);
addEventListener("scroll", draw);
addEventListener("hashchange", () => { clearTimeout(typing); restore(); });
kit.onTheme(draw);
restore();
