// The state of the page, in its link: `#metric=calls&tree=callers&search=get&frame=12`. A step
// is an entry of the browser's history; moving about and typing only change the current one.

/** The state that the link requests: names and texts. */
function linked() {
  return new URLSearchParams(location.hash.slice(1));
}

class Link {
  /** `state` returns the current state, as pairs; `restore` shows the state in the link. */
  constructor(state, restore) {
    this.state = state;
    this.waiting = 0;
    this.step = false;
    addEventListener("hashchange", () => {
      this.cancel();
      restore();
    });
  }

  /** Updates the link soon. */
  changed(step) {
    this.step ||= step;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.write(), 250);
  }

  cancel() {
    clearTimeout(this.waiting);
    this.step = false;
  }

  write() {
    const text = new URLSearchParams(this.state()).toString();
    const step = this.step;
    this.cancel();
    if (text === linked().toString()) return;
    const url = text ? `#${text}` : location.pathname + location.search;
    try {
      history[step ? "pushState" : "replaceState"](null, "", url);
    } catch {
      // A page that was not opened from a file or a server may have no link of its own.
    }
  }
}

/** Resolves when the browser has had time to paint; a page in the background never paints. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
  });
}
