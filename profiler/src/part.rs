//! Parts of a profile: the work of some methods, the contexts below the outermost ones, the bytecodes executed since an earlier
//! look at the same run.

use crate::alike::Common;
use crate::compare::Comparison;
use crate::method::MethodInfo;
use crate::profile::{Profile, ThreadProfile};
use crate::tree::{Allocation, Extra, Rule, Tree, TreeError, TreeWriter, regroup};

impl Profile {
    /// The contexts of the methods that `is` names, with their subtrees and without their callers. Contexts of such a method
    /// below another such context stay where they are. Counts of single bytecodes are left out.
    ///
    /// ```
    /// use rjvm_profiler::{Profile, export::paths};
    ///
    /// let all = b"A.main()V\t1\t5\nA.main()V;B.f()V\t2\t7\nA.main()V;B.f()V;C.g()V\t3\t1\nC.g()V\t1\t1\n";
    /// let all = paths::read(&mut &all[..])?;
    /// let part = all.below(|m| m.class == "B")?;
    /// let expected = paths::read(&mut &b"B.f()V\t2\t7\nB.f()V;C.g()V\t3\t1\n"[..])?;
    /// assert_eq!(part.threads[0].tree, expected.threads[0].tree);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are too many contexts.
    pub fn below(&self, is: impl Fn(&MethodInfo) -> bool) -> Result<Profile, TreeError> {
        let is: Vec<bool> = self.methods.iter().map(is).collect();
        self.rooted(&|_| false, |tree| {
            let mut roots = Vec::new();
            let mut at = 0;
            while let Some(node) = tree.nodes().get(at as usize) {
                at = match is[node.method as usize] {
                    true => {
                        roots.push(at);
                        tree.end(at)
                    }
                    false => at + 1,
                };
            }
            roots
        })
    }

    /// What the outermost contexts have called, without those themselves.
    ///
    /// # Errors
    /// There are too many contexts.
    pub fn without_roots(&self) -> Result<Profile, TreeError> {
        self.rooted(&|_| false, |tree| {
            tree.roots().flat_map(|root| tree.children(root)).collect()
        })
    }

    /// Everything but the contexts of the methods that `is` names, and their subtrees.
    ///
    /// ```
    /// use rjvm_profiler::{Profile, export::paths};
    ///
    /// let all = b"A.f()V\t1\t5\nA.f()V;B.g()V\t2\t7\nA.f()V;B.g()V;C.h()V\t1\t1\nA.f()V;C.h()V\t1\t1\n";
    /// let rest = paths::read(&mut &all[..])?.without(|m| m.class == "B")?;
    /// let expected = paths::read(&mut &b"A.f()V\t1\t5\nA.f()V;C.h()V\t1\t1\n"[..])?;
    /// assert_eq!(rest.threads[0].tree, expected.threads[0].tree);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are too many contexts.
    pub fn without(&self, is: impl Fn(&MethodInfo) -> bool) -> Result<Profile, TreeError> {
        let is: Vec<bool> = self.methods.iter().map(is).collect();
        self.rooted(&|method| is[method as usize], |tree| tree.roots().collect())
    }

    /// The contexts that `roots` names of each tree, by ascending index, with those below them, but without those of
    /// methods that are `left_out`.
    fn rooted(
        &self,
        left_out: &dyn Fn(u32) -> bool,
        roots: impl Fn(&Tree) -> Vec<u32>,
    ) -> Result<Profile, TreeError> {
        let mut threads = Vec::new();
        for thread in &self.threads {
            let tree = &thread.tree;
            let mut writer = TreeWriter::default();
            for root in roots(tree) {
                let mut open: Vec<u32> = Vec::new();
                let mut next = root;
                while next < tree.end(root) {
                    let at = next;
                    if left_out(tree.nodes()[at as usize].method) {
                        next = tree.end(at);
                        continue;
                    }
                    next += 1;
                    while open.last().is_some_and(|&end| end <= at) {
                        open.pop();
                    }
                    let node = &tree.nodes()[at as usize];
                    let count = Count {
                        invocations: node.invocations,
                        bytecodes: node.bytecodes,
                        allocation: tree.allocation(at),
                    };
                    let site = match at == root {
                        true => crate::cct::NO_SITE,
                        false => node.raw_site(),
                    };
                    count.write(&mut writer, open.len(), node.method, site)?;
                    open.push(tree.end(at));
                }
            }
            let part = writer.finish();
            threads.push(ThreadProfile {
                name: thread.name.clone(),
                id: thread.id,
                tree: regroup(&[&part], &Rule::all(self.call_sites))?.tree,
                remainder: 0,
            });
        }
        Ok(self.with_threads(threads))
    }

