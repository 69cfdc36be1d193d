let why = "", phase = "";
const all = (selector) => [...document.querySelectorAll(selector)];
function show() {
  for (const d of all("#claims details")) {
    const fits = !why || d.dataset.why === why || d.dataset.why.startsWith(why + " >");
    d.hidden = !fits || phase && !d.dataset.phases.split(" ").includes(phase);
  }
  for (const b of all("button[data-why]")) b.setAttribute("aria-pressed", b.dataset.why === why);
  for (const b of all("button[data-phase]")) b.setAttribute("aria-pressed", b.dataset.phase === phase);
  for (const row of all("tr[data-phase]")) row.classList.toggle("on", row.dataset.phase === phase);
}
for (const b of all(".why button")) b.onclick = () => { why = b.dataset.why; show(); };
for (const b of all(".phase")) b.onclick = () => { phase = phase === b.dataset.phase ? "" : b.dataset.phase; show(); };
kit.sortable($("phases"));
