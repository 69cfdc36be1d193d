//! Adds profiles up.

use crate::alike::{Common, Renamed};
use crate::profile::{About, Profile, ThreadProfile};
use crate::tree::{Rule, Tree, TreeError, regroup};
use std::collections::BTreeMap;

/// Why profiles cannot be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Counters mean different things.
    #[error("cannot merge exact and sampled profiles")]
    Kinds,
    /// The sum has too many contexts.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// The facts that all of them share.
fn common_about(profiles: &[&Profile]) -> About {
    let Some((first, rest)) = profiles.split_first() else {
        return About::new();
    };
    let common = |line: &&(String, String)| rest.iter().all(|p| p.about.contains(line));
    first.about.iter().filter(common).cloned().collect()
}

/// What [`Profile::merge`] makes of methods whose names are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renumbered {
    /// Those whose names differ between the profiles, or that may not be the same ones.
    pub methods: Vec<Renamed>,
    /// Where they come from is not known: those with the same number are one.
    pub by_number: bool,
}

impl Renumbered {
    /// Looks at profiles that are going to be merged.
    pub fn of(profiles: &[&Profile]) -> Renumbered {
        let common = Common::of(profiles);
        Renumbered {
            methods: common.numbered.into_values().collect(),
            by_number: common.by_number && profiles.len() > 1,
        }
    }
}

impl Profile {
    /// The sum of profiles: counters of equal contexts add up. Threads of equal name and number
    /// become one. Contexts are separate by call site if they are in all profiles.
    ///
    /// ```
    /// use rjvm_profiler::{Profile, export::paths};
    ///
    /// let one = paths::read(&mut &b"A.main()V\t1\t5\n"[..])?;
    /// let two = paths::read(&mut &b"A.main()V\t1\t4\nB.main()V\t1\t3\n"[..])?;
    /// let sum = Profile::merge(&[&one, &two])?;
    /// assert_eq!(sum.method("A.main").unwrap().bytecodes, 9);
    /// assert_eq!(sum.totals().bytecodes, 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(profiles: &[&Profile]) -> Result<Profile, MergeError> {
        let kind = profiles.first().map(|p| p.kind).unwrap_or_default();
        if profiles.iter().any(|p| p.kind != kind) {
            return Err(MergeError::Kinds);
        }
        let call_sites = !profiles.is_empty() && profiles.iter().all(|p| p.call_sites);
        let Common {
            methods, renamed, ..
        } = Common::of(profiles);
        let mut threads: BTreeMap<(u64, Option<&str>), Vec<(usize, &ThreadProfile)>> =
            BTreeMap::new();
        for (profile, p) in profiles.iter().enumerate() {
            for thread in &p.threads {
                let key = (thread.id, thread.name.as_deref());
                threads.entry(key).or_default().push((profile, thread));
            }
        }
        let mut sums = Vec::with_capacity(threads.len());
        for ((id, name), parts) in threads {
            let trees: Vec<&Tree> = parts.iter().map(|(_, t)| &t.tree).collect();
            let names: Vec<&[u32]> = parts.iter().map(|&(p, _)| &renamed[p][..]).collect();
            let rule = Rule {
                methods: &names,
                ..Rule::all(call_sites)
            };
            sums.push(ThreadProfile {
                name: name.map(str::to_owned),
                id,
                tree: regroup(&trees, &rule)?.tree,
                remainder: parts
                    .iter()
                    .fold(0, |sum, (_, t)| t.remainder.saturating_add(sum)),
            });
        }
        Ok(Profile {
            kind,
            call_sites,
            methods,
            threads: sums,
            thread_count: profiles
                .iter()
                .fold(0, |sum, p| p.thread_count.saturating_add(sum)),
            about: common_about(profiles),
        })
    }
}
