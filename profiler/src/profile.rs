//! Profiles as plain data: methods, threads and their trees; building them, viewing them.

use crate::cct::{TRUNCATED, Visit, Walk};
use crate::method::{MethodInfo, label_ranks};
use crate::numbers::grouped;
use crate::origin;
use crate::source::Source;
use crate::tree::{Allocation, Extra, HiddenCounts, LeftOut, Rule, Tree, TreeError, regroup};
use hashbrown::HashMap;

/// What the counters of a profile mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Every invocation and every bytecode was counted.
    #[default]
    Exact,
    /// [`Node::invocations`](crate::Node::invocations) counts samples, and `bytecodes` those
    /// executed between a sample and the one before.
    Samples,
}

/// A profile: which method executed how many bytecodes in which calling context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// What the counters mean.
    pub kind: Kind,
    /// Are contexts kept apart by call site?
    pub call_sites: bool,
    /// All methods, in the order of their labels.
    pub methods: Vec<MethodInfo>,
    /// The trees: one for each thread, or a single one if threads were merged.
    pub threads: Vec<ThreadProfile>,
    /// Number of threads that were profiled, however they are merged.
    pub thread_count: u64,
    /// Facts about the run and about the shown part of it: names and texts. Views and filters add to
    /// it.
    pub about: About,
}

/// Names and texts that report how a profile came about.
pub type About = Vec<(String, String)>;

/// The calling contexts of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadProfile {
    /// Name of the thread; `None` if the tree is of several threads merged.
    pub name: Option<String>,
    /// Number of the thread, the smallest one if several were merged.
    pub id: u64,
    /// The contexts, in canonical order.
    pub tree: Tree,
    /// Bytecodes that were executed but belong to no context: what a thread executed after its
    /// last sample.
    pub remainder: u64,
}

impl ThreadProfile {
    /// `[name]`, the node above a thread's contexts in outputs that keep threads apart.
    pub fn label(&self) -> Option<String> {
        self.name.as_deref().map(thread_label)
    }
}

/// The label of a thread of that name above its contexts.
pub(crate) fn thread_label(name: &str) -> String {
    format!("[{name}]")
}

/// Sums over a whole profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bytecodes executed.
    pub bytecodes: u64,
    /// Methods entered; in a samples profile, samples taken.
    pub invocations: u64,
    /// Calling contexts.
    pub nodes: u64,
    /// Threads profiled.
    pub threads: u64,
    /// Objects and bytes allocated, if that was recorded.
    pub allocated: Allocation,
}

/// How the trees of threads are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// One tree.
    #[default]
    Merged,
    /// A tree for each thread name.
    ByName,
    /// As they are.
    Apart,
}

/// Whose methods are shown. The application's are all but those of the class library, of hidden
/// classes and of `$Proxy` classes. Callees of a method that is not shown move up to the nearest shown frame and take its call
/// site. A native library method that an application method calls directly counts as part of the application, if natives are
/// shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All methods.
    #[default]
    All,
    /// Those of the application; the bytecodes of others are added to the application's method that caused them, so that the
    /// total stays the same.
    Application,
    /// Those of the application with what they execute themselves; the counts of others are left
    /// out.
    ApplicationOnly,
}

/// The shown part of a profile. The default is everything, threads merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Whose methods are shown.
    pub part: Part,
    /// Show native methods; if not, what they call moves up to the Java method that called them.
    pub natives: bool,
    /// Report contexts apart by call site, if the profile does.
    pub call_sites: bool,
    /// How threads are merged.
    pub threads: Threads,
}

impl Default for View {
    fn default() -> Self {
        View {
            part: Part::All,
            natives: true,
            call_sites: true,
            threads: Threads::Merged,
        }
    }
}

impl View {
    /// What it leaves out, in words.
    pub(crate) fn about(&self) -> Option<(String, String)> {
        let text = match (self.part, self.natives) {
            (Part::All, true) => return None,
            (Part::All, false) => "all methods except native ones",
            (_, false) => "the application's methods only",
            (_, true) => "the application's methods, and native methods that they call",
        };
        Some(("View".into(), text.into()))
    }