    /// The counts since `before`, an earlier profile of the same run, threads merged. Contexts in which nothing was
    /// counted since are left out, unless there is one below. Counts of single bytecodes are left out.
    ///
    /// ```
    /// use rjvm_profiler::{Profile, export::paths};
    ///
    /// let before = paths::read(&mut &b"A.f()V\t1\t5\nA.f()V;B.g()V\t1\t9\nC.h()V\t1\t1\n"[..])?;
    /// let after = paths::read(&mut &b"A.f()V\t1\t5\nA.f()V;B.g()V\t2\t18\nC.h()V\t1\t1\n"[..])?;
    /// let since = after.since(&before)?;
    /// let expected = paths::read(&mut &b"A.f()V;B.g()V\t1\t9\n"[..])?;
    /// assert_eq!(since.threads[0].tree, expected.threads[0].tree);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are too many contexts.
    pub fn since(&self, before: &Profile) -> Result<Profile, TreeError> {
        let mut before = before.clone();
        before.call_sites |= before.methods.is_empty();
        let both = Comparison::of_one_run(&before, self)?;
        // the contexts of the later profile with their depths
        let mut found: Vec<(usize, u32, Count, bool)> = Vec::new();
        let depths: Vec<usize> = both.after.preorder().map(|(depth, _)| depth).collect();
        for pair in both.contexts() {
            let Some(at) = pair.after else { continue };
            let less = |change: crate::Change| change.after.saturating_sub(change.before);
            let [objects, bytes] = both.allocated(pair);
            let count = Count {
                invocations: less(both.invocations(pair)),
                bytecodes: less(both.bytecodes(pair)),
                allocation: Allocation {
                    objects: less(objects),
                    bytes: less(bytes),
                },
            };
            found.push((depths[at as usize], at, count, !count.is_none()));
        }
        // the depth down from which a later context needs its callers
        let mut needed = 0;
        for (depth, _, _, kept) in found.iter_mut().rev() {
            *kept |= *depth < needed;
            needed = match *kept {
                true => *depth,
                false => needed.min(*depth),
            };
        }
        let mut writer = TreeWriter::default();
        for (depth, at, count, _) in found.iter().filter(|f| f.3) {
            let node = &both.after.nodes()[*at as usize];
            count.write(&mut writer, *depth, node.method, node.raw_site())?;
        }
        let thread = ThreadProfile {
            id: self.threads.iter().map(|t| t.id).min().unwrap_or(0),
            tree: writer.finish(),
            ..ThreadProfile::default()
        };
        let methods = Profile {
            methods: both.methods,
            call_sites: both.call_sites,
            ..self.with_threads(Vec::new())
        };
        Ok(methods.with_threads(vec![thread]))
    }

    /// A profile of methods without callers: what each did itself, as bytecodes, calls, objects, bytes.
    ///
    /// # Errors
    /// There are too many.
    pub fn of_methods(
        all: impl IntoIterator<Item = (MethodInfo, [u64; 4])>,
    ) -> Result<Profile, TreeError> {
        let mut profile = Profile::default();
        let mut writer = TreeWriter::default();
        for (method, (info, [bytecodes, invocations, objects, bytes])) in (0u32..).zip(all) {
            let count = Count {
                invocations,
                bytecodes,
                allocation: Allocation { objects, bytes },
            };
            count.write(&mut writer, 0, method, crate::cct::NO_SITE)?;
            profile.methods.push(info);
        }
        let Common {
            methods, renamed, ..
        } = Common::of_one_run(&[&profile]);
        let rule = Rule {
            methods: &[&renamed[0]],
            ..Rule::all(false)
        };
        profile.threads.push(ThreadProfile {
            tree: regroup(&[&writer.finish()], &rule)?.tree,
            ..ThreadProfile::default()
        });
        (profile.methods, profile.thread_count) = (methods, 1);
        Ok(profile)
    }

