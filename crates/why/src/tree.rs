//! Contexts prepared for questions: what each did itself and with all below it, who of the application called it, and
//! series over the windows.

use crate::recording::{Context, Delta, Method, Recording};
use std::collections::BTreeMap;

/// What a context did in the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextTotals {
    /// Bytecodes in it alone.
    pub own: u64,
    /// Bytecodes in it and below it.
    pub inclusive: u64,
    /// How often it was entered.
    pub calls: u64,
    /// Objects allocated in it alone, and in it and below it.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects with those below.
    pub all_objects: u64,
    /// Bytes with those below.
    pub all_bytes: u64,
}

/// A place in the program: a method, and the line in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Index of the method.
    pub method: u32,
    /// Line, if it is known.
    pub line: Option<u32>,
}

/// A recording with what questions need.
pub struct Tree<'a> {
    /// The recording.
    pub run: &'a Recording,
    /// By context.
    pub did: Vec<ContextTotals>,
    /// Frames above each context.
    pub depth: Vec<u32>,
    /// The nearest context at or above each that belongs to the program; itself if there is none.
    near: Vec<u32>,
    /// What that one calls on the way to the context; itself if that one is it.
    entry: Vec<u32>,
    first_child: Vec<u32>,
    children: Vec<u32>,
    /// Bytecodes of the run.
    pub bytecodes: u64,
}