    /// Where the counts of what it hides are, in words.
    pub(crate) fn about_hidden(
        &self,
        kind: Kind,
        hidden: HiddenCounts,
        unplaced: u64,
    ) -> Option<(String, String)> {
        let HiddenCounts {
            invocations,
            bytecodes,
        } = hidden;
        if self.part == Part::All || invocations == 0 && bytecodes == 0 {
            return None;
        }
        let all = bytecodes;
        let bytecodes = grouped(bytecodes);
        let what = match kind {
            Kind::Exact => format!(
                "{bytecodes} bytecodes in {} calls of library methods",
                grouped(invocations)
            ),
            Kind::Samples => format!(
                "{} samples ({bytecodes} bytecodes) in library methods",
                grouped(invocations)
            ),
        };
        let what = match (self.part, unplaced) {
            (Part::ApplicationOnly, _) => format!("{what} are left out"),
            (_, n) if n == all && n > 0 => {
                format!("{what}, and no method of the application caused them")
            }
            (_, 0) => format!("{what} are counted at the application's methods that caused them"),
            (_, unplaced) => format!(
                "{what} are counted at the application's methods that caused them, except {} that none caused",
                grouped(unplaced)
            ),
        };
        Some((Self::LIBRARY.into(), what))
    }

    /// The name in [`Profile::about`] of what became of the counts of library methods.
    pub const LIBRARY: &'static str = "Library";
}

impl Profile {
    /// The part of the profile that `view` selects. Bytecodes and allocations of hidden contexts are
    /// added to the nearest shown caller (in a samples profile the samples too), and bytecodes without
    /// one to [`ThreadProfile::remainder`], unless the view is [`Part::ApplicationOnly`]. Invocations
    /// and the counts of single bytecodes vanish: they mean nothing for another method.
    pub fn view(&self, view: &View) -> Result<Profile, TreeError> {
        let rule = Rule {
            shown: &|method, caller| {
                let method = &self.methods[method as usize];
                let by_app = || caller.is_some_and(|c| self.methods[c as usize].app);
                (view.part == Part::All || method.app || method.native && by_app())
                    && (!method.native || view.natives)
            },
            left_out: match (view.part, self.kind) {
                (Part::ApplicationOnly, _) => LeftOut::Drop,
                (_, Kind::Exact) => LeftOut::Add,
                (_, Kind::Samples) => LeftOut::AddSamples,
            },
            ..Rule::all(self.call_sites && view.call_sites)
        };
        let (mut hidden, mut without_caller) = (HiddenCounts::default(), 0u64);
        let mut group = |name: Option<&str>, threads: &[&ThreadProfile]| {
            let trees: Vec<&Tree> = threads.iter().map(|t| &t.tree).collect();
            let made = regroup(&trees, &rule)?;
            hidden.add(made.hidden);
            without_caller = without_caller.saturating_add(made.unplaced);
            Ok(ThreadProfile {
                name: name.map(str::to_owned),
                id: threads.iter().map(|t| t.id).min().unwrap_or(0),
                tree: made.tree,
                remainder: threads
                    .iter()
                    .fold(made.unplaced, |sum, t| t.remainder.saturating_add(sum)),
            })
        };
        let mut all: Vec<&ThreadProfile> = self.threads.iter().collect();
        let threads = match view.threads {
            Threads::Merged => vec![group(None, &all)?],
            Threads::ByName => {
                all.sort_by_cached_key(|t| t.label());
                all.chunk_by(|a, b| a.name == b.name)
                    .map(|threads| group(threads[0].name.as_deref(), threads))
                    .collect::<Result<_, _>>()?
            }
            Threads::Apart => all
                .iter()
                .map(|thread| group(thread.name.as_deref(), &[thread]))
                .collect::<Result<_, _>>()?,
        };
        let about = self.about.iter().cloned().chain(view.about());
        let about = about.chain(view.about_hidden(self.kind, hidden, without_caller));
        Ok(Profile {
            kind: self.kind,
            call_sites: rule.call_sites,
            methods: self.methods.clone(),
            threads,
            thread_count: self.thread_count,
            about: about.collect(),
        }
        .without_unused_methods())
    }

