//! Two profiles side by side: what changed in which method and context, and how much they overlap.

use crate::alike::{Common, Renamed};
use crate::method::{MethodInfo, readable_names};
use crate::profile::{Kind, Profile};
use crate::table::{MethodTotals, by_method};
use crate::tree::{Allocation, Node, Rule, Tree, TreeError, regroup, site_order};
use std::collections::BTreeMap;

/// Two profiles, threads merged, whose contexts and methods are matched. Contexts are separate
/// by call site if they are in both.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The methods of both, in the order of their labels.
    pub methods: Vec<MethodInfo>,
    /// Of these, by index, methods whose names are numbers of a compiler's and are not the same in both, or are in one
    /// alone.
    pub numbered: BTreeMap<u32, Renamed>,
    /// Where such methods come from is not known of both profiles: those with the same number were compared.
    pub by_number: bool,
    /// Are contexts kept apart by call site?
    pub call_sites: bool,
    /// The contexts of the first profile.
    pub before: Tree,
    /// The contexts of the second profile.
    pub after: Tree,
    kinds: [Kind; 2],
    /// For each node of both trees the bytecodes below it and its own.
    inclusive: [Vec<u64>; 2],
}

/// Counters before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// In the first profile.
    pub before: u64,
    /// In the second profile.
    pub after: u64,
}

impl Change {
    /// Are both the same?
    pub fn is_none(&self) -> bool {
        self.before == self.after
    }

    /// The second less the first.
    pub fn difference(&self) -> i128 {
        i128::from(self.after) - i128::from(self.before)
    }
}

/// What became of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodChange {
    /// Index into [`Comparison::methods`].
    pub method: u32,
    /// Bytecodes executed in the method itself.
    pub bytecodes: Change,
    /// Bytecodes executed in the method and in what it called; recursive calls count once.
    pub inclusive: Change,
    /// Invocations; in a samples profile, samples.
    pub invocations: Change,
    /// Objects allocated in the method itself, if that was recorded.
    pub objects: Change,
    /// Bytes allocated in the method itself, if that was recorded.
    pub bytes: Change,
}

/// What became of a context: at least one of the nodes is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextPair {
    /// Its node in [`Comparison::before`].
    pub before: Option<u32>,
    /// Its node in [`Comparison::after`].
    pub after: Option<u32>,
}

/// The unit of matching for an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlapBy {
    /// Calling contexts: full call stacks.
    Contexts,
    /// Methods.
    Methods,
}

impl Comparison {
    /// Matches two profiles.
    pub fn new(before: &Profile, after: &Profile) -> Result<Comparison, TreeError> {
        Comparison::with(before, after, Common::of(&[before, after]))
    }

    /// Matches two profiles of the same run, where a name is one method's.
    pub fn of_one_run(before: &Profile, after: &Profile) -> Result<Comparison, TreeError> {
        Comparison::with(before, after, Common::of_one_run(&[before, after]))
    }

    fn with(before: &Profile, after: &Profile, common: Common) -> Result<Comparison, TreeError> {
        let call_sites = before.call_sites && after.call_sites;
        let Common {
            methods,
            renamed,
            numbered,
            by_number,
        } = common;
        let merged = |profile: &Profile, names: &[u32]| {
            let trees: Vec<&Tree> = profile.threads.iter().map(|t| &t.tree).collect();
            let rule = Rule {
                methods: &vec![names; trees.len()],
                ..Rule::all(call_sites)
            };
            Ok(regroup(&trees, &rule)?.tree)
        };
        let trees = [merged(before, &renamed[0])?, merged(after, &renamed[1])?];
        let inclusive = [trees[0].inclusive(), trees[1].inclusive()];
        let [before_tree, after_tree] = trees;
        Ok(Comparison {
            inclusive,
            before: before_tree,
            after: after_tree,
            kinds: [before.kind, after.kind],
            methods,
            numbered,
            by_number,
            call_sites,
        })
    }

