// The panels below the flame graph: the table of methods, and one method's callers and callees.

const LINE = 24;

/** `1,234,567`; shares of one step are not whole. */
function exact(n) {
  return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** An average: `1,234`, or `12.3` where tenths matter. */
function each(n) {
  return n < 1000 && !Number.isInteger(n) ? n.toFixed(1) : exact(n);
}

/** `12.34 %` */
function percent(n, of) {
  return of > 0 ? `${((100 * n) / of).toFixed(2)} %` : "–";
}

/** Draws a line below a cell's text, as long as the share is of the cell's width. */
function bar(cell, n, of) {
  cell.style.setProperty("--share", of > 0 ? Math.min(1, n / of) : 0);
  return cell;
}

class Table {
  /** `choose` shows a method, `find` goes to it in the graph. */
  constructor(model, head, body, rows, choose, find) {
    Object.assign(this, { model, head, body, rows, choose });
    rows.addEventListener("dblclick", () => this.selected >= 0 && find(this.selected));
    this.order = "own";
    this.descending = true;
    this.matches = null;
    this.selected = -1;
    this.list = [];
    body.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(body);
    body.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.selected >= 0) {
        event.stopPropagation();
        return find(this.selected);
      }
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
      if (step === undefined || !this.list.length) return;
      event.preventDefault();
      event.stopPropagation();
      const at = this.list.indexOf(this.selected);
      const to = Math.min(this.list.length - 1, Math.max(0, at < 0 ? 0 : at + step));
      this.choose(this.list[to]);
      this.reveal();
    });
  }

  /** `totals` are those of `Model.totals`. */
  show(totals, metric, sum) {
    Object.assign(this, { totals, metric, sum });
    this.drawHead();
    this.filter(this.matches);
  }

  drawHead() {
    const name = this.metric.name.toLowerCase();
    const columns = [
      ["own", "Self %", `share of all ${name}`],
      ["own", "Self", `${name} of the method itself`],
      ["inclusive", "Total %", `share of all ${name} while the method is on the stack`],
      ["inclusive", "Total", `${name} of the method and its callees, recursion counted once`],
      ["calls", this.model.metrics[1].name, `${this.model.metrics[1].name.toLowerCase()} of the method`],
      ["contexts", "Contexts", "calling contexts of the method"],
      ["name", "Method", "sort by name"],
    ];
    this.head.replaceChildren(
      ...columns.map(([order, title, about]) => {
        const button = make("button", title.includes("%") ? "share" : "", title);
        button.title = about;
        if (order === this.order) button.setAttribute("aria-sort", this.descending ? "descending" : "ascending");
        button.addEventListener("click", () => {
          this.descending = order === this.order ? !this.descending : order !== "name";
          this.order = order;
          this.drawHead();
          this.filter(this.matches);
        });
        return button;
      }),
    );
  }

  filter(matches) {
    this.matches = matches;
    const { totals, model, order } = this, list = [];
    for (let m = 0; m < model.methodCount; m++) {
      if (totals.contexts[m] > 0 && (!matches || matches[m])) list.push(m);
    }
    const sign = this.descending ? -1 : 1;
    if (order === "name") list.sort((a, b) => sign * (model.name(a) < model.name(b) ? -1 : 1));
    else {
      const by = totals[order], other = totals.inclusive;
      list.sort((a, b) => sign * (by[a] - by[b] || other[a] - other[b]) || a - b);
    }
    this.list = list;
    this.rows.style.height = `${list.length * LINE}px`;
    this.body.scrollTop = 0;
    this.draw();
  }

  select(method) {
    this.selected = method;
    this.draw();
  }

  reveal() {
    const at = this.list.indexOf(this.selected) * LINE, { body } = this;
    if (at < 0) return;
    if (at < body.scrollTop) body.scrollTop = at;
    if (at + LINE > body.scrollTop + body.clientHeight) body.scrollTop = at + LINE - body.clientHeight;
  }

  draw() {
    if (!this.totals) return;
    const { body, model, totals, sum } = this;
    const first = Math.max(0, Math.floor(body.scrollTop / LINE) - 4);
    const last = Math.min(this.list.length, Math.ceil((body.scrollTop + body.clientHeight) / LINE) + 4);
    const rows = [];
    for (let i = first; i < last; i++) {
      const m = this.list[i];
      const share = (n) => {
        return bar(make("span", "percent", percent(n, sum)), n, sum);
      };
      const number = (n) => make("span", "", exact(n));
      const row = make(
        "div", m === this.selected ? "row selected" : "row",
        share(totals.own[m]), number(totals.own[m]), share(totals.inclusive[m]), number(totals.inclusive[m]),
        number(totals.calls[m]), number(totals.contexts[m]), method(model, m, ""),
      );
      row.style.top = `${i * LINE}px`;
      row.setAttribute("role", "row");
      row.title = [model.name(m), model.place(m)].join("\n").trim();
      row.addEventListener("click", () => this.choose(m));
      rows.push(row);
    }
    if (!this.list.length) rows.push(make("div", "empty", this.matches ? "No method matches." : "No method was executed."));
    this.rows.replaceChildren(...rows);
  }
}