    /// Leaves out methods that no context is of.
    pub(crate) fn without_unused_methods(mut self) -> Profile {
        let mut used = vec![false; self.methods.len()];
        for node in self.threads.iter().flat_map(|t| t.tree.nodes()) {
            used[node.method as usize] = true;
        }
        if used.iter().all(|&used| used) {
            return self;
        }
        let mut next = 0;
        let mut renamed = Vec::with_capacity(used.len());
        for &used in &used {
            renamed.push(next);
            next += u32::from(used);
        }
        let mut each = used.iter();
        self.methods.retain(|_| each.next() == Some(&true));
        for thread in &mut self.threads {
            thread.tree.rename(|method| renamed[method as usize]);
        }
        self
    }

    /// [`view`](Self::view) of a profile that is not needed otherwise.
    pub fn into_view(mut self, view: &View) -> Result<Profile, TreeError> {
        let hides = view.part != Part::All
            || !view.call_sites && self.call_sites
            || !view.natives && self.methods.iter().any(|m| m.native);
        if hides || self.threads.len() != 1 {
            return self.view(view);
        }
        if view.threads == Threads::Merged {
            self.threads[0].name = None;
        }
        self.about.extend(view.about());
        Ok(self.without_unused_methods())
    }

    /// Were the executions of single bytecodes counted?
    pub fn has_counts(&self) -> bool {
        self.threads.iter().any(|t| t.tree.has_counts())
    }

    /// Were bytecodes of callees that are not shown reported by call site?
    pub fn has_caused(&self) -> bool {
        self.threads.iter().any(|t| t.tree.has_caused())
    }

    /// Were allocations recorded?
    pub fn has_allocations(&self) -> bool {
        self.threads.iter().any(|t| t.tree.has_allocations())
    }

    /// The program, if it is known how the profile came about.
    pub fn program(&self) -> Option<&str> {
        program(&self.about)
    }

    /// Sums over all threads.
    pub fn totals(&self) -> Totals {
        let mut sum = Totals {
            threads: self.thread_count,
            ..Totals::default()
        };
        for thread in &self.threads {
            sum.bytecodes = sum.bytecodes.saturating_add(thread.remainder);
            sum.nodes += thread.tree.len() as u64;
            if thread.tree.has_allocations() {
                for index in 0..thread.tree.len() as u32 {
                    sum.allocated.add(thread.tree.allocation(index));
                }
            }
            for node in thread.tree.nodes() {
                sum.bytecodes = sum.bytecodes.saturating_add(node.bytecodes);
                sum.invocations = sum.invocations.saturating_add(node.invocations);
            }
        }
        sum
    }
}

/// The program, if that is known.
pub(crate) fn program(about: &About) -> Option<&str> {
    let program = about.iter().find(|(name, _)| name == "Program");
    program.map(|(_, text)| text.as_str())
}

/// The methods of a profile that is being made from the ids of a VM.
pub(crate) struct MethodNames<F> {
    resolve: F,
    /// By id; `u32::MAX`: not requested yet.
    ids: Vec<u32>,
    /// The number of [`TRUNCATED`].
    truncated: Option<u32>,
    /// Without their sources and origins.
    known: HashMap<MethodInfo, u32>,
    /// By number.
    sources: Vec<(Option<Source>, Option<origin::Origin>)>,
}

impl<F: FnMut(u32) -> MethodInfo> MethodNames<F> {
    pub fn new(resolve: F) -> Self {
        MethodNames {
            resolve,
            ids: Vec::new(),
            truncated: None,
            known: HashMap::new(),
            sources: Vec::new(),
        }
    }

