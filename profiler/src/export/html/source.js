// Source text with the counts of each line.

const KEYWORDS = new Set(
  ("abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto if " +
    "implements import instanceof int interface long native new package private protected public record return sealed short static strictfp super " +
    "switch synchronized this throw throws transient try var void volatile while yield true false null fun val when object").split(" "),
);

/** A line as spans: comments, strings and keywords apart. `inside` says whether it begins in a comment. */
function highlighted(text, inside) {
  const code = make("code", "");
  const token = /\/\*|\/\/.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_$][\w$]*/g;
  let at = 0;
  const put = (to, className) => {
    if (to > at) code.append(className ? make("span", className, text.slice(at, to)) : text.slice(at, to));
    at = to;
  };
  const comment = (from) => {
    const end = text.indexOf("*/", from);
    put(end < 0 ? text.length : end + 2, "comment");
    token.lastIndex = at;
    return end < 0;
  };
  if (inside) inside = comment(0);
  for (let found; at < text.length && (found = token.exec(text)); ) {
    const word = found[0], end = found.index + word.length;
    const sort = word.startsWith("//") || word === "/*" ? "comment" : /^["']/.test(word) ? "string" : KEYWORDS.has(word) ? "keyword" : "";
    if (!sort) continue;
    put(found.index, "");
    if (word === "/*") inside = comment(end);
    else put(end, sort);
  }
  put(text.length, inside ? "comment" : "");
  return { code, inside };
}

/** Adds up what is executed at the lines of a method: line -> { own, below, callees }. */
function lineCosts(model, m, root, metric, totals, sites, costs = new Map()) {
  const lines = model.lines[m];
  if (!lines.length) return costs;
  const at = (line) => {
    if (!costs.has(line)) costs.set(line, { own: 0, below: 0, callees: new Map() });
    return costs.get(line);
  };
  let own = totals.own[m];
  const told = model.told(m, root, metric);
  for (let i = 0; i < told.length; i += 2) {
    at(model.line(m, told[i]) || lines[1]).own += told[i + 1];
    own -= told[i + 1];
  }
  at(lines[1]).own += own;
  for (const [index, site] of sites) {
    const line = at((index >= 0 && model.line(m, index)) || lines[1]);
    line.below += site.weight;
    for (const [callee, weight] of site.methods) line.callees.set(callee, (line.callees.get(callee) ?? 0) + weight);
  }
  return costs;
}

class Source {
  constructor(model, dialog, choose) {
    Object.assign(this, { model, dialog, choose });
  }

  /** Rows for the lines from `first` to `last`, as far as there is text; `sum` is what shares are of. */
  rows(file, first, last, costs, sum, metric) {
    const box = make("div", "source");
    const titles = make("div", "line titles", make("span", "", "line"), make("span", "", "self"), make("span", "", "total"), make("code", "", ""));
    box.append(titles);
    const cell = (n) => {
      if (!n) return make("span", "");
      return bar(make("span", "percent", exact(n)), n, sum);
    };
    const most = [...costs.values()].reduce((n, cost) => Math.max(n, cost.own + cost.below), 0);
    box.style.setProperty("--digits", `${exact(most).length}ch`);
    // A narrow panel has no room for the indentation that all lines share.
    let indent = Infinity;
    for (const [from, text] of this.model.texts.get(file)) {
      text.split("\n").forEach((words, i) => {
        if (from + i >= first && from + i <= last && words.trim()) indent = Math.min(indent, /^ */.exec(words)[0].length);
      });
    }
    if (first === 1) indent = 0;
    let before = 0;
    for (const [from, text] of this.model.texts.get(file)) {
      // A part may begin in a comment.
      const end = text.indexOf("*/"), begin = text.indexOf("/*");
      let inside = end >= 0 && (begin < 0 || end < begin), line = from - 1;
      for (const words of text.split("\n")) {
        line++;
        const shown = highlighted(words.slice(0, indent).trim() ? words : words.slice(indent), inside);
        inside = shown.inside;
        if (line < first || line > last) continue;
        if (before && line > before + 1) box.append(make("div", "gap", "⋯"));
        before = line;
        const cost = costs.get(line);
        const row = make("div", cost ? "line hot" : "line", make("span", "number", `${line}`), cell(cost?.own), cell(cost && cost.own + cost.below), shown.code);
        if (cost) {
          const calls = [...cost.callees].sort((a, b) => b[1] - a[1]).slice(0, 12);
          row.title = [`self ${exact(cost.own)} ${metric.unit}, ${percent(cost.own, sum)}`, `total ${exact(cost.own + cost.below)}, ${percent(cost.own + cost.below, sum)}`, ...calls.map(([m, w]) => `→ ${this.model.name(m)}: ${exact(w)}`)].join("\n");
        }
        row.dataset.line = line;
        box.append(row);
      }
    }
    return box;
  }

  /** Explains the numbers at lines that are not exact counts of the lines. */
  note(m, root, metric, totals) {
    const { model } = this, notes = [];
    if (!model.tellsLines(m, root, metric)) notes.push(`the self counts of a method are at its first line${metric.id === "bytecodes" && !model.counts ? " (--profile=blocks counts each line)" : ""}`);
    else {
      const told = model.told(m, root, metric).reduce((sum, n, i) => sum + (i % 2 ? n : 0), 0);
      if (told < totals.own[m]) notes.push(`${exact(totals.own[m] - told)} ${metric.unit} of other methods, which are not shown, are at the first line`);
    }
    if (metric.id === "bytecodes" && root === 0 && model.caused?.[m]?.length) {
      const below = model.caused[m].reduce((sum, n, i) => sum + (i % 2 ? n : 0), 0);
      notes.push(`${exact(below)} ${metric.unit} of called methods that are not shown are at the lines of the calls`);
    }
    if (!model.site) notes.push("and its calls, too (--profile=callsites counts each line)");
    return notes.join(", ");
  }

  /** The whole file, as far as there is text, with the costs of all its methods. */
  open(m, root, metric, totals) {
    const { model, dialog } = this, file = model.fileOf[m];
    const costs = new Map();
    for (let other = 0; other < model.methodCount; other++) {
      if (model.fileOf[other] !== file || !totals.contexts[other]) continue;
      lineCosts(model, other, root, metric, totals, model.neighbours(root, metric, other).sites, costs);
    }
    const sum = model.inclusive(metric)[root];
    const close = make("button", "close", "×");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => dialog.close());
    const box = this.rows(file, 1, Infinity, costs, sum, metric);
    const note = this.note(m, root, metric, totals);
    dialog.replaceChildren(
      make("div", "bar", make("h2", "", model.files[file]), close),
      make("p", "class", `${metric.unit} at each line${note ? `; ${note}` : ""}`),
      box,
    );
    dialog.showModal();
    const here = box.querySelector(`[data-line="${model.lines[m][1]}"]`);
    here?.classList.add("here");
    here?.scrollIntoView({ block: "center" });
  }
}