/** A method's name, with a dot in its colour. */
function method(model, m, className) {
  const span = make("span", className);
  const dot = make("span", "dot");
  dot.style.background = color(model, m, kit.dark());
  span.append(dot);
  const full = model.classes[m];
  if (!full) span.append(model.rests[m]);
  else {
    const cut = full.lastIndexOf(".") + 1;
    span.append(make("span", "package", full.slice(0, cut)), full.slice(cut), ".", model.rests[m]);
  }
  return span;
}

class Details {
  constructor(model, section, choose, source) {
    Object.assign(this, { model, section, choose, source });
  }

  nothing() {
    this.section.replaceChildren(make("p", "empty", "Choose a method in the graph or the table to see who called it, what it called, and what each call cost."));
  }

  /** `root` is the node whose subtree counts. */
  show(m, root, metric, totals) {
    const { model } = this;
    if (!model.isMethod(m)) return this.nothing();
    const sum = model.inclusive(metric)[root];
    const { callers, callees, sites } = model.neighbours(root, metric, m);
    const flags = model.flags[m];
    const words = [];
    if (flags & 1) words.push("native");
    if (flags & 2) words.push("of a hidden class");
    words.push(flags & 4 ? "application" : "class library");
    const facts = make("dl", "facts");
    const fact = (name, n, more) => facts.append(make("dt", "", name), make("dd", "", exact(n)), make("dd", "", more));
    const unit = metric.unit;
    fact("Self", totals.own[m], `${unit}, ${percent(totals.own[m], sum)}`);
    fact("Total", totals.inclusive[m], `${unit}, ${percent(totals.inclusive[m], sum)}`);
    const calls = totals.calls[m];
    fact(model.metrics[1].name, calls, calls > 0 && metric.id !== "calls" ? `${each(totals.inclusive[m] / calls)} ${unit} each, ${each(totals.own[m] / calls)} self` : "");
    fact("Contexts", totals.contexts[m], "");
    const title = method(model, m, "");
    const about = make("p", "about", words.join(", "));
    const place = model.place(m), hasText = model.texts.has(model.fileOf[m]) && model.lines[m].length > 0;
    if (place) {
      const link = make(hasText ? "button" : "span", hasText ? "link" : "", place);
      link.title = model.files[model.fileOf[m]];
      if (hasText) link.addEventListener("click", () => this.source.open(m, root, metric, totals));
      about.append(", ", link);
    }
    this.section.replaceChildren(make("h2", "", title), about, facts);
    const whole = totals.inclusive[m];
    this.edges("Callers", callers, whole);
    const own = { method: m, calls: -1, weight: totals.own[m] };
    this.edges("Callees", whole > 0 ? [own, ...callees].sort((a, b) => b.weight - a.weight) : callees, whole, m);
    if (hasText) this.text(m, root, metric, totals, sites);
    if (model.counts?.[m]?.length) this.code(m, sites);
    else if (model.site && sites.size) this.sites(m, sites);
    this.section.scrollTop = 0;
  }