    /// All contexts of both, callers before callees.
    pub fn contexts(&self) -> Contexts<'_> {
        Contexts {
            trees: [&self.before, &self.after],
            at: [0, 0],
            ends: vec![[self.before.len() as u32, self.after.len() as u32]],
            alone: None,
        }
    }

    /// All methods that have a context in one of them, in the order of their labels.
    pub fn method_changes(&self) -> Vec<MethodChange> {
        let of = |tree: &Tree| by_method(self.methods.len(), [tree].into_iter());
        let both = of(&self.before).into_iter().zip(of(&self.after));
        let there = both.filter(|(before, after)| before.contexts + after.contexts > 0);
        there
            .map(|(before, after)| {
                let change = |of: fn(&MethodTotals) -> u64| Change {
                    before: of(&before),
                    after: of(&after),
                };
                MethodChange {
                    method: before.method,
                    bytecodes: change(|t| t.bytecodes),
                    inclusive: change(|t| t.inclusive),
                    invocations: change(|t| t.calls),
                    objects: change(|t| t.allocated.objects),
                    bytes: change(|t| t.allocated.bytes),
                }
            })
            .collect()
    }

    /// The names of all methods for people, in their order: as in [`readable_names`](crate::readable_names). A method
    /// whose name is a number of a compiler's, and not the same in both, has its place and what it was called.
    pub fn names(&self) -> Vec<String> {
        let mut names = readable_names(&self.methods);
        let mut meant: BTreeMap<String, u32> = BTreeMap::new();
        for method in self
            .numbered
            .values()
            .flat_map(|r| r.names.iter().flatten())
        {
            *meant.entry(method.label()).or_default() += 1;
        }
        for (&index, renamed) in &self.numbered {
            let [before, after] = [&renamed.names[0], &renamed.names[1]];
            let Some(method) = after.as_ref().or(before.as_ref()) else {
                continue;
            };
            let mut message: Vec<String> = method.place().into_iter().collect();
            match (before, after) {
                (Some(before), Some(after)) if before.class == after.class => {
                    message.push(format!("before: {}", before.name));
                }
                (Some(before), Some(after)) if before.name == after.name => {
                    message.push(format!("before: {}", before.class));
                }
                (Some(before), Some(_)) => {
                    message.push(format!("before: {}.{}", before.class, before.name));
                }
                _ if renamed.in_doubt => message.push("in doubt".into()),
                // nothing else is called so on the other side
                _ if meant[&method.label()] < 2 => continue,
                (Some(_), None) => message.push("gone".into()),
                _ => message.push("new".into()),
            }
            names[index as usize] = format!("{} [{}]", method.readable(), message.join(", "));
        }
        names
    }

    /// Bytecodes of a context before and after.
    pub fn bytecodes(&self, pair: ContextPair) -> Change {
        self.change(pair, |node| node.bytecodes)
    }

    /// Bytecodes of a context and of what it called, before and after.
    pub fn inclusive(&self, pair: ContextPair) -> Change {
        let of = |side: usize, node: Option<u32>| {
            node.map_or(0, |index| self.inclusive[side][index as usize])
        };
        Change {
            before: of(0, pair.before),
            after: of(1, pair.after),
        }
    }

    /// Objects and bytes allocated in a context before and after, if that was recorded.
    pub fn allocated(&self, pair: ContextPair) -> [Change; 2] {
        let of = |tree: &Tree, node: Option<u32>| {
            node.map_or(Allocation::default(), |index| tree.allocation(index))
        };
        let (before, after) = (of(&self.before, pair.before), of(&self.after, pair.after));
        [
            Change {
                before: before.objects,
                after: after.objects,
            },
            Change {
                before: before.bytes,
                after: after.bytes,
            },
        ]
    }

    /// Invocations of a context before and after.
    pub fn invocations(&self, pair: ContextPair) -> Change {
        self.change(pair, |node| node.invocations)
    }

    fn change(&self, pair: ContextPair, counter: impl Fn(&Node) -> u64) -> Change {
        let of = |tree: &Tree, node: Option<u32>| {
            node.map_or(0, |index| counter(&tree.nodes()[index as usize]))
        };
        Change {
            before: of(&self.before, pair.before),
            after: of(&self.after, pair.after),
        }
    }

    /// A context and its callers as (call site, method), the context first.
    pub fn callers(&self, pair: ContextPair) -> impl Iterator<Item = (Option<u32>, u32)> + use<'_> {
        let (tree, at) = match pair.before {
            Some(_) => (&self.before, pair.before),
            None => (&self.after, pair.after),
        };
        let node = |index: u32| &tree.nodes()[index as usize];
        let up = std::iter::successors(at, move |&index| node(index).parent());
        up.map(move |index| (node(index).site(), node(index).method))
    }

    /// The path of a context as (call site, method), root first.
    pub fn path(&self, pair: ContextPair) -> Vec<(Option<u32>, u32)> {
        let mut path: Vec<_> = self.callers(pair).collect();
        path.reverse();
        path
    }

    /// The overlap percentage of sampling profiles and exact ones, as a number from 0 to 1: the
    /// sum over what both have of the smaller share in all computation. The computation of an
    /// exact profile is counted in bytecodes, the computation of a samples profile in samples. Profiles
    /// without any overlap fully if both are so.
    ///
    /// ```
    /// use rjvm_profiler::{Comparison, OverlapBy, export::paths};
    ///
    /// let one = paths::read(&mut &b"A.f()V\t1\t75\nA.f()V;A.g()V\t1\t25\n"[..])?;
    /// let two = paths::read(&mut &b"A.f()V\t1\t50\nA.g()V\t1\t50\n"[..])?;
    /// let both = Comparison::new(&one, &two)?;
    /// assert_eq!(both.overlap(OverlapBy::Contexts), 0.5);
    /// assert_eq!(both.overlap(OverlapBy::Methods), 0.75);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap(&self, by: OverlapBy) -> f64 {
        let counters: [fn(&Node) -> u64; 2] = self.kinds.map(|kind| match kind {
            Kind::Exact => (|node: &Node| node.bytecodes) as fn(&Node) -> u64,
            Kind::Samples => |node: &Node| node.invocations,
        });
        let trees = [&self.before, &self.after];
        let sum = |side: usize| {
            let nodes = trees[side].nodes().iter();
            nodes.map(|n| u128::from(counters[side](n))).sum::<u128>()
        };
        let totals = [sum(0), sum(1)];
        match totals {
            [0, 0] => return 1.0,
            [0, _] | [_, 0] => return 0.0,
            _ => {}
        }
        // Shares are compared as cross products, so that equal profiles overlap by exactly 1.
        let [a, b] = totals;
        let smaller = |[x, y]: [u128; 2]| {
            if x.saturating_mul(b) <= y.saturating_mul(a) {
                [x, 0]
            } else {
                [0, y]
            }
        };
        let mut common = [0u128; 2];
        let mut add = |pair: [u128; 2]| {
            let [x, y] = smaller(pair);
            common[0] += x;
            common[1] += y;
        };
        match by {
            OverlapBy::Contexts => {
                for pair in self.contexts() {
                    if let (Some(before), Some(after)) = (pair.before, pair.after) {
                        let count = |side: usize, node: u32| {
                            u128::from(counters[side](&trees[side].nodes()[node as usize]))
                        };
                        add([count(0, before), count(1, after)]);
                    }
                }
            }
            OverlapBy::Methods => {
                let mut sums = vec![[0u128; 2]; self.methods.len()];
                for side in 0..2 {
                    for node in trees[side].nodes() {
                        sums[node.method as usize][side] += u128::from(counters[side](node));
                    }
                }
                sums.into_iter().for_each(add);
            }
        }
        (common[0] as f64 / a as f64 + common[1] as f64 / b as f64).min(1.0)
    }
}

