// The page: brings the parts together.

/** In profiles with more nodes, visiting all of them takes a while. */
const LARGE = 200_000;

function start(model) {
  const { about } = model;
  const state = { root: 0, metric: model.metrics[0], inverted: false };
  let totals = null, matches = null, matched = "", hits = [], hit = -1, chosen = -1;

  const flame = new Flame(model, $("canvas"), $("scroller"), $("spacer"), {
    hover: tip,
    select(id) {
      if (id >= 0) chooseMethod(flame.tree.method(id), false);
      else chooseMethod(-1, false);
      status(id);
      link.changed(true);
    },
    moved: () => link.changed(false),
  });
  const link = new Link(shown, restore);
  const table = new Table(model, $("head"), $("body"), $("rows"), choose, find);
  const goTo = (m) => {
    choose(m);
    table.reveal();
  };
  const details = new Details(model, $("details"), goTo, new Source(model, $("source"), goTo));

  // --- what is shown ------------------------------------------------------------------------------

  /** Does a long task, after the page has had time to say so. */
  let latest = 0;
  async function busy(work) {
    const now = ++latest;
    if (model.size > LARGE) {
      $("busy").textContent = "computing…";
      $("busy").hidden = false;
      await painted();
      // A newer request has come in the meantime, and does it all.
      if (now !== latest) return false;
    }
    work();
    $("busy").hidden = true;
    return true;
  }

  function show() {
    link.changed(true);
    return busy(showNow);
  }

  function showNow() {
    const { root, metric, inverted } = state;
    totals = model.totals(root, metric);
    flame.show(inverted ? new CallerTree(model, root, metric) : new CalleeTree(model, root, metric));
    table.show(totals, metric, model.inclusive(metric)[root]);
    $("callees-tree").setAttribute("aria-checked", !inverted);
    $("callers-tree").setAttribute("aria-checked", inverted);
    $("metric").value = String(model.metrics.indexOf(metric));
    $("thread").value = String(root);
    chosen = -1;
    tip(-1);
    table.select(-1);
    details.nothing();
    status(-1);
    if (matches) search(false);
  }

  /** Shows a method in the table and the details; `mark` marks it in the graph, too. */
  function chooseMethod(m, mark) {
    if (m === chosen && !mark) return;
    chosen = m;
    table.select(m);
    if (m >= 0 && model.isMethod(m)) details.show(m, state.root, state.metric, totals);
    else details.nothing();
    if (mark) flame.mark(m);
  }

  function choose(m) {
    link.changed(true);
    return busy(() => chooseMethod(m, true));
  }

  /** Goes to the heaviest frame of a method. */
  function find(m) {
    const one = new Uint8Array(model.classes.length);
    one[m] = 1;
    const found = flame.tree.search(one).hits;
    if (found.length) flame.reveal(found[0]);
  }

  function describe(id) {
    const { tree } = flame, { metric } = state;
    const whole = tree.value(tree.root), value = tree.value(id), own = tree.ownValue(id);
    const rows = [["Total", `${exact(value)} ${metric.unit}, ${percent(value, whole)}`]];
    if (!state.inverted) rows.push(["Self", `${exact(own)} ${metric.unit}, ${percent(own, whole)}`]);
    const parent = tree.parent(id);
    if (parent >= 0 && tree.parent(parent) >= 0) rows.push([state.inverted ? "Of callee" : "Of caller", percent(value, tree.value(parent))]);
    const calls = tree.calls(id);
    if (calls >= 0 && model.isMethod(tree.method(id)) && metric.id !== "calls") rows.push([model.metrics[1].name, exact(calls)]);
    const site = tree.site(id);
    if (site >= 0) {
      const line = model.line(tree.method(parent), site);
      rows.push(["Call site", `${line ? `line ${line}, ` : ""}bytecode ${site} of the caller`]);
    }
    const place = model.place(tree.method(id));
    if (place) rows.push(["Source", place]);
    return rows;
  }

  function tip(id, x, y) {
    const box = $("tip");
    if (id < 0 || id === undefined) {
      box.hidden = true;
      if (flame.selected < 0) status(-1);
      return;
    }
    if (tip.id !== id || box.hidden) {
      tip.id = id;
      const facts = make("dl", "facts");
      for (const [name, text] of describe(id)) {
        const value = make("dd", "", text);
        value.style.cssText = "grid-column: 2 / 4; text-align: left; color: inherit";
        facts.append(make("dt", "", name), value);
      }
      box.replaceChildren(make("div", "name", model.name(flame.tree.method(id))), facts);
      box.hidden = false;
    }
    const { offsetWidth: w, offsetHeight: h } = box;
    box.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - w - 8))}px`;
    box.style.top = `${y + 18 + h > innerHeight ? Math.max(4, y - h - 12) : y + 18}px`;
  }

  function status(id) {
    const line = $("status");
    if (id < 0) {
      const { tree } = flame;
      line.textContent = tree ? `${exact(tree.value(tree.root))} ${state.metric.unit}; click zooms, / searches, ? shows more` : "";
      return;
    }
    line.replaceChildren(make("b", "", model.name(flame.tree.method(id))), `   ${describe(id).map(([n, t]) => `${n.toLowerCase()} ${t}`).join("   ·   ")}`);
  }

  // --- the link -----------------------------------------------------------------------------------

  /** The state in the link: only values that differ from those at the beginning. */
  function shown() {
    const { root, metric, inverted } = state, { tree } = flame, pairs = [];
    const put = (name, value) => value !== "" && pairs.push([name, value]);
    put("thread", root ? String(model.roots.find(({ node }) => node === root).id) : "");
    put("metric", metric === model.metrics[0] ? "" : metric.id);
    put("tree", inverted ? "callers" : "");
    put("grow", flame.upwards ? "up" : "");
    put("search", $("search").value.trim());
    const whole = tree.value(tree.root), round = (n) => +n.toPrecision(12);
    if (flame.to - flame.from < whole) put("zoom", `${round(flame.from)}-${round(flame.to)}`);
    if (flame.selected >= 0) put("frame", tree.key(flame.selected) || "root");
    else if (chosen >= 0) put("method", model.name(chosen));
    return pairs;
  }

  /** Restores the state in the link; missing and invalid values are as at the beginning. */
  async function restore() {
    const wanted = linked(), text = (name) => wanted.get(name) ?? "";
    state.root = model.roots.length > 1 ? (model.roots.find(({ id }) => String(id) === text("thread"))?.node ?? 0) : 0;
    state.metric = model.metrics.find(({ id }) => id === text("metric")) ?? model.metrics[0];
    state.inverted = text("tree") === "callers";
    $("search").value = text("search");
    await busy(() => {
      if (flame.upwards !== (text("grow") === "up")) flip();
      showNow();
      search();
      const { tree } = flame, [from, to] = text("zoom").split("-").map(Number);
      const frame = text("frame") === "root" ? tree.root : text("frame") ? tree.find(text("frame")) : -1;
      const named = frame < 0 && text("method") ? model.method.find((m) => model.name(m) === text("method")) : undefined;
      flame.place(from, to, frame);
      if (named !== undefined) {
        chooseMethod(named, true);
        table.reveal();
      }
      // The link has it already.
      link.cancel();
    });
  }

  // --- search -------------------------------------------------------------------------------------

  function search(filter = true) {
    link.changed(false);
    const text = $("search").value.trim(), out = $("matched");
    hits = [];
    hit = -1;
    matches = null;
    let wrong = "", within = null;
    if (text) {
      let test;
      const expression = /^\/(.+?)\/?$/.exec(text);
      try {
        if (expression) {
          const regex = new RegExp(expression[1]);
          test = (name) => regex.test(name);
        } else {
          const lower = text.toLowerCase();
          test = (name) => name.toLowerCase().includes(lower);
        }
        matches = new Uint8Array(model.classes.length);
        for (let m = 0; m < matches.length; m++) matches[m] = model.classes[m] || m > model.methodCount ? +(test(model.name(m)) || test(model.place(m))) : 0;
      } catch (error) {
        wrong = "not a regular expression";
        matches = null;
      }
    }
    if (matches) {
      const found = flame.tree.search(matches);
      hits = found.hits;
      within = found.within;
      matched = `${(100 * found.share).toFixed(2)} %`;
      out.textContent = `matched ${matched}`;
      out.title = `${exact(hits.length)} outermost ${hits.length === 1 ? "frame" : "frames"}`;
    } else out.textContent = wrong;
    out.className = wrong || (matches && !hits.length) ? "none" : "";
    $("next").disabled = $("previous").disabled = !hits.length;
    flame.highlight(matches, within);
    if (filter) table.filter(matches);
    else table.matches = matches;
  }

  function go(step) {
    if (!hits.length) return;
    hit = (hit + step + hits.length) % hits.length;
    if (hit < 0) hit = 0;
    flame.reveal(hits[hit]);
    $("matched").textContent = `${matched}, ${exact(hit + 1)} of ${exact(hits.length)}`;
  }

  let typing = 0;
  $("search").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => busy(search), model.size > LARGE ? 180 : 60);
  });
  $("search").addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      clearTimeout(typing);
      if (!hits.length || typing) search();
      typing = 0;
      go(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      $("search").value = "";
      search();
      $("canvas").focus();
    }
  });
  $("next").addEventListener("click", () => go(1));
  $("previous").addEventListener("click", () => go(-1));

  // --- tools --------------------------------------------------------------------------------------

  function invert(inverted) {
    if (state.inverted === inverted) return;
    state.inverted = inverted;
    show();
  }
  function flip() {
    flame.flip(!flame.upwards);
    $("flip").setAttribute("aria-pressed", flame.upwards);
    link.changed(true);
  }
  function reset() {
    if ($("search").value) {
      $("search").value = "";
      search();
    }
    flame.reset();
  }
  function setMetric(i) {
    state.metric = model.metrics[i];
    show();
  }
  kit.onTheme(() => {
    flame.restyle();
    table.draw();
    if (chosen >= 0 && totals) details.show(chosen, state.root, state.metric, totals);
    legend();
  });

  $("callees-tree").addEventListener("click", () => invert(false));
  $("callers-tree").addEventListener("click", () => invert(true));
  $("flip").addEventListener("click", flip);
  $("reset").addEventListener("click", reset);
  $("help-button").addEventListener("click", () => $("help").showModal());

  model.metrics.forEach((metric, i) => $("metric").append(new Option(metric.name, i)));
  $("metric").addEventListener("change", () => setMetric(+$("metric").value));
  if (model.roots.length > 1) {
    $("thread").hidden = false;
    $("thread").append(new Option(`all ${exact(model.roots.length)} threads`, 0));
    const sums = model.inclusive(model.metrics[0]);
    for (const { node, name } of model.roots) $("thread").append(new Option(`${name} (${percent(sums[node], sums[0])})`, node));
    $("thread").addEventListener("change", () => {
      state.root = +$("thread").value;
      show();
    });
  }

  document.addEventListener("keydown", () => tip(-1), true);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || $("source").open) return;
    if (event.target.matches("select, input")) return;
    const onButton = event.target.matches("button");
    const { key } = event;
    const actions = {
      n: () => go(1), N: () => go(-1), c: () => invert(!state.inverted), i: flip,
      m: () => setMetric((model.metrics.indexOf(state.metric) + 1) % model.metrics.length),
      "?": () => $("help").showModal(), 0: reset, Escape: reset,
      "+": () => flame.scale(0.7), "=": () => flame.scale(0.7), "-": () => flame.scale(1 / 0.7),
      Backspace: () => flame.zoom(flame.selected >= 0 ? Math.max(flame.tree.parent(flame.selected), flame.tree.root) : -1),
    };
    if (!onButton) actions.Enter = () => flame.zoom(flame.selected);
    if (event.target === $("canvas") || event.target === document.body) {
      for (const arrow of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) actions[arrow] = () => flame.move(arrow);
      const page = (by) => () => ($("scroller").scrollTop += by * flame.height);
      Object.assign(actions, { PageDown: page(0.9), PageUp: page(-0.9), Home: page(-1e9), End: page(1e9) });
    }
    if (Object.hasOwn(actions, key)) {
      event.preventDefault();
      actions[key]();
    }
  });

  const splitter = $("splitter"), flameBox = $("flame");
  const setHeight = (h) => (flameBox.style.flexBasis = `${Math.max(80, Math.min(h, document.querySelector("main").clientHeight - 120))}px`);
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    const offset = event.clientY - flameBox.clientHeight;
    splitter.onpointermove = (move) => setHeight(move.clientY - offset);
  });
  splitter.addEventListener("pointerup", () => (splitter.onpointermove = null));
  splitter.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -40, ArrowDown: 40 }[event.key];
    if (by) {
      event.preventDefault();
      event.stopPropagation();
      setHeight(flameBox.clientHeight + by);
    }
  });

  // --- the manifest -------------------------------------------------------------------------------

  function legend() {
    const names = { application: "application", library: "class library", native: "native method", hidden: "hidden or generated class" };
    const dark = kit.dark();
    $("legend").replaceChildren(
      ...Object.entries(names).map(([sort, name]) => {
        const dot = make("span", "dot");
        const [hue, , saturation] = HUES[sort];
        dot.style.background = dark ? `hsl(${hue} ${saturation * 0.55}% 30%)` : `hsl(${hue} ${saturation}% 80%)`;
        return make("span", "", dot, name);
      }),
    );
  }
  const { totals: sums } = about;
  const kind = about.kind === "samples" ? "sampled" : "exact";
  const plural = (n, name) => `${exact(n)} ${name}${n === 1 ? "" : "s"}`;
  const counted = about.kind === "samples" ? "sample" : "call";
  $("totals").textContent = [
    kind, model.unit === "bytecodes" ? plural(sums.bytecodes, "bytecode") : `${exact(sums.bytecodes)} ${model.unit}`, plural(sums.calls, counted), plural(sums.contexts, "context"), plural(sums.threads, "thread"),
  ].join(" · ");
  const manifest = [
    ["Kind", kind === "exact" ? "exact: every call and every bytecode was counted" : "sampled"],
    ["Call sites", about.callSites ? "kept apart" : "merged"],
    [model.metrics[0].name, exact(sums.bytecodes)],
    [model.metrics[1].name, exact(sums.calls)],
    ["Calling contexts", `${exact(sums.contexts)}, at most ${exact(model.deepest)} deep`],
    ["Methods", exact(model.methodCount)],
    ["Threads", exact(sums.threads) + (sums.threads > 1 && model.roots.length === 0 ? ", merged" : "")],
  ];
  if (about.allocations) manifest.push(["Allocated", `${plural(sums.objects, "object")}, ${plural(sums.allocatedBytes, "byte")}`]);
  if (about.counts) manifest.push(["Single bytecodes", "counted: see a method's details"]);
  if (model.texts.size) {
    const { leftOut, missing } = about.sources;
    const rest = [leftOut && `${exact(leftOut)} did not fit`, missing && `${exact(missing)} were not found`].filter(Boolean);
    manifest.push(["Source text", `of ${plural(model.texts.size, "file")} with expensive methods${rest.length ? `; ${rest.join(", ")}` : ""}`]);
  }
  manifest.push(...about.run);
  for (const [name, text] of manifest) $("manifest").append(make("dt", "", name), make("dd", "", text));

  $("next").disabled = $("previous").disabled = true;
  flame.resize();
  flame.restyle();
  legend();
  return restore();
}

/** Reads the profile in pieces: in between, the page shows the progress. */
async function read() {
  await painted();
  const bytes = await unpack($("data").textContent);
  const model = new Model();
  let since = performance.now();
  for (const share of model.read(bytes)) {
    if (performance.now() - since < 80) continue;
    $("busy").textContent = `reading… ${Math.floor(100 * share)} %`;
    await painted();
    since = performance.now();
  }
  $("busy").textContent = "computing…";
  await painted();
  await start(model);
}

read().catch((error) => {
  $("busy").hidden = true;
  $("totals").textContent = `Cannot read the profile: ${error.message}`;
  throw error;
});