  /** The method's source, and a way to that of the file. */
  text(m, root, metric, totals, sites) {
    const { section, model, source } = this;
    const whole = make("button", "link", "in its file");
    whole.addEventListener("click", () => source.open(m, root, metric, totals));
    section.append(make("h3", "", "Source ", whole));
    const note = source.note(m, root, metric, totals);
    if (note) section.append(make("p", "class small", note));
    const lines = model.lines[m].filter((_, i) => i % 2);
    const first = Math.min(...lines), last = Math.max(...lines);
    const costs = lineCosts(model, m, root, metric, totals, sites);
    section.append(source.rows(model.fileOf[m], first - 2, Math.min(last + 1, first + 500), costs, totals.inclusive[m], metric));
  }

  edges(title, list, whole, self = -1) {
    if (!list.length) return;
    const { section, model } = this;
    section.append(make("h3", "", title));
    const shown = 60;
    for (const edge of list.slice(0, shown)) {
      const share = bar(make("span", "percent", percent(edge.weight, whole)), edge.weight, whole);
      const itself = edge.method === self;
      const name = itself && edge.calls < 0 ? make("span", "name class", "the method itself") : method(model, edge.method, "name");
      const times = edge.calls < 0 ? "" : `${exact(edge.calls)} ×`;
      const row = make("button", "edge", share, make("span", "", exact(edge.weight)), make("span", "", times), name);
      row.title = itself && edge.calls >= 0 ? `${model.name(edge.method)}: recursion; its cost is in the other lines` : model.name(edge.method);
      if (!(itself && edge.calls < 0)) row.addEventListener("click", () => this.choose(edge.method));
      else row.disabled = true;
      section.append(row);
    }
    if (list.length > shown) section.append(make("p", "class", `and ${exact(list.length - shown)} more`));
  }

  /** Executions of single bytecodes. */
  code(m, sites) {
    const { section, model } = this, counts = model.counts[m];
    section.append(make("h3", "", "Bytecodes"));
    const code = make("div", "code");
    let most = 1;
    for (let i = 1; i < counts.length; i += 2) most = Math.max(most, counts[i]);
    const texts = model.code.get(m);
    const row = (className, index, line, times, text) => make("div", className, make("span", "class", index), make("span", "class", line), times, make("span", "name", text));
    code.append(row("edge titles", "index", "line", make("span", "", "executions"), texts ? "instruction" : "calls"));
    const executed = new Map();
    for (let i = 0; i < counts.length; i += 2) executed.set(counts[i], counts[i + 1]);
    let before = 0;
    for (const index of texts ? texts.keys() : executed.keys()) {
      const count = executed.get(index) ?? 0;
      const times = bar(make("span", "percent", exact(count)), count, most);
      const callees = [...(sites.get(index)?.methods.keys() ?? [])];
      const line = model.line(m, index);
      const text = texts?.get(index) ?? callees.map((callee) => model.shortNames(callee)[0]).join(", ");
      const shown = row(count ? "edge" : "edge never", `${index}`, line && line !== before ? `${line}` : "", times, text);
      shown.title = [text, ...callees.map((callee) => `→ ${model.name(callee)}`)].join("\n");
      before = line;
      code.append(shown);
    }
    section.append(code);
  }

  sites(m, sites) {
    const { section, model } = this;
    section.append(make("h3", "", "Call sites"));
    const code = make("div", "code sites");
    for (const [at, { methods }] of [...sites].sort((a, b) => a[0] - b[0])) {
      const names = [...methods.keys()].map((m) => model.shortNames(m)[0]).join(", ");
      const line = model.line(m, at);
      const row = make("div", "edge", make("span", "class", at < 0 ? "" : `@${at}`), make("span", "class", line ? `${line}` : ""), make("span", "name", names));
      row.title = [...methods.keys()].map((m) => model.name(m)).join("\n");
      code.append(row);
    }
    section.append(code);
  }
}