/// See [`Comparison::contexts`]. Both trees are in the same order, so one scan of each matches
/// them.
#[derive(Clone, Debug)]
pub struct Contexts<'a> {
    trees: [&'a Tree; 2],
    at: [u32; 2],
    /// Where the children of the matched contexts that are open end.
    ends: Vec<[u32; 2]>,
    /// A subtree that only one side has, up to an index.
    alone: Option<(usize, u32)>,
}

impl Iterator for Contexts<'_> {
    type Item = ContextPair;

    fn next(&mut self) -> Option<ContextPair> {
        loop {
            if let Some((side, end)) = self.alone {
                if self.at[side] < end {
                    let node = Some(self.at[side]);
                    self.at[side] += 1;
                    return Some(match side {
                        0 => ContextPair {
                            before: node,
                            after: None,
                        },
                        _ => ContextPair {
                            before: None,
                            after: node,
                        },
                    });
                }
                self.alone = None;
            }
            let ends = *self.ends.last()?;
            let key = |side: usize| {
                let node = (self.at[side] < ends[side])
                    .then(|| &self.trees[side].nodes()[self.at[side] as usize])?;
                Some((site_order(node.raw_site()), node.method))
            };
            let side = match (key(0), key(1)) {
                (None, None) => {
                    self.ends.pop();
                    continue;
                }
                (Some(a), Some(b)) if a == b => {
                    let [i, j] = self.at;
                    self.ends.push([self.trees[0].end(i), self.trees[1].end(j)]);
                    self.at = [i + 1, j + 1];
                    return Some(ContextPair {
                        before: Some(i),
                        after: Some(j),
                    });
                }
                (Some(a), Some(b)) => usize::from(a > b),
                (Some(_), None) => 0,
                (None, Some(_)) => 1,
            };
            self.alone = Some((side, self.trees[side].end(self.at[side])));
        }
    }
}
