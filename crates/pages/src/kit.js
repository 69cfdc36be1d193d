// What all pages of rjvm share: elements, the theme, keys, tables to sort, tabs.

const $ = (id) => document.getElementById(id);

/** An element with its class and what is in it. */
function make(tag, className, ...content) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...content);
  return e;
}

const kit = (() => {
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  const listeners = [], keys = new Map();
  const changed = () => listeners.forEach((listener) => listener());
  /** Whether the page is dark: as the user has chosen, or else as the system is. */
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  function toggle() {
    root.dataset.theme = dark() ? "light" : "dark";
    changed();
  }
  system.addEventListener("change", () => { if (!root.dataset.theme) changed(); });

  /** A colour of the theme as a canvas takes it. */
  function colour(name) {
    const probe = make("i");
    probe.hidden = true;
    probe.style.color = `var(${name})`;
    root.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  /** Makes the table's rows sortable by its heads; returns what sorts again when rows have been replaced. */
  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    let by = -1, sign = 1;
    const value = (row) => {
      const text = row.cells[by]?.dataset.value ?? row.cells[by]?.textContent ?? "";
      const digits = text.replace(/[,%]/g, "").trim();
      return digits !== "" && isFinite(digits) ? Number(digits) : text;
    };
    function sort() {
      if (by < 0) return;
      const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
      const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
      rows.sort(([a], [b]) => sign * order(a, b));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    }
    heads.forEach((head, i) => {
      const button = make("button", "", ...head.childNodes);
      button.type = "button";
      head.replaceChildren(button);
      button.onclick = () => {
        // numbers begin with the greatest
        const first = table.tBodies[0].rows[0];
        [by, sign] = by === i ? [i, -sign] : [i, 1];
        if (by === i && !head.ariaSort && first && typeof value(first) === "number") sign = -1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
        sort();
      };
    });
    return sort;
  }

  /** Makes the buttons in `list` tabs of the panels with these ids; returns what chooses one. */
  function tabs(list, names, chosen) {
    list.setAttribute("role", "tablist");
    const buttons = names.map((name) => {
      const tab = make("button", "", name), panel = $(name);
      tab.id = `to-${name}`;
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", name);
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      tab.onclick = () => choose(name);
      return tab;
    });
    function choose(name) {
      names.forEach((n, i) => {
        $(n).hidden = n !== name;
        buttons[i].setAttribute("aria-selected", n === name);
        buttons[i].tabIndex = n === name ? 0 : -1;
      });
      chosen(name);
    }
    list.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key], at = buttons.indexOf(event.target);
      if (!by || at < 0) return;
      const to = (at + by + buttons.length) % buttons.length;
      buttons[to].focus();
      choose(names[to]);
    });
    list.append(...buttons);
    return choose;
  }

  $("theme")?.addEventListener("click", toggle);
  keys.set("t", toggle);
  const search = document.querySelector("input[type=search]");
  if (search) keys.set("/", () => search.focus());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches?.("select, input, textarea") || !keys.has(event.key)) return;
    event.preventDefault();
    keys.get(event.key)();
  });
  return { dark, colour, sortable, tabs, onTheme: (listener) => listeners.push(listener) };
})();
