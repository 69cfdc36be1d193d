// The flame graph: a canvas that draws the visible part of a tree. Rows are laid out from the range
// of weights that is shown; frames too narrow to see are never visited.

const ROW = 20;
/** Narrower frames are left out, in pixels. */
const THIN = 0.4;
const MOST_FRAMES = 3_000_000;
/** Browsers can't scroll further; beyond that a pixel of the scroll bar is several pixels. */
const TALLEST = 8_000_000;

class Flame {
  /** `on` has `hover(id, x, y)`, `select(id)`, and `moved()` after the visible part has changed. */
  constructor(model, canvas, scroller, spacer, on) {
    Object.assign(this, { model, canvas, scroller, spacer, on });
    this.context = canvas.getContext("2d", { alpha: false });
    this.tree = null;
    this.upwards = false;
    this.hovered = this.selected = this.marked = -1;
    this.matches = null;
    this.frames = { node: new Int32Array(1024), x: new Float64Array(1024), w: new Float64Array(1024) };
    this.rows = [0];
    this.tall = this.used = 0;
    this.widths = new Map();
    this.fills = [];
    this.wanted = 0;
    this.listen();
  }

  show(tree) {
    this.tree = tree;
    this.hovered = -1;
    this.selected = this.marked = -1;
    this.from = 0;
    this.to = tree.value(tree.root);
    this.layOut();
    this.scrollTo(0);
  }

