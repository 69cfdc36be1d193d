//! A profile as data: contexts one by one, by path, and assertions for tests.

use crate::cct::NO_SITE;
use crate::compare::Comparison;
use crate::export::paths;
use crate::method::MethodInfo;
use crate::profile::{Profile, ThreadProfile};
use crate::tree::{Allocation, Counts, Node};

/// A calling context of a profile.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    profile: &'a Profile,
    thread: &'a ThreadProfile,
    index: u32,
}

impl<'a> Context<'a> {
    fn node(&self) -> &'a Node {
        &self.thread.tree.nodes()[self.index as usize]
    }

    /// The thread whose tree it is in.
    pub fn thread(&self) -> &'a ThreadProfile {
        self.thread
    }

    /// Index of its node in the thread's tree.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The method.
    pub fn method(&self) -> &'a MethodInfo {
        &self.profile.methods[self.node().method as usize]
    }

    /// Bytecode index of the call site in the caller's method.
    pub fn site(&self) -> Option<u32> {
        self.node().site()
    }

    /// How often it was entered; in a samples profile, sampled.
    pub fn invocations(&self) -> u64 {
        self.node().invocations
    }

    /// Bytecodes executed in the context itself.
    pub fn bytecodes(&self) -> u64 {
        self.node().bytecodes
    }

    /// Bytecodes executed in the context and all below it.
    pub fn inclusive(&self) -> u64 {
        let tree = &self.thread.tree;
        tree.nodes()[self.index as usize..tree.end(self.index) as usize]
            .iter()
            .fold(0, |sum, node| node.bytecodes.saturating_add(sum))
    }

    /// What it allocated itself.
    pub fn allocation(&self) -> Allocation {
        self.thread.tree.allocation(self.index)
    }

    /// Executions of its bytecodes.
    pub fn counts(&self) -> Counts<'a> {
        self.thread.tree.counts(self.index)
    }

    /// The context that called it.
    pub fn caller(&self) -> Option<Context<'a>> {
        let index = self.node().parent()?;
        Some(Context { index, ..*self })
    }

    /// The contexts it called.
    pub fn callees(&self) -> impl Iterator<Item = Context<'a>> + use<'a> {
        let context = *self;
        let children = self.thread.tree.children(self.index);
        children.map(move |index| Context { index, ..context })
    }

    /// Its path as in the path format, root first.
    pub fn path(&self) -> String {
        let mut elements = Vec::new();
        let mut at = Some(*self);
        while let Some(context) = at {
            elements.push(paths::element(
                self.profile.call_sites,
                context.site(),
                context.method(),
            ));
            at = context.caller();
        }
        elements.reverse();
        elements.join(";")
    }
}

