// The profile: read from the page, kept in typed arrays, one entry for each calling context.
// Node 0 is everything; a thread that is kept apart is a node below it. Nodes are in preorder, so
// a node's subtree is the range up to end[node].

/** Bytes of the packed profile. */
async function unpack(base64) {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < packed.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The number of numbers to read, or nodes to visit, between two looks at the clock. */
const STRIDE = 1 << 17;

class Model {
  /** Reads the profile in steps; each returns the part that has been read, from 0 to 1. */
  *read(bytes) {
    let at = 0;
    const number = () => {
      let byte = bytes[at++];
      if (byte < 128) return byte;
      let n = byte & 127, unit = 128;
      do {
        byte = bytes[at++];
        n += (byte & 127) * unit;
        unit *= 128;
      } while (byte > 127);
      return n;
    };
    const length = number();
    this.about = JSON.parse(new TextDecoder().decode(bytes.subarray(at, at + length)));
    at += length;
    const { methods, threads, callSites, allocations } = this.about;
    this.methodCount = methods.length;

    // Methods, then node 0, then threads. Only methods have a class.
    this.classes = methods.map((m) => m[0]);
    this.rests = methods.map((m) => m[1]);
    this.flags = methods.map((m) => m[2]);
    // Source files, the methods' places in them, and text: parts, each with its first line.
    this.files = this.about.files;
    this.fileOf = methods.map((m) => m[3] ?? -1);
    this.lines = methods.map((m) => m[4] ?? []);
    this.texts = new Map(this.about.sources.texts.map(([file, ...parts]) => [file, parts]));
    const pseudo = (name) => {
      this.classes.push("");
      this.rests.push(name);
      this.flags.push(0);
      return this.classes.length - 1;
    };
    const everything = pseudo(threads.length > 1 ? "all threads" : "everything");

    let size = 1;
    for (const t of threads) size += t.contexts + (t.name === null ? 0 : 1);
    this.size = size;
    const method = (this.method = new Uint32Array(size));
    const parent = (this.parent = new Int32Array(size));
    const end = (this.end = new Int32Array(size));
    const site = (this.site = callSites ? new Int32Array(size).fill(-1) : null);
    const calls = new Float64Array(size), bytecodes = new Float64Array(size);
    const objects = allocations && new Float64Array(size), space = allocations && new Float64Array(size);
    method[0] = everything;
    parent[0] = -1;
    this.roots = [];
    this.deepest = 0;
    let node = 1;
    const path = [];
    for (const t of threads) {
      let top = 0;
      if (t.name !== null) {
        top = node++;
        method[top] = pseudo(`[${t.name}]`);
        parent[top] = 0;
        this.roots.push({ node: top, name: t.name, id: t.id });
      }
      bytecodes[top] += t.remainder;
      const first = node;
      path.length = 0;
      for (let i = 0; i < t.contexts; i++, node++) {
        for (let up = number(); up > 0; up--) end[path.pop()] = node;
        parent[node] = path.length ? path[path.length - 1] : top;
        path.push(node);
        if (path.length > this.deepest) this.deepest = path.length;
        if (i % STRIDE === STRIDE - 1) yield at / bytes.length;
      }
      while (path.length) end[path.pop()] = node;
      end[top] = node;
      const column = function* (into, shift) {
        for (let i = first; i < node; i++) {
          into[i] = number() - shift;
          if (i % STRIDE === STRIDE - 1) yield at / bytes.length;
        }
      };
      yield* column(method, 0);
      if (callSites) yield* column(site, 1);
      yield* column(calls, 0);
      yield* column(bytecodes, 0);
      if (allocations) {
        yield* column(objects, 0);
        yield* column(space, 0);
      }
    }
    end[0] = size;

    // Executions of single bytecodes: [index, count, index, count, ...] for each method.
    const byIndex = () =>
      methods.map(() => {
        const list = [];
        for (let n = number(), index = 0; n > 0; n--) list.push((index += number()), number());
        return list;
      });
    this.counts = this.about.counts ? byIndex() : null;
    // The same for hidden callees, by call site.
    this.caused = this.about.caused ? byIndex() : null;
    // Instructions as text, by index, for expensive methods.
    this.code = new Map(this.about.code.map(([m, ...rows]) => [m, new Map(rows)]));
    const calledAs = this.about.kind === "samples" ? "samples" : "calls";
    this.calls = calls;
    // A cost model's unit instead of bytecodes.
    const unit = this.about.run.find(([name]) => name === "Unit")?.[1];
    this.unit = unit ?? "bytecodes";
    this.metrics = [
      { id: "bytecodes", name: unit ? "Cost" : "Bytecodes", unit: this.unit, own: bytecodes },
      { id: "calls", name: calledAs === "calls" ? "Calls" : "Samples", unit: calledAs, own: calls },
    ];
    if (allocations) {
      this.metrics.push({ id: "space", name: "Allocated bytes", unit: "bytes", own: space });
      this.metrics.push({ id: "objects", name: "Allocated objects", unit: "objects", own: objects });
    }
  }

  /** The weight of a node and everything below it. */
  inclusive(metric) {
    if (!metric.sums) {
      const { parent } = this, sums = (metric.sums = Float64Array.from(metric.own));
      for (let i = sums.length - 1; i > 0; i--) sums[parent[i]] += sums[i];
    }
    return metric.sums;
  }

  isMethod(method) { return method < this.methodCount; }

  /** `java.lang.String.length()` */
  name(method) {
    return this.classes[method] ? `${this.classes[method]}.${this.rests[method]}` : this.rests[method];
  }

  /** The line of the bytecode at an index; 0 if unknown. */
  line(method, index) {
    const lines = this.lines[method] ?? [];
    let line = 0;
    for (let i = 0; i < lines.length && lines[i] <= index; i += 2) line = lines[i + 1];
    return line;
  }

  /** `HashMap.java:123`, as far as it is known. */
  place(method) {
    if (!this.isMethod(method) || this.fileOf[method] < 0) return "";
    const file = this.files[this.fileOf[method]], name = file.slice(file.lastIndexOf("/") + 1);
    return this.lines[method].length ? `${name}:${this.lines[method][1]}` : name;
  }

  /** Are the method's self counts known by line? Executions of bytecodes are those of all threads. */
  tellsLines(method, root, metric) {
    return metric.id === "bytecodes" && root === 0 && this.counts?.[method]?.length > 0;
  }

  /** The method's self counts that are known by bytecode index: [index, count, ...]. */
  told(method, root, metric) {
    if (metric.id !== "bytecodes" || root !== 0) return [];
    return [...(this.counts?.[method] ?? []), ...(this.caused?.[method] ?? [])];
  }

  /** Names from the most to the least explicit one. */
  shortNames(method) {
    const rest = this.rests[method];
    if (!this.classes[method]) return [rest];
    const simple = this.classes[method].slice(this.classes[method].lastIndexOf(".") + 1);
    const open = rest.indexOf("(");
    const bare = open > 0 ? rest.slice(0, open) : rest;
    const plain = rest.replace(/[\w$]+\./g, "");
    return [`${simple}.${plain}`, `${simple}.${bare}`, bare];
  }

  /** The kind of a method, which decides its colour. */
  sort(method) {
    if (!this.isMethod(method)) return "outside";
    const flags = this.flags[method];
    return flags & 1 ? "native" : flags & 2 ? "hidden" : flags & 4 ? "application" : "library";
  }

  /** Sums of the methods below a root: self, total (recursion once), calls, contexts. */
  totals(root, metric) {
    const { method, end, calls } = this, sums = this.inclusive(metric), own = metric.own;
    const count = this.classes.length;
    const t = {
      own: new Float64Array(count), inclusive: new Float64Array(count),
      calls: new Float64Array(count), contexts: new Uint32Array(count),
    };
    // Until which node a method is on the stack.
    const until = new Int32Array(count);
    for (let i = root, to = end[root]; i < to; i++) {
      const m = method[i];
      t.own[m] += own[i];
      t.calls[m] += calls[i];
      t.contexts[m]++;
      if (until[m] <= i) {
        t.inclusive[m] += sums[i];
        until[m] = end[i];
      }
    }
    return t;
  }

  /**
   * Callers and callees of a method below a root, heaviest first. A bytecode executed below the
   * method counts for the callee of its innermost invocation, and for the caller of its outermost
   * one, so both lists add up however it recurs.
   */
  neighbours(root, metric, wanted) {
    const { method, parent, end, calls } = this, sums = this.inclusive(metric);
    const callers = new Map(), callees = new Map(), sites = new Map();
    const add = (map, key, calls, weight) => {
      const e = map.get(key);
      if (e) {
        e.calls += calls;
        e.weight += weight;
      } else map.set(key, { method: key, calls, weight });
    };
    // By call site, -1 if unknown: its weight, and its callees.
    const weigh = (at, callee, weight) => {
      if (!sites.has(at)) sites.set(at, { weight: 0, methods: new Map() });
      const site = sites.get(at);
      site.weight += weight;
      site.methods.set(callee, (site.methods.get(callee) ?? 0) + weight);
    };
    const open = [];
    let until = 0;
    for (let i = root, to = end[root]; i < to; i++) {
      const m = method[i], p = i === root ? -1 : parent[i];
      while (open.length && end[open[open.length - 1].node] <= i) open.pop();
      if (p >= 0 && method[p] === wanted) {
        const at = this.site ? this.site[i] : -1, weight = m === wanted ? 0 : sums[i];
        add(callees, m, calls[i], weight);
        weigh(at, m, weight);
        open[open.length - 1].into = m;
        open[open.length - 1].at = at;
      }
      if (m === wanted) {
        // Another call is on the stack: the nodes from here on no longer belong to its callee.
        if (open.length && !(p >= 0 && method[p] === wanted)) {
          const { into, at } = open[open.length - 1];
          add(callees, into, 0, -sums[i]);
          weigh(at, into, -sums[i]);
        }
        if (p >= 0) add(callers, method[p], calls[i], until <= i ? sums[i] : 0);
        if (until <= i) until = end[i];
        open.push({ node: i, into: -1, at: -1 });
      }
    }
    const sorted = (map) => [...map.values()].sort((a, b) => b.weight - a.weight || b.calls - a.calls || a.method - b.method);
    return { callers: sorted(callers), callees: sorted(callees), sites };
  }
}

/** The tree as it was executed. Ids are nodes. */
class CalleeTree {
  constructor(model, root, metric) {
    this.model = model;
    this.root = root;
    this.own = metric.own;
    this.sums = model.inclusive(metric);
    this.sorted = new Map();
  }
  value(id) { return this.sums[id]; }
  ownValue(id) { return this.own[id]; }
  method(id) { return this.model.method[id]; }
  parent(id) { return id === this.root ? -1 : this.model.parent[id]; }
  site(id) { return this.model.site ? this.model.site[id] : -1; }
  calls(id) { return this.model.calls[id]; }

  /** The key of a node in a link. */
  key(id) { return String(id); }
  /** The node of a key, or -1. */
  find(key) {
    const id = /^\d+$/.test(key) ? +key : -1;
    return id >= this.root && id < this.model.end[this.root] ? id : -1;
  }

  /** Children with a weight, heaviest first. */
  children(id) {
    const { end } = this.model, { sums } = this;
    const first = id + 1, to = end[id];
    if (first >= to) return NONE;
    if (end[first] === to) return sums[first] > 0 ? [first] : NONE;
    let list = this.sorted.get(id);
    if (!list) {
      list = [];
      for (let c = first; c < to; c = end[c]) if (sums[c] > 0) list.push(c);
      list.sort((a, b) => sums[b] - sums[a] || a - b);
      this.sorted.set(id, list);
    }
    return list;
  }

  /**
   * The share of matching methods and their callees, the topmost such nodes, and their share of a
   * node.
   */
  search(matches) {
    const { method, end } = this.model, { sums, root } = this;
    const hits = [], before = [0];
    let sum = 0;
    for (let i = root; i < end[root]; ) {
      if (matches[method[i]]) {
        sum += sums[i];
        if (sums[i] > 0) {
          hits.push(i);
          before.push(sum);
        }
        i = end[i];
      } else i++;
    }
    const inOrder = Int32Array.from(hits);
    const upTo = (id) => {
      let low = 0, high = inOrder.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (inOrder[middle] < id) low = middle + 1;
        else high = middle;
      }
      return before[low];
    };
    hits.sort((a, b) => sums[b] - sums[a] || a - b);
    return {
      hits, share: sums[root] ? sum / sums[root] : 0,
      within: (id) => (upTo(end[id]) - upTo(id)) / sums[id],
    };
  }
}
const NONE = [];