    fn with_threads(&self, threads: Vec<ThreadProfile>) -> Profile {
        Profile {
            kind: self.kind,
            call_sites: self.call_sites,
            methods: self.methods.clone(),
            threads,
            thread_count: self.thread_count,
            about: self.about.clone(),
        }
        .without_unused_methods()
    }
}

/// The counts of a context.
#[derive(Clone, Copy)]
struct Count {
    invocations: u64,
    bytecodes: u64,
    allocation: Allocation,
}

impl Count {
    fn is_none(&self) -> bool {
        self.invocations == 0 && self.bytecodes == 0 && self.allocation.is_none()
    }

    fn write(
        &self,
        writer: &mut TreeWriter,
        depth: usize,
        method: u32,
        site: u32,
    ) -> Result<(), TreeError> {
        writer.leave_to(depth);
        writer.enter(method, site, self.invocations, self.bytecodes)?;
        let mut extra = Extra::default();
        extra.set_allocation(self.allocation);
        writer.set_extra(&extra);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Profile;
    use crate::export::paths;

    fn profile(text: &str) -> Profile {
        paths::read(&mut text.as_bytes()).expect("the text is a profile")
    }

    #[test]
    fn equal_roots_become_one() {
        let all = profile(
            "A.f()V\t1\t1\nA.f()V;X.m()V\t2\t10\nA.f()V;X.m()V;X.m()V\t1\t3\nB.g()V\t1\t1\nB.g()V;X.m()V\t3\t20\n",
        );
        let part = all.below(|m| m.class == "X").expect("small");
        assert_eq!(
            part.threads[0].tree,
            profile("X.m()V\t5\t30\nX.m()V;X.m()V\t1\t3\n").threads[0].tree
        );
        assert_eq!(part.methods.len(), 1);
    }

    #[test]
    fn the_outermost_contexts_go() {
        let all = profile("A.f()V\t1\t1\nA.f()V;B.g()V\t2\t10\nA.f()V;C.h()V\t1\t3\n");
        let part = all.without_roots().expect("small");
        assert_eq!(
            part.threads[0].tree,
            profile("B.g()V\t2\t10\nC.h()V\t1\t3\n").threads[0].tree
        );
    }

    #[test]
    fn methods_that_came_later_keep_their_names() {
        let before = profile("M.f()V\t1\t1\n");
        let after = profile("A.a()V\t1\t1\nM.f()V\t1\t1\nM.f()V;Z.z()V\t1\t1\nZ.y()V\t0\t0\n");
        let since = after.since(&before).expect("small");
        let labels: Vec<String> = since.methods.iter().map(|m| m.label()).collect();
        assert_eq!(labels, ["A.a()V", "M.f()V", "Z.z()V"]);
        let nodes = since.threads[0].tree.nodes();
        assert_eq!(
            nodes.iter().map(|n| n.method).collect::<Vec<_>>(),
            [0, 1, 2]
        );
    }

    #[test]
    fn only_what_came_later_is_left() {
        let before = profile("A.f()V\t1\t1\nA.f()V;B.g()V\t2\t10\nA.f()V;B.g()V;D.i()V\t1\t1\n");
        let after = profile(
            "A.f()V\t2\t2\nA.f()V;B.g()V\t2\t10\nA.f()V;B.g()V;C.h()V\t1\t3\nA.f()V;B.g()V;D.i()V\t1\t1\nE.j()V\t1\t0\n",
        );
        let since = after.since(&before).expect("small");
        assert_eq!(
            since.threads[0].tree,
            profile(
                "A.f()V\t1\t1\nA.f()V;B.g()V\t0\t0\nA.f()V;B.g()V;C.h()V\t1\t3\nE.j()V\t1\t0\n"
            )
            .threads[0]
                .tree
        );
        assert_eq!(since.since(&since).expect("small").totals().nodes, 0);
        assert_eq!(
            after.since(&Profile::default()).expect("small").totals(),
            after.totals()
        );
    }
}