impl Profile {
    /// All contexts, thread by thread, callers before callees.
    ///
    /// ```
    /// use rjvm_profiler::Profile;
    ///
    /// let text = "A.main()V\t1\t5\nA.main()V;A.f()V\t3\t9\n";
    /// let profile = Profile::read(&mut text.as_bytes())?;
    /// let called_often = profile.contexts().find(|c| c.invocations() > 2).unwrap();
    /// assert_eq!(called_often.method().name, "f");
    /// assert_eq!(called_often.path(), "A.main()V;A.f()V");
    /// assert_eq!(called_often.caller().unwrap().inclusive(), 14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contexts(&self) -> impl Iterator<Item = Context<'_>> {
        self.threads.iter().flat_map(move |thread| {
            (0..thread.tree.len() as u32).map(move |index| Context {
                profile: self,
                thread,
                index,
            })
        })
    }

    /// The contexts at a path from the roots. Each element names methods as [`find`](Self::find)
    /// takes them, optionally after `@site:`; without it, any call site matches.
    ///
    /// ```
    /// use rjvm_profiler::Profile;
    ///
    /// let text = "@-1:A.main()V\t1\t5\n@-1:A.main()V;@3:A.f()V\t1\t9\n@-1:A.main()V;@7:A.f()V\t1\t8\n";
    /// let profile = Profile::read(&mut text.as_bytes())?;
    /// assert_eq!(profile.contexts_at(&["A.main", "A.f"]).len(), 2);
    /// assert_eq!(profile.contexts_at(&["A.main", "@7:A.f()V"])[0].bytecodes(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contexts_at(&self, path: &[&str]) -> Vec<Context<'_>> {
        let elements: Vec<(Option<u32>, Vec<u32>)> = path
            .iter()
            .map(|element| {
                let (site, query) = match element.strip_prefix('@').and_then(|e| e.split_once(':'))
                {
                    Some(("-1", query)) => (Some(NO_SITE), query),
                    Some((site, query)) => (site.parse().ok(), query),
                    None => (None, *element),
                };
                (site, self.find(query))
            })
            .collect();
        let mut found = Vec::new();
        let fits = |context: &Context<'_>, depth: usize| {
            let (site, methods) = &elements[depth];
            let node = context.node();
            site.is_none_or(|site| site == node.raw_site()) && methods.contains(&node.method)
        };
        for thread in self.threads.iter().filter(|_| !path.is_empty()) {
            let context = |index| Context {
                profile: self,
                thread,
                index,
            };
            let mut todo: Vec<(usize, Context<'_>)> =
                thread.tree.roots().map(|root| (0, context(root))).collect();
            todo.reverse();
            while let Some((depth, context)) = todo.pop() {
                if !fits(&context, depth) {
                    continue;
                }
                if depth + 1 == path.len() {
                    found.push(context);
                    continue;
                }
                let from = todo.len();
                todo.extend(context.callees().map(|callee| (depth + 1, callee)));
                todo[from..].reverse();
            }
        }
        found
    }

    /// Invocations of the methods that `query` names, see [`find`](Self::find).
    pub fn calls_of(&self, query: &str) -> u64 {
        self.sum_of(query, |node| node.invocations)
    }

    /// Bytecodes executed in the methods that `query` names, see [`find`](Self::find).
    pub fn bytecodes_of(&self, query: &str) -> u64 {
        self.sum_of(query, |node| node.bytecodes)
    }

    fn sum_of(&self, query: &str, counter: impl Fn(&Node) -> u64) -> u64 {
        let methods = self.find(query);
        self.threads
            .iter()
            .flat_map(|thread| thread.tree.nodes())
            .filter(|node| methods.contains(&node.method))
            .fold(0, |sum, node| counter(node).saturating_add(sum))
    }

    /// For tests: panics unless the methods that `query` names were invoked `calls` times.
    ///
    /// ```
    /// # use rjvm_profiler::Profile;
    /// let profile = Profile::read(&mut &b"A.main()V\t1\t5\nA.main()V;A.f(I)V\t3\t9\n"[..])?;
    /// profile.assert_calls("A.f(int)", 3);
    /// profile.assert_bytecodes("A.main", 5);
    /// profile.assert_at_most("A.f", 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn assert_calls(&self, query: &str, calls: u64) {
        let found = self.calls_of(query);
        assert!(
            found == calls,
            "{query} was invoked {found} times, not {calls}"
        );
    }

    /// For tests: panics unless the methods that `query` names executed so many bytecodes.
    #[track_caller]
    pub fn assert_bytecodes(&self, query: &str, bytecodes: u64) {
        let found = self.bytecodes_of(query);
        assert!(
            found == bytecodes,
            "{query} executed {found} bytecodes, not {bytecodes}"
        );
    }

    /// For tests: panics if the methods that `query` names executed more bytecodes, or none: a
    /// limit on a method that did not run guards nothing.
    #[track_caller]
    pub fn assert_at_most(&self, query: &str, bytecodes: u64) {
        let found = self.bytecodes_of(query);
        assert!(found > 0, "{query} executed no bytecode");
        assert!(
            found <= bytecodes,
            "{query} executed {found} bytecodes, more than {bytecodes}"
        );
    }

    /// For tests: panics if the contexts of two profiles differ in invocations, bytecodes or
    /// counts of bytecodes, and shows the first ones that do.
    #[track_caller]
    pub fn assert_same_contexts(&self, other: &Profile) {
        let both = Comparison::new(self, other).expect("two profiles have room for one");
        let mut report = String::new();
        let differ = both.contexts().filter(|&pair| {
            let counts = |tree: &crate::Tree, node| tree.counts(node).collect::<Vec<_>>();
            match (pair.before, pair.after) {
                (Some(a), Some(b)) => {
                    !both.bytecodes(pair).is_none()
                        || !both.invocations(pair).is_none()
                        || counts(&both.before, a) != counts(&both.after, b)
                }
                _ => true,
            }
        });
        for pair in differ.take(10) {
            let elements: Vec<String> = both
                .path(pair)
                .into_iter()
                .map(|(site, method)| {
                    paths::element(both.call_sites, site, &both.methods[method as usize])
                })
                .collect();
            let (bytecodes, calls) = (both.bytecodes(pair), both.invocations(pair));
            report += &format!(
                "\n  {}: {} and {} calls, {} and {} self bytecodes",
                elements.join(";"),
                calls.before,
                calls.after,
                bytecodes.before,
                bytecodes.after
            );
        }
        assert!(report.is_empty(), "contexts differ:{report}");
    }
}