/**
 * The tree from where bytecodes were executed to the callers, built as far as it is looked at. An
 * entry stands for a range of two lists: the nodes that were executed, and which of their callers
 * the entry is about. Expanding an entry sorts its range by the next caller's method.
 */
class CallerTree {
  constructor(model, root, metric) {
    this.model = model;
    this.metric = metric;
    this.from = root;
    this.own = metric.own;
    this.root = 0;
    const end = model.end[root];
    let count = 0;
    for (let i = root; i < end; i++) if (this.own[i] > 0) count++;
    const what = new Int32Array(count);
    for (let i = root, n = 0; i < end; i++) if (this.own[i] > 0) what[n++] = i;
    this.entries = [];
    this.entry(model.method[root], -1, model.inclusive(metric)[root], what, null, 0, count);
    this.slot = new Int32Array(model.classes.length).fill(-1);
  }
  entry(method, parent, value, what, where, from, to) {
    this.entries.push({ method, parent, value, what, where, from, to, below: null });
    return this.entries.length - 1;
  }
  value(id) { return this.entries[id].value; }
  ownValue(id) {
    return Math.max(0, this.value(id) - this.children(id).reduce((sum, c) => sum + this.value(c), 0));
  }
  method(id) { return this.entries[id].method; }
  parent(id) { return this.entries[id].parent; }
  site() { return -1; }
  calls() { return -1; }