    /// The number of the method with this id. Methods with equal descriptions are one.
    #[inline]
    pub fn index(&mut self, id: u32) -> u32 {
        match self.ids.get(id as usize) {
            Some(&known) if known != u32::MAX => known,
            _ => self.resolve(id),
        }
    }

    fn number(&mut self, info: MethodInfo) -> u32 {
        let new = self.known.len() as u32;
        let method = *self.known.entry(info).or_insert(new);
        if method == new {
            self.sources.push((None, None));
        }
        method
    }

    #[cold]
    fn resolve(&mut self, id: u32) -> u32 {
        if id == TRUNCATED {
            return match self.truncated {
                Some(number) => number,
                None => {
                    let number = self.number(MethodInfo::truncated());
                    *self.truncated.insert(number)
                }
            };
        }
        let mut info = (self.resolve)(id);
        let (source, origin) = (info.source.take(), info.origin.take());
        let method = self.number(info);
        // Methods of one description are one, and the first place that is known is its.
        let known = &mut self.sources[method as usize];
        known.0 = known.0.take().or(source);
        known.1 = known.1.take().or(origin);
        let at = id as usize;
        if self.ids.len() <= at {
            self.ids.resize(at + 1, u32::MAX);
        }
        self.ids[at] = method;
        method
    }

    /// The methods in the order of their labels, the new index of each number, and the index of each id.
    pub fn finish_with_ids(mut self) -> (Vec<MethodInfo>, Vec<u32>, Ids) {
        let (ids, truncated) = (std::mem::take(&mut self.ids), self.truncated);
        let (methods, renamed) = self.finish();
        let new = |number: u32| renamed.get(number as usize).copied().unwrap_or(u32::MAX);
        let ids = Ids {
            indices: ids.iter().map(|&number| new(number)).collect(),
            truncated: truncated.map_or(u32::MAX, new),
        };
        (methods, renamed, ids)
    }

    /// The methods in the order of their labels, and the new index of each number.
    pub fn finish(mut self) -> (Vec<MethodInfo>, Vec<u32>) {
        let known: Vec<(MethodInfo, u32)> = self.known.into_iter().collect();
        let ranks = label_ranks(known.iter().map(|(method, _)| method.class.as_str()));
        let mut all: Vec<_> = ranks.into_iter().zip(known).collect();
        all.sort_unstable_by(|(rank, (a, i)), (other, (b, k))| {
            let rest = |m: &MethodInfo, i: u32| (m.native, m.hidden, i);
            rank.cmp(other)
                .then_with(|| a.cmp_label(b))
                .then_with(|| rest(a, *i).cmp(&rest(b, *k)))
        });
        let mut renamed = vec![0; all.len()];
        let methods = all.into_iter().enumerate();
        let methods = methods.map(|(new, (_, (mut method, old)))| {
            renamed[old as usize] = new as u32;
            (method.source, method.origin) = std::mem::take(&mut self.sources[old as usize]);
            method
        });
        (methods.collect(), renamed)
    }
}

/// The index of each method in a profile by the id that the VM gave it.
pub(crate) struct Ids {
    indices: Vec<u32>,
    truncated: u32,
}

impl Ids {
    /// The index of each id, which is none of a method where it was not requested.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        self.indices.iter().copied()
    }

    /// The index of [`TRUNCATED`], none of a method if that was not requested.
    pub fn truncated(&self) -> u32 {
        self.truncated
    }

    /// Replaces each index.
    pub fn rename(&mut self, new: &[u32]) {
        let all = self.indices.iter_mut().chain([&mut self.truncated]);
        for index in all.filter(|index| (**index as usize) < new.len()) {
            *index = new[*index as usize];
        }
    }

    /// The index of a method that was requested.
    #[inline]
    pub fn index(&self, id: u32) -> u32 {
        match id {
            TRUNCATED => self.truncated,
            id => self.indices[id as usize],
        }
    }
}

