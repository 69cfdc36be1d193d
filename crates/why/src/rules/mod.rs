//! The hierarchy of *why*: each rule is a question about a run, and answers with claims. Their common part is here.

mod allocation;
mod calls;
mod classes;
pub mod copies;
mod exceptions;
mod hashing;
pub mod hot;
pub mod io;
mod regex;
mod strings;
mod superlinear;
mod waiting;

use crate::claim::{Claim, Confidence, Evidence, Place, Saving, each, grouped};
use crate::recording::{Delta, Method};
use crate::tree::{Site, Tree};
use std::collections::BTreeMap;

/// What rules look at.
pub struct RuleInput<'a> {
    /// The run.
    pub tree: &'a Tree<'a>,
    /// What all of it costs.
    pub cost: u64,
    /// How many threads executed something.
    pub threads: u64,
    /// Thousandths of the heap that collections found alive, if there were any.
    pub survival: Option<u64>,
}

/// A question about a run.
pub type Rule = fn(&RuleInput<'_>) -> Vec<Claim>;

/// All of them, except for [`hot::rest`], which is asked at last.
pub fn all() -> &'static [Rule] {
    &[
        superlinear::growing_calls,
        superlinear::nested_loops,
        calls::recursion,
        calls::megamorphic,
        calls::reflection,
        hashing::collisions,
        regex::compiled_again,
        exceptions::control_flow,
        strings::building,
        allocation::boxing,
        allocation::sites,
        copies::big,
        classes::loading,
        io::chatty,
        waiting::locks,
    ]
}

/// Contexts that one place of the program has called.
#[derive(Debug)]
struct Group {
    site: Site,
    tops: Vec<u32>,
    calls: u64,
    inclusive: u64,
    objects: u64,
    bytes: u64,
}

impl Group {
    /// What its bytecodes and objects cost.
    fn cost(&self) -> u64 {
        self.inclusive + crate::cost::of_objects(self.objects, self.bytes)
    }
    /// As a saving of that many thousandths of it.
    fn saving(&self, permille: u64, how: &str) -> Saving {
        let part = |n: u64| (u128::from(n) * u128::from(permille) / 1000) as u64;
        Saving {
            cost: part(self.cost()),
            bytecodes: part(self.inclusive),
            objects: part(self.objects),
            bytes: part(self.bytes),
            how: how.into(),
            ..Saving::default()
        }
    }
}