  // --- layout -------------------------------------------------------------------------------------

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const width = this.scroller.clientWidth, height = this.scroller.clientHeight;
    this.width = width;
    this.height = height;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.ratio = ratio;
    if (this.tree) this.layOut();
    // At once: the canvas has been emptied, and this frame has already been drawn.
    this.drawNow();
  }

  /** Lays out the visible part for the range of weights from `from` to `to`, the rest later. */
  layOut() {
    const { tree, upwards } = this, whole = tree.value(tree.root);
    this.scaled = this.width / Math.max(this.to - this.from, Number.MIN_VALUE);
    const far = upwards ? this.tall - this.top - this.height : this.top;
    this.used = 0;
    this.rows = [0];
    this.starts = [];
    this.done = whole <= 0;
    if (!this.done) {
      this.put(tree.root, -this.from * this.scaled, whole * this.scaled, 0);
      this.rows.push(1);
    }
    this.extend(Math.ceil((Math.max(far, 0) + this.height) / ROW) + 1);
    clearTimeout(this.later);
    const go = () => {
      this.extend(Infinity, performance.now() + 12);
      if (!this.done) this.later = setTimeout(go);
    };
    if (!this.done) this.later = setTimeout(go, 60);
    this.draw();
  }

  put(node, x, w, start) {
    const { frames, used } = this;
    if (used === frames.node.length) {
      for (const key of ["node", "x", "w"]) {
        const bigger = new frames[key].constructor(2 * used);
        bigger.set(frames[key]);
        frames[key] = bigger;
      }
    }
    frames.node[used] = node;
    frames.x[used] = x;
    frames.w[used] = w;
    this.used++;
    this.starts.push(start);
  }

  /** Lays out rows up to a number of rows, or until the deadline. */
  extend(rows, deadline = Infinity) {
    const bottom = this.tall - this.top;
    while (!this.done && this.rows.length <= rows) {
      this.nextRow();
      if (performance.now() > deadline) break;
    }
    this.tall = (this.rows.length - 1) * ROW + 4;
    this.spacer.style.height = `${Math.max(0, Math.min(this.tall, TALLEST) - this.height)}px`;
    // The visible part stays in place, though there is more above.
    if (this.upwards && Math.abs(this.tall - this.top - bottom) > 1) this.scroller.scrollTop = (this.tall - bottom) / this.stretch;
  }

  nextRow() {
    const { tree, from, width, scaled, frames, rows } = this;
    const first = rows[rows.length - 2], last = rows[rows.length - 1], above = this.starts;
    this.starts = [];
    for (let i = first; i < last; i++) {
      const id = frames.node[i];
      if (id < 0) continue;
      let at = above[i - first];
      for (const child of tree.children(id)) {
        const value = tree.value(child);
        const x = (at - from) * scaled, w = value * scaled;
        if (x >= width) break;
        if (w < THIN) {
          // The others are no wider: a shade shows that there are some.
          const rest = this.restOf(id, scaled) * scaled;
          if (rest > 1 && x + rest > 0) this.put(-1, x, rest, at);
          break;
        }
        if (x + w > 0) this.put(child, x, w, at);
        at += value;
      }
    }
    this.done = this.used === last || this.used > MOST_FRAMES;
    if (this.used > last) rows.push(this.used);
  }

  /** The weight of the children that are too thin to be drawn. */
  restOf(id, scale) {
    const { tree } = this, list = tree.children(id);
    let sum = 0;
    for (let i = list.length - 1; i >= 0; i--) {
      const value = tree.value(list[i]);
      if (value * scale >= THIN) break;
      sum += value;
    }
    return sum;
  }

  // --- scrolling ----------------------------------------------------------------------------------

  /** Pixels of content per pixel of the scroll bar. */
  get stretch() {
    const range = this.scroller.scrollHeight - this.height;
    return range > 0 ? Math.max(1, (this.tall - this.height) / range) : 1;
  }
  get top() { return this.scroller.scrollTop * this.stretch; }

  /** Where a row is drawn. */
  y(row) {
    const at = this.upwards ? Math.max(this.tall, this.height) - (row + 1) * ROW - 2 : row * ROW + 2;
    return at - this.top;
  }
  rowAt(y) {
    const at = y + this.top;
    return Math.floor((this.upwards ? Math.max(this.tall, this.height) - at - 2 : at - 2) / ROW);
  }

  /** Brings a row into view, with a few callers' rows before it. */
  scrollTo(row) {
    this.extend(row + Math.ceil(this.height / ROW) + 1);
    const at = this.upwards ? this.tall - (row + 1) * ROW - 2 : row * ROW + 2;
    const margin = Math.min(3 * ROW, this.height / 3);
    const { top, height } = this;
    if (at - top < margin) this.scroller.scrollTop = (at - margin) / this.stretch;
    else if (at + ROW - top > height - margin) this.scroller.scrollTop = (at + ROW - height + margin) / this.stretch;
    this.draw();
  }

  depth(id) {
    let n = 0;
    for (let p = this.tree.parent(id); p >= 0; p = this.tree.parent(p)) n++;
    return n;
  }

  /** Where a node begins, in weight. */
  start(id) {
    let at = 0;
    for (let p = this.tree.parent(id); p >= 0; id = p, p = this.tree.parent(p)) {
      for (const child of this.tree.children(p)) {
        if (child === id) break;
        at += this.tree.value(child);
      }
    }
    return at;
  }

  // --- moving about -------------------------------------------------------------------------------

  /** Shows the range of weights, gliding there. */
  range(from, to, row) {
    const whole = this.tree.value(this.tree.root);
    const least = Math.min(whole, Math.max(1e-9 * whole, 1e-6));
    if (to - from < least) to = from + least;
    const span = Math.min(to - from, whole);
    from = Math.min(Math.max(0, from), whole - span);
    to = from + span;
    const start = performance.now(), a = this.from, b = this.to;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || this.used > 1 << 17;
    cancelAnimationFrame(this.gliding);
    const step = (now) => {
      const t = calm || row === undefined ? 1 : Math.min(1, (now - start) / 180);
      const ease = t * (2 - t);
      this.from = t < 1 ? a + (from - a) * ease : from;
      this.to = t < 1 ? b + (to - b) * ease : to;
      this.layOut();
      if (t < 1) this.gliding = requestAnimationFrame(step);
      else {
        if (row !== undefined) this.scrollTo(row);
        this.on.moved();
      }
    };
    if (calm || row === undefined) step(start);
    else this.gliding = requestAnimationFrame(step);
  }

  /** Shows a range at once, and a node in it or -1. */
  place(from, to, id) {
    const whole = this.tree.value(this.tree.root);
    cancelAnimationFrame(this.gliding);
    [this.from, this.to] = from < to && from >= 0 && to <= whole ? [from, to] : [0, whole];
    this.select(id);
    this.layOut();
    this.scrollTo(id < 0 ? 0 : this.depth(id));
  }

  zoom(id) {
    if (id < 0) return;
    this.select(id);
    const start = this.start(id);
    this.range(start, start + this.tree.value(id), this.depth(id));
  }

  reset() { this.zoom(this.tree.root); this.select(-1); }

  /** Selects a node and makes sure that it can be seen. */
  reveal(id) {
    this.select(id);
    const width = () => (this.tree.value(id) * this.width) / (this.to - this.from);
    const start = this.start(id), end = start + this.tree.value(id);
    const row = this.depth(id);
    if (width() >= 24 && end > this.from && start < this.to) return this.scrollTo(row);
    // The nearest caller in which it is wide enough.
    let whole = id;
    for (let p = this.tree.parent(id); p >= 0 && this.tree.value(id) / this.tree.value(p) > 0.12; p = this.tree.parent(p)) whole = p;
    const at = this.start(whole);
    this.range(at, at + this.tree.value(whole), row);
  }

  select(id) {
    this.selected = id;
    this.marked = -1;
    this.on.select(id);
    this.draw();
  }

  /** Marks all frames of a method. */
  mark(method) {
    this.selected = -1;
    this.marked = method;
    this.draw();
  }

  /** Marks the matches, and their share of a frame: a matching call may be too thin to be seen. */
  highlight(matches, within) {
    this.matches = matches;
    this.within = within;
    this.draw();
  }

  flip(upwards) {
    this.upwards = upwards;
    this.scroller.scrollTop = upwards ? this.scroller.scrollHeight : 0;
    this.layOut();
  }

  /** The node under a point of the canvas, or -1. */
  at(x, y) {
    const row = this.rowAt(y);
    if (row < 0 || row >= this.rows.length - 1) return -1;
    const { x: xs, w, node } = this.frames;
    let low = this.rows[row], high = this.rows[row + 1] - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (xs[middle] <= x) low = middle;
      else high = middle - 1;
    }
    return xs[low] <= x && x < xs[low] + Math.max(w[low], 1) ? node[low] : -1;
  }

  /** Arrow keys. */
  move(key) {
    const { tree } = this, id = this.selected < 0 ? tree.root : this.selected;
    const down = this.upwards ? "ArrowUp" : "ArrowDown", up = this.upwards ? "ArrowDown" : "ArrowUp";
    let to = -1;
    if (this.selected < 0) to = tree.root;
    else if (key === up) to = tree.parent(id);
    else if (key === down) to = tree.children(id)[0] ?? -1;
    else {
      const parent = tree.parent(id);
      if (parent < 0) return;
      const list = tree.children(parent), i = list.indexOf(id);
      to = list[key === "ArrowLeft" ? i - 1 : i + 1] ?? -1;
    }
    if (to >= 0) this.reveal(to);
  }

  // --- drawing ------------------------------------------------------------------------------------

  restyle() {
    const get = kit.colour;
    this.style = {
      paper: get("--paper"), ink: get("--ink"), faint: get("--faint"), line: get("--line"),
      accent: get("--accent"), hit: get("--hit"), hitInk: get("--panel"),
      font: `12px ${getComputedStyle(document.body).fontFamily}`, dark: kit.dark(),
    };
    this.fills = [];
    this.widths.clear();
    this.draw();
  }

  fill(method) {
    return (this.fills[method] ??= color(this.model, method, this.style.dark));
  }

  draw() {
    if (this.wanted) return;
    this.wanted = requestAnimationFrame(() => {
      this.wanted = 0;
      this.drawNow();
    });
  }

  drawNow() {
    if (!this.tree || !this.style) return;
    const c = this.context, { width, height, style, frames, tree, matches } = this;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = style.paper;
    c.fillRect(0, 0, width, height);
    c.font = style.font;
    c.textBaseline = "middle";
    const a = this.rowAt(0), b = this.rowAt(height - 1);
    const first = Math.max(0, Math.min(a, b)), last = Math.min(this.rows.length - 2, Math.max(a, b));
    const same = this.selected >= 0 ? tree.method(this.selected) : this.marked;
    const outlines = [];
    for (let row = first; row <= last; row++) {
      const y = this.y(row);
      for (let i = this.rows[row]; i < this.rows[row + 1]; i++) {
        const id = frames.node[i];
        const left = Math.max(0, frames.x[i]), right = Math.min(width, frames.x[i] + frames.w[i]);
        const w = right - left;
        if (id < 0) {
          c.globalAlpha = 0.5;
          c.fillStyle = style.line;
          c.fillRect(left, y, w, ROW - 1);
          c.globalAlpha = 1;
          continue;
        }
        const method = tree.method(id);
        const hit = matches !== null && matches[method];
        if (matches !== null && !hit) c.globalAlpha = 0.35;
        c.fillStyle = hit ? style.hit : this.fill(method);
        c.fillRect(left, y, w > 3 ? w - 1 : Math.max(w, 0.5), ROW - 1);
        if (w > 28) {
          c.fillStyle = hit ? style.hitInk : style.ink;
          c.fillText(this.label(method, w - 10), left + 5, y + ROW / 2);
        }
        c.globalAlpha = 1;
        const share = matches === null || hit ? 0 : this.within(id);
        if (share > 0) {
          c.fillStyle = style.hit;
          c.fillRect(left, y + ROW - 4, Math.max(share * (w > 3 ? w - 1 : w), 0.5), 3);
        }
        if (id === this.hovered || id === this.selected) outlines.push([left, y, w, id === this.selected ? 2 : 1.5, style.ink]);
        else if (method === same && w > 3) outlines.push([left, y, w, 1.5, style.accent]);
        else if (method === same) {
          c.fillStyle = style.accent;
          c.fillRect(left, y, Math.max(w, 1), ROW - 1);
        }
      }
    }
    for (const [x, y, w, line, stroke] of outlines) {
      c.strokeStyle = stroke;
      c.lineWidth = line;
      c.strokeRect(x + line / 2, y + line / 2 - 0.5, Math.max(w - line - 0.5, 0.5), ROW - line);
    }
  }

  /** The most explicit name that fits. */
  label(method, room) {
    let known = this.widths.get(method);
    if (!known) {
      const names = [this.model.name(method), ...this.model.shortNames(method)];
      known = names.map((name) => [name, this.context.measureText(name).width]);
      this.widths.set(method, known);
    }
    for (const [name, width] of known) if (width <= room) return name;
    const [name, width] = known[known.length - 1];
    const fit = Math.floor((name.length * room) / width) - 1;
    return fit > 1 ? `${name.slice(0, fit)}…` : "";
  }

  // --- events -------------------------------------------------------------------------------------

  listen() {
    const { canvas, scroller } = this;
    const point = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const weights = () => (this.to - this.from) / this.width;
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button === 0) drag = { x: event.clientX, y: event.clientY, from: this.from, moved: false, scroll: scroller.scrollTop };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag && event.buttons & 1) {
        const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
        if (!drag.moved && Math.hypot(dx, dy) < 4) return;
        if (!drag.moved) canvas.setPointerCapture(event.pointerId);
        drag.moved = true;
        canvas.style.cursor = "grabbing";
        this.on.hover(-1);
        scroller.scrollTop = drag.scroll - dy / this.stretch;
        const from = drag.from - dx * weights();
        this.range(from, from + (this.to - this.from));
        return;
      }
      const id = this.at(...point(event));
      canvas.style.cursor = id >= 0 ? "pointer" : "default";
      this.on.hover(id, event.clientX, event.clientY);
      if (id !== this.hovered) {
        this.hovered = id;
        this.draw();
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      const moved = drag?.moved;
      drag = null;
      canvas.style.cursor = "default";
      if (!moved && event.button === 0) this.zoom(this.at(...point(event)));
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = -1;
      this.on.hover(-1);
      this.draw();
    });
    scroller.addEventListener("wheel", (event) => {
      const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        this.scale(Math.exp(event.deltaY * 0.003), point(event)[0]);
      } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        event.preventDefault();
        const by = sideways * weights();
        this.range(this.from + by, this.to + by);
      }
    }, { passive: false });
    scroller.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.resize()).observe(scroller);
  }

  /** Zooms by a factor around a point. */
  scale(factor, x = this.width / 2) {
    const at = this.from + (x * (this.to - this.from)) / this.width;
    this.range(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }
}

/** Calm colours: the hue shows the kind of a method, the shade its class. */
function color(model, method, dark) {
  const text = model.classes[method] || model.rests[method];
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  const a = ((hash >>> 3) & 255) / 255 - 0.5, b = ((hash >>> 13) & 255) / 255 - 0.5;
  const [hue, spread, saturation] = HUES[model.sort(method)];
  return dark
    ? `hsl(${hue + a * spread} ${saturation * 0.55}% ${30 + b * 7}%)`
    : `hsl(${hue + a * spread} ${saturation}% ${80 + b * 8}%)`;
}
const HUES = {
  application: [32, 22, 86], library: [212, 26, 46], native: [152, 18, 36], hidden: [276, 24, 42], outside: [220, 0, 8],
};
