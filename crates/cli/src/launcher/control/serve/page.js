const names = ['top', 'flame', 'heap', 'threads', 'diff', 'probes'];
let tab = names.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'top';
let turn = 0;
const sort = kit.sortable($('methods'));
const get = async (what, options) => {
    const answer = await fetch(what, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
};
/** A page in a frame, with the theme of this one. */
const themed = (page) => page.replace('<html ', `<html data-theme="${kit.dark() ? 'dark' : 'light'}" `);
const grouped = (n) => n.toLocaleString('en-US');
const said = (text) => { $('state').textContent = text; };
const shown = async () => {
    const s = JSON.parse(await get('status'));
    $('program').textContent = s.program;
    document.title = `${s.program} (rjvm)`;
    said(`profile ${s.profile}, ${grouped(s.bytecodes)} bytecodes, ${grouped(s.contexts)} contexts, heap ${s.heap >> 20} of ${s.heap_max >> 20} MB, ${s.threads} threads`);
    for (const id of ['start', 'stop']) $(id).setAttribute('aria-pressed', (s.profile !== 'off') === (id === 'start'));
    return s;
};
const views = {
    top: async () => {
        const { total, methods } = JSON.parse(await get('top'));
        const percent = (n) => (total ? 100 * n / total : 0).toFixed(2);
        $('rows').replaceChildren(...methods.map((m) => {
            const numbers = [percent(m.self), grouped(m.self), percent(m.inclusive), grouped(m.calls)];
            return make('tr', '', ...numbers.map((text) => make('td', 'number', text)), make('td', '', m.name));
        }));
        sort();
    },
    heap: async () => { $('heap').firstChild.textContent = await get('heap'); },
    threads: async () => { $('threads').firstChild.textContent = await get('threads'); },
    probes: async () => { $('answers').textContent = await get('probes'); },
    // a graph somebody looks into is not taken away each second
    flame: async (asked) => { if (asked || turn % 5 === 0) $('flame').firstChild.srcdoc = themed(await get('flame')); },
    diff: async (asked) => {
        if (!asked) return;
        const frame = $('diff').firstChild;
        try {
            frame.srcdoc = themed(await get('diff'));
        } catch (e) {
            frame.srcdoc = make('p', '', e.message).outerHTML;
        }
    },
};
const show = async (asked) => {
    try {
        await shown();
        await views[tab](asked);
    } catch (e) {
        said(e.message);
    }
};
const choose = kit.tabs($('tabs'), names, (name) => {
    tab = name;
    history.replaceState(null, '', `#${name}`);
    show(true);
});
for (const id of ['start', 'stop', 'reset', 'mark']) {
    $(id).onclick = async () => {
        try {
            await get(id, { method: 'POST' });
            await show(true);
        } catch (e) {
            said(e.message);
        }
    };
}
const asked = async (what, body) => {
    try {
        const text = await get(what, { method: 'POST', body });
        await show(true);
        said(text);
    } catch (e) {
        said(e.message);
    }
};
$('ask').onsubmit = (e) => {
    e.preventDefault();
    asked('probes/add', $('probe').value);
};
$('unask').onclick = () => asked('probes/remove', $('number').value.trim());
choose(tab);
// pages in frames are of the same theme as this one
kit.onTheme(() => { if (tab === 'flame' || tab === 'diff') show(true); });
setInterval(() => { turn++; if ($('live').checked) show(false); }, 1000);