  /** The key of an entry in a link: the numbers of the children from the root. Entries have no other order. */
  key(id) {
    const path = [];
    for (let p = this.parent(id); p >= 0; id = p, p = this.parent(p)) path.push(this.children(p).indexOf(id));
    return path.reverse().join(".");
  }
  find(key) {
    let id = this.root;
    for (const i of key ? key.split(".") : []) {
      id = this.children(id)[/^\d+$/.test(i) ? i : -1] ?? -1;
      if (id < 0) break;
    }
    return id;
  }

  children(id) {
    const entry = this.entries[id];
    if (entry.below) return entry.below;
    const { method, parent, methodCount } = this.model, { own, slot } = this;
    const { what, where, from, to } = entry;
    const groups = [], ats = new Int32Array(to - from);
    let count = 0;
    for (let i = from; i < to; i++) {
      // First come the methods that were executed themselves, then callers. A thread calls nobody.
      const at = where ? parent[where[i]] : what[i];
      const m = at < 0 ? 0 : method[at];
      if (at < 0 || (where && m >= methodCount)) {
        ats[i - from] = -1;
        continue;
      }
      ats[i - from] = at;
      if (slot[m] < 0) {
        slot[m] = groups.length;
        groups.push({ method: m, value: 0, from: 0, to: 0 });
      }
      const g = groups[slot[m]];
      g.value += own[what[i]];
      g.to++;
      count++;
    }
    const nextWhat = new Int32Array(count), nextWhere = new Int32Array(count);
    count = 0;
    for (const g of groups) {
      g.from = count;
      count += g.to;
      g.to = g.from;
    }
    for (let i = from; i < to; i++) {
      const at = ats[i - from];
      if (at < 0) continue;
      const g = groups[slot[method[at]]];
      nextWhat[g.to] = what[i];
      nextWhere[g.to++] = at;
    }
    for (const g of groups) slot[g.method] = -1;
    groups.sort((a, b) => b.value - a.value || a.method - b.method);
    entry.below = groups.map((g) => this.entry(g.method, id, g.value, nextWhat, nextWhere, g.from, g.to));
    entry.what = entry.where = null;
    return entry.below;
  }

  search(matches) {
    const { share } = new CalleeTree(this.model, this.from, this.metric).search(matches);
    return { hits: this.children(0).filter((c) => matches[this.method(c)]), share, within: () => 0 };
  }
}