impl RuleInput<'_> {
    /// Contexts by the place in the program that they were called from, the costliest first.
    fn groups(&self, tops: &[u32]) -> Vec<Group> {
        let mut found: BTreeMap<Site, Group> = BTreeMap::new();
        for &c in tops {
            let site = self.tree.called_from(c);
            let did = self.tree.did(c);
            let group = found.entry(site).or_insert_with(|| Group {
                site,
                tops: Vec::new(),
                calls: 0,
                inclusive: 0,
                objects: 0,
                bytes: 0,
            });
            group.tops.push(c);
            group.calls += did.calls;
            group.inclusive += did.inclusive;
            group.objects += did.all_objects;
            group.bytes += did.all_bytes;
        }
        let mut found: Vec<Group> = found.into_values().collect();
        found.sort_by(|a, b| b.cost().cmp(&a.cost()).then(a.site.cmp(&b.site)));
        found
    }
    /// Whether so much is worth a claim: a two-hundredth of the run.
    fn matters(&self, cost: u64) -> bool {
        cost >= self.cost / 200
    }
    /// A claim about contexts, at a place.
    fn claim(
        &self,
        why: [&str; 2],
        title: String,
        sure: Confidence,
        site: Site,
        tops: Vec<u32>,
    ) -> Claim {
        Claim {
            why: why.iter().map(|w| w.to_string()).collect(),
            title,
            place: self.place(site, &tops),
            phases: Vec::new(),
            sure,
            figures: Vec::new(),
            evidence: Vec::new(),
            saving: Saving::default(),
            tops,
        }
    }
    fn place(&self, site: Site, tops: &[u32]) -> Place {
        let m = &self.tree.run.methods[site.method as usize];
        let mut threads: BTreeMap<u32, u64> = BTreeMap::new();
        let mut requests: BTreeMap<u32, u64> = BTreeMap::new();
        for &c in tops {
            let did = self.tree.did(c);
            *threads.entry(self.tree.context(c).thread).or_default() += did.inclusive + did.calls;
            if let Some(r) = self.request(c) {
                *requests.entry(r).or_default() += did.inclusive + did.calls;
            }
        }
        let name = |t: u32| {
            self.tree
                .run
                .threads
                .get(t as usize)
                .cloned()
                .unwrap_or_default()
        };
        let mut names: Vec<String> = Vec::new();
        for (t, _) in Tree::ranked(threads) {
            let name = name(t);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let request = Tree::ranked(requests)
            .first()
            .map(|r| self.tree.run.methods[r.0 as usize].short());
        Place {
            package: m.package().into(),
            class: m.class.clone(),
            method: m.name.clone(),
            file: m.file.clone(),
            line: site.line,
            threads: names,
            request,
        }
    }
    /// The outermost method of the program above a context that serves requests, if it was entered again and again.
    fn request(&self, c: u32) -> Option<u32> {
        let mut found = None;
        let mut at = Some(c);
        while let Some(c) = at {
            let m = self.tree.method(c);
            if m.app && serves(m) && self.tree.did(c).calls >= 3 {
                found = Some(self.tree.context(c).method);
            }
            at = self.tree.parent(c);
        }
        found
    }
    /// The ways to the costliest of these contexts.
    fn ways(&self, tops: &[u32]) -> Evidence {
        let mut tops = tops.to_vec();
        tops.sort_by_key(|&c| (std::cmp::Reverse(self.tree.did(c).inclusive), c));
        let way = |&c: &u32| {
            let did = self.tree.did(c);
            let path = self.tree.path(c, 6).join(" > ");
            format!(
                "{} bytecodes in {} calls: {path}",
                grouped(did.inclusive),
                grouped(did.calls)
            )
        };
        Evidence {
            what: "called along".into(),
            rows: tops.iter().take(3).map(way).collect(),
        }
    }
    /// The methods that the costliest bytecodes at and below these contexts are in.
    fn inside(&self, tops: &[u32]) -> Evidence {
        let mut methods: BTreeMap<u32, u64> = BTreeMap::new();
        for c in self.tree.below(tops) {
            *methods.entry(self.tree.context(c).method).or_default() += self.tree.did(c).own;
        }
        let row = |&(m, n): &(u32, u64)| {
            format!(
                "{} bytecodes in {}",
                grouped(n),
                self.tree.run.methods[m as usize].short()
            )
        };
        let ranked = Tree::ranked(methods);
        let some = ranked.iter().filter(|r| r.1 > 0).take(4);
        Evidence {
            what: "bytecodes are executed in".into(),
            rows: some.map(row).collect(),
        }
    }
}

/// Names that methods have which serve requests.
const SERVE: [&str; 9] = [
    "service",
    "doGet",
    "doPost",
    "handle",
    "handleRequest",
    "onMessage",
    "serve",
    "dispatch",
    "process",
];

fn serves(m: &Method) -> bool {
    SERVE.contains(&m.name.as_str())
}

fn figure(name: &str, value: impl ToString) -> (String, String) {
    (name.into(), value.to_string())
}

/// A figure in all and for each call.
fn figure_each(name: &str, sum: u64, n: u64, of: &str) -> (String, String) {
    (
        name.into(),
        format!("{}, {} for each {of}", grouped(sum), each(sum, n)),
    )
}

/// What a call costs in each quarter of the calls, in the order of time; none if there are too few windows or calls for
/// that to be distinguished.
fn quarters(series: &[Delta], of: impl Fn(&Delta) -> u64) -> Option<[f64; 4]> {
    let calls: u64 = series.iter().map(|d| d.calls).sum();
    if calls < 64 {
        return None;
    }
    let mut sums = [(0u64, 0u64); 4];
    let mut at = 0;
    for d in series {
        // a window belongs to the quarter that its middle is in
        let middle = at + d.calls / 2;
        let q = (u128::from(middle) * 4 / u128::from(calls)).min(3) as usize;
        sums[q].0 += of(d);
        sums[q].1 += d.calls;
        at += d.calls;
    }
    let each = sums.map(|(sum, n)| {
        if n >= 8 {
            Some(sum as f64 / n as f64)
        } else {
            None
        }
    });
    Some([each[0]?, each[1]?, each[2]?, each[3]?])
}

/// Whether quarters show that each call costs more than those before.
fn grows(q: &[f64; 4]) -> bool {
    q.windows(2).all(|w| w[1] > w[0] * 1.1) && q[3] > q[0] * 2.5
}
