let why = '', phase = '';
const all = s => [...document.querySelectorAll(s)];
function show() {
  for (const d of all('#claims details')) {
    const fits = !why || d.dataset.why === why || d.dataset.why.startsWith(why + ' >');
    d.hidden = !fits || phase && !d.dataset.phases.split(' ').includes(phase);
  }
  for (const b of all('[data-why]:not(details)')) b.classList.toggle('on', b.dataset.why === why);
  for (const b of all('[data-phase]')) b.classList.toggle('on', b.dataset.phase === phase);
}
for (const b of all('.why button')) b.onclick = () => { why = b.dataset.why; show(); };
for (const b of all('.phase')) b.onclick = () => { phase = phase === b.dataset.phase ? '' : b.dataset.phase; show(); };