impl<'a> Tree<'a> {
    /// Prepares a recording.
    pub fn new(run: &'a Recording) -> Tree<'a> {
        let n = run.contexts.len();
        let mut did = vec![ContextTotals::default(); n];
        for d in run.windows.iter().flat_map(|w| &w.deltas) {
            let sum = &mut did[d.context as usize];
            sum.inclusive += d.inclusive;
            sum.calls += d.calls;
            sum.objects += d.objects;
            sum.bytes += d.bytes;
        }
        for d in &mut did {
            (d.own, d.all_objects, d.all_bytes) = (d.inclusive, d.objects, d.bytes);
        }
        let mut number = vec![0u32; n + 1];
        for i in (0..n).rev() {
            if let Some(p) = run.contexts[i].parent {
                let (below, above) = (did[i], &mut did[p as usize]);
                above.own = above.own.saturating_sub(below.inclusive);
                above.all_objects += below.all_objects;
                above.all_bytes += below.all_bytes;
                number[p as usize + 1] += 1;
            }
        }
        for i in 0..n {
            number[i + 1] += number[i];
        }
        let first_child = number.clone();
        let mut children = vec![0; first_child[n] as usize];
        let (mut near, mut entry, mut depth) = (vec![0; n], vec![0; n], vec![0; n]);
        for (i, c) in run.contexts.iter().enumerate() {
            (near[i], entry[i]) = (i as u32, i as u32);
            let Some(p) = c.parent else { continue };
            children[number[p as usize] as usize] = i as u32;
            number[p as usize] += 1;
            depth[i] = depth[p as usize] + 1;
            let above = near[p as usize];
            if !run.methods[c.method as usize].app
                && run.methods[run.contexts[above as usize].method as usize].app
            {
                near[i] = above;
                entry[i] = if above == p {
                    i as u32
                } else {
                    entry[p as usize]
                };
            }
        }
        let top = |i: &usize| run.contexts[*i].parent.is_none();
        let bytecodes = (0..n).filter(top).map(|i| did[i].inclusive).sum();
        Tree {
            run,
            did,
            depth,
            near,
            entry,
            first_child,
            children,
            bytecodes,
        }
    }
    /// A context.
    pub fn context(&self, c: u32) -> &'a Context {
        &self.run.contexts[c as usize]
    }
    /// Its method.
    pub fn method(&self, c: u32) -> &'a Method {
        &self.run.methods[self.context(c).method as usize]
    }
    /// Who called it.
    pub fn parent(&self, c: u32) -> Option<u32> {
        self.context(c).parent
    }
    /// What it did.
    pub fn did(&self, c: u32) -> &ContextTotals {
        &self.did[c as usize]
    }
    /// What it called.
    pub fn children(&self, c: u32) -> &[u32] {
        let of = |i: usize| self.first_child[i] as usize;
        &self.children[of(c as usize)..of(c as usize + 1)]
    }
    /// All contexts, callers first.
    pub fn all(&self) -> std::ops::Range<u32> {
        0..self.run.contexts.len() as u32
    }
    /// The topmost contexts for which `is` holds: those that have none of that kind above them.
    pub fn tops(&self, is: impl Fn(&Method) -> bool) -> Vec<u32> {
        let marked: Vec<bool> = self.run.methods.iter().map(is).collect();
        let mut inside = vec![false; self.run.contexts.len()];
        let mut tops = Vec::new();
        for c in self.all() {
            let context = self.context(c);
            let above = context.parent.is_some_and(|p| inside[p as usize]);
            let here = marked[context.method as usize];
            inside[c as usize] = above || here;
            if here && !above {
                tops.push(c);
            }
        }
        tops
    }
    /// Where in the program a context was called: the nearest method of the program, and the line of the call in it. For
    /// contexts of the program themselves, with `itself`, the method and its first line.
    pub fn site(&self, c: u32) -> Site {
        let near = self.near[c as usize];
        let method = self.context(near).method;
        let info = &self.run.methods[method as usize];
        let line = match near == c {
            true => info.first_line(),
            false => self
                .context(self.entry[c as usize])
                .site
                .and_then(|bci| info.line(bci)),
        };
        Site { method, line }
    }
    /// The context of the program that is nearest to a context.
    pub fn near(&self, c: u32) -> u32 {
        self.near[c as usize]
    }
    /// The context through which the program came to this one: called by the program; it may be this context itself.
    pub fn entry(&self, c: u32) -> u32 {
        self.entry[c as usize]
    }
    /// The place of its direct caller, of the application or not.
    pub fn called_from(&self, c: u32) -> Site {
        match self.parent(c) {
            Some(p) if self.method(p).app => {
                let info = self.method(p);
                Site {
                    method: self.context(p).method,
                    line: self.context(c).site.and_then(|bci| info.line(bci)),
                }
            }
            Some(p) => self.site(p),
            None => self.site(c),
        }
    }
    /// Everything at and below these contexts, which are not above one another.
    pub fn below(&self, tops: &[u32]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut open: Vec<u32> = tops.to_vec();
        while let Some(c) = open.pop() {
            found.push(c);
            open.extend_from_slice(self.children(c));
        }
        found.sort_unstable();
        found
    }
    /// What these contexts did in each window, in sum.
    pub fn series(&self, contexts: &[u32]) -> Vec<Delta> {
        let mut wanted = vec![false; self.run.contexts.len()];
        for &c in contexts {
            wanted[c as usize] = true;
        }
        let of = |deltas: &[Delta]| {
            let mut sum = Delta::default();
            for d in deltas.iter().filter(|d| wanted[d.context as usize]) {
                sum.inclusive += d.inclusive;
                sum.calls += d.calls;
                sum.objects += d.objects;
                sum.bytes += d.bytes;
            }
            sum
        };
        self.run.windows.iter().map(|w| of(&w.deltas)).collect()
    }
    /// `Class.method (File.java:12)`
    pub fn show(&self, site: Site) -> String {
        let m = &self.run.methods[site.method as usize];
        let place = match (m.file.as_str(), site.line) {
            ("", _) => m.class.clone(),
            (file, Some(line)) => format!("{file}:{line}"),
            (file, None) => file.to_string(),
        };
        format!("{} ({place})", m.short())
    }
    /// The methods on the way to a context, the root first, at most that many of the innermost.
    pub fn path(&self, c: u32, most: usize) -> Vec<String> {
        let mut path = Vec::new();
        let (mut at, mut site) = (Some(c), None);
        while let Some(c) = at {
            let m = self.method(c);
            let line = match site {
                Some(bci) => m.line(bci),
                None => m.first_line(),
            };
            path.push(self.show(Site {
                method: self.context(c).method,
                line,
            }));
            if path.len() == most {
                break;
            }
            (at, site) = (self.parent(c), self.context(c).site);
        }
        path.reverse();
        path
    }
    /// Sums the costliest by key, most first; equal ones by key.
    pub fn ranked<K: Ord + Clone>(sums: BTreeMap<K, u64>) -> Vec<(K, u64)> {
        let mut all: Vec<(K, u64)> = sums.into_iter().collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all
    }
    /// Bytecodes of each method alone in each window.
    pub fn mixes(&self) -> Vec<crate::phases::Mix> {
        let mut inclusive = vec![0i64; self.run.contexts.len()];
        let of = |deltas: &[Delta]| {
            for d in deltas {
                inclusive[d.context as usize] += d.inclusive as i64;
                if let Some(p) = self.parent(d.context) {
                    inclusive[p as usize] -= d.inclusive as i64;
                }
            }
            let mut mix = crate::phases::Mix::new();
            for d in deltas {
                let own = std::mem::take(&mut inclusive[d.context as usize]);
                if own > 0 {
                    *mix.entry(self.context(d.context).method).or_default() += own as u64;
                }
            }
            for d in deltas {
                if let Some(p) = self.parent(d.context) {
                    inclusive[p as usize] = 0;
                }
            }
            mix
        };
        self.run
            .windows
            .iter()
            .map(|w| &w.deltas[..])
            .map(of)
            .collect()
    }
}