/// Makes a [`Profile`] from the counters of a VM, whose method ids it translates.
pub struct Builder<F, X = fn(&Visit, &mut Extra)> {
    kind: Kind,
    call_sites: bool,
    names: MethodNames<F>,
    extra: Option<X>,
    threads: Vec<TreeSource>,
}

/// The sources of a thread's tree.
enum TreeSource {
    /// The contexts of a running program.
    Walks(ThreadProfile, Vec<Walk>),
    /// A tree whose methods are numbers of names.
    Tree(ThreadProfile),
}

impl<F: FnMut(u32) -> MethodInfo> Builder<F> {
    /// `call_sites`: are the nodes' call sites meant? `resolve` describes the method of an id; it
    /// is asked once for each id that occurs. Methods with equal descriptions are one.
    pub fn new(kind: Kind, call_sites: bool, resolve: F) -> Self {
        Builder {
            kind,
            call_sites,
            names: MethodNames::new(resolve),
            extra: None,
            threads: Vec::new(),
        }
    }

    /// The same with a source of the optional columns: it is asked once for each node of a thread,
    /// and fills in an empty [`Extra`].
    pub fn with_extra<X: FnMut(&Visit, &mut Extra)>(self, extra: X) -> Builder<F, X> {
        Builder {
            kind: self.kind,
            call_sites: self.call_sites,
            names: self.names,
            extra: Some(extra),
            threads: self.threads,
        }
    }
}

impl<F: FnMut(u32) -> MethodInfo, X: FnMut(&Visit, &mut Extra)> Builder<F, X> {
    /// Adds a thread with the trees below its roots. Frames that are still open must have been
    /// flushed into their nodes.
    pub fn thread(&mut self, name: &str, id: u64, roots: impl IntoIterator<Item = Walk>) {
        let walks: Vec<Walk> = roots.into_iter().collect();
        for visit in walks.iter().cloned().flatten() {
            self.names.index(visit.method);
        }
        let thread = ThreadProfile {
            name: Some(crate::method::printable(name)),
            id,
            ..ThreadProfile::default()
        };
        self.threads.push(TreeSource::Walks(thread, walks));
    }

    pub(crate) fn tree(&mut self, name: Option<&str>, id: u64, mut tree: Tree, remainder: u64) {
        tree.rename(|vm| self.names.index(vm));
        self.threads.push(TreeSource::Tree(ThreadProfile {
            name: name.map(crate::method::printable),
            id,
            tree,
            remainder,
        }));
    }

    /// The profile, with methods, threads and trees in canonical order.
    pub fn finish(mut self) -> Result<Profile, TreeError> {
        let (methods, renamed, ids) = self.names.finish_with_ids();
        let call_sites = self.call_sites;
        let thread_count = self.threads.len() as u64;
        let mut extra = self.extra.as_mut();
        let mut threads = Vec::new();
        for source in self.threads {
            threads.push(match source {
                TreeSource::Walks(thread, walks) => (thread, walks),
                TreeSource::Tree(mut thread) => {
                    let rule = Rule {
                        methods: &[&renamed],
                        ..Rule::all(call_sites)
                    };
                    thread.tree = regroup(&[&thread.tree], &rule)?.tree;
                    (thread, Vec::new())
                }
            });
        }
        for (thread, walks) in &mut threads {
            if !walks.is_empty() {
                let walks = std::mem::take(walks);
                thread.tree = Tree::from_walks(walks, |id| ids.index(id), call_sites, &mut extra)?;
            }
        }
        let mut threads: Vec<_> = threads.into_iter().map(|thread| thread.0).collect();
        threads.sort_by(|a, b| (a.id, &a.name).cmp(&(b.id, &b.name)));
        Ok(Profile {
            kind: self.kind,
            call_sites,
            methods,
            thread_count,
            threads,
            about: About::new(),
        })
    }
}
