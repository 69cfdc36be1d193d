//! Contexts that are still in their arena, written without making a [`Profile`](crate::Profile) of them first.

mod find;
mod in_order;

use crate::cct::{ChildLinks, NO_SITE, TreePart, Visit, Walk, merged, parted};
use crate::export::graph::Grower;
use crate::export::{CallGraph, Settings, html, json};
use crate::filter::Filter;
use crate::method::MethodInfo;
use crate::profile::{About, Ids, Kind, Profile, ThreadProfile, Totals, View};
use crate::prune::{self, ContextSource, Each, Limits, Pruned};
use crate::rjp;
use crate::table::{Flat, Sums};
use crate::tree::{Extra, Folding, LeftOut, PreorderContext, Tree, TreeError, TreeWriter};
use find::FoundContexts;
use std::borrow::Cow;
use std::io::{self, Write};

/// Parts of a tree that is written by two threads. Smaller trees are written by one.
const PARTS: usize = 512;

/// The exact counts of a VM, and the choice of what to show. Frames that are still open must have been flushed.
#[derive(Debug)]
pub struct Recorded {
    /// Are contexts kept apart by call site?
    pub call_sites: bool,
    /// May contexts have allocations?
    pub allocations: bool,
    /// May contexts have counts of single bytecodes?
    pub counts: bool,
    /// Are those that native methods and the VM have called shown as roots?
    pub upcalls: bool,
    /// Facts about the run.
    pub about: About,
    /// The threads.
    pub threads: Vec<Roots>,
    /// The methods that have contexts there; `None`: it is to be found out.
    pub methods: Option<Vec<u32>>,
    /// What the trees' child links are.
    pub links: ChildLinks,
    /// The choice of contexts to show.
    pub view: View,
    /// The filter on these.
    pub filter: Filter,
}

/// What a thread has executed.
#[derive(Debug)]
pub struct Roots {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its trees.
    pub walks: Vec<Walk>,
}

/// Why contexts were not written.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// They are not a profile.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Recorded contexts as they are shown: the facts that need all of them are known, and you can visit them again and again.
/// `extra` fills in the optional columns of a node.
pub struct VisibleContexts<X> {
    recorded: Recorded,
    found: FoundContexts,
    extra: X,
}

impl Recorded {
    /// Computes the facts that must be known before they are shown. `resolve` describes the method of an id, `extra` fills in
    /// the optional columns of a node.
    pub fn shown<X: Fn(&Visit, &mut Extra)>(
        self,
        resolve: impl FnMut(u32) -> MethodInfo,
        extra: X,
    ) -> VisibleContexts<X> {
        let found = self.find(resolve, &extra);
        VisibleContexts {
            recorded: self,
            found,
            extra,
        }
    }

    fn walks(&self) -> impl Iterator<Item = Walk> {
        let walks = self.threads.iter().flat_map(|thread| &thread.walks);
        walks.cloned()
    }
}

impl<X: Fn(&Visit, &mut Extra)> VisibleContexts<X> {
    /// Writes them in the native format: what [`rjp::write`] writes of a [`Profile`](crate::Profile).
    pub fn write(&self, out: &mut dyn Write) -> Result<(), RecordedError> {
        let found = &self.found;
        let head = rjp::RjpHeader {
            samples: false,
            call_sites: self.recorded.call_sites,
            about: &found.about,
            methods: &found.methods,
            thread_count: self.thread_count(),
            threads: found.groups.len() as u64,
            caused: found.caused(),
        };
        let mut out = rjp::RjpWriter::new(out, &head)?;
        for (at, group) in found.groups.iter().enumerate() {
            let columns = rjp::ContextColumns {
                allocations: group.allocated,
                counts: group.counted,
                caused: group.caused,
            };
            let name = group.name.as_deref();
            out.thread(name, group.id, group.remainder, columns)?;
            if self.write_parts(at, &mut out)? {
                continue;
            }
            self.each(at, |context, _, columns| {
                out.context(context, columns.counts(), columns.caused())
                    .map_err(RecordedError::Io)
            })?;
        }
        out.finish()?;
        Ok(())
    }

    /// Writes the contexts of a large tree without columns, part by part: another thread encodes some of them. Whether that was done.
    fn write_parts(
        &self,
        tree: usize,
        out: &mut rjp::RjpWriter<'_>,
    ) -> Result<bool, RecordedError> {
        let (recorded, found) = (&self.recorded, &self.found);
        let group = &found.groups[tree];
        if group.allocated
            || group.counted
            || group.caused
            || found.lens.is_some()
            || !in_order::pays()
        {
            return Ok(false);
        }
        let (ids, call_sites) = (&found.ids, recorded.call_sites);
        let key = |method, site| known_as(ids, call_sites, method, site);
        let parts = parted(group.walks.iter().cloned(), key, PARTS);
        if parts.len() < PARTS {
            return Ok(false);
        }
        let links = &recorded.links;
        let encode = |part: &TreePart| {
            let mut contexts = rjp::EncodedContexts::new(call_sites);
            let visited = part.visit(key, links, |context| {
                contexts.add(&context.without_columns());
                Ok::<(), TreeError>(())
            });
            visited.map(|()| contexts)
        };
        in_order::each(&parts, encode, |contexts| {
            Ok::<(), RecordedError>(out.encoded(&contexts?)?)
        })?;
        Ok(true)
    }

    /// Writes them as JSON. They are visited twice, since their sums come first.
    pub fn write_json(&self, out: &mut dyn Write) -> Result<(), RecordedError> {
        let found = &self.found;
        let mut totals = Totals {
            threads: self.thread_count(),
            ..Totals::default()
        };
        for (at, group) in found.groups.iter().enumerate() {
            totals.bytecodes = totals.bytecodes.saturating_add(group.remainder);
            self.each_bare(at, |context, _| {
                totals.nodes += 1;
                totals.invocations = totals.invocations.saturating_add(context.invocations);
                totals.bytecodes = totals.bytecodes.saturating_add(context.bytecodes);
                true
            })?;
        }
        let head = json::JsonHeader {
            kind: Kind::Exact,
            call_sites: self.recorded.call_sites,
            about: &found.about,
            methods: &found.methods,
            totals,
            allocations: found.allocated(),
            counts: found.counted(),
            caused: found.caused(),
        };
        let mut out = json::JsonWriter::new(&head, out)?;
        for (at, group) in found.groups.iter().enumerate() {
            out.thread(group.name.as_deref(), group.id, group.remainder)?;
            self.each(at, |context, _, columns| {
                out.context(context, columns.counts(), columns.caused())
                    .map_err(RecordedError::Io)
            })?;
        }
        out.finish()?;
        Ok(())
    }

    /// Packs them for a page.
    pub fn report(&self) -> Result<Report<'_>, TreeError> {
        let found = &self.found;
        let mut contents = html::Contents::new(
            found.methods.len(),
            self.recorded.call_sites,
            found.allocated(),
            found.counted(),
            found.caused(),
        );
        for (at, group) in found.groups.iter().enumerate() {
            self.each(at, |context, inclusive, columns| {
                contents.add(context, inclusive, columns.counts(), columns.caused());
                Ok::<(), TreeError>(())
            })?;
            contents.end_thread(group.name.clone(), group.id, group.remainder);
        }
        Ok(Report {
            thread_count: self.thread_count(),
            call_sites: self.recorded.call_sites,
            about: &found.about,
            methods: &found.methods,
            contents,
        })
    }

    /// Their call graph.
    pub fn graph(&self) -> Result<CallGraph<'_>, TreeError> {
        let found = &self.found;
        let mut grower = Grower::new(found.methods.len(), self.recorded.call_sites);
        for (at, group) in found.groups.iter().enumerate() {
            self.each(at, |context, _, columns| {
                grower.add(context, columns.counts(), columns.caused());
                Ok::<(), TreeError>(())
            })?;
            grower.end_thread(group.name.clone(), group.remainder);
        }
        let (about, methods) = (
            Cow::Borrowed(&found.about),
            Cow::Borrowed(&found.methods[..]),
        );
        Ok(grower.finish(
            Kind::Exact,
            about,
            methods,
            found.allocated(),
            found.counted(),
        ))
    }

    /// The totals of their methods.
    pub fn flat(&self) -> Result<Flat, TreeError> {
        let found = &self.found;
        let mut sums = Sums::new(found.methods.len());
        for (at, group) in found.groups.iter().enumerate() {
            self.each(at, |context, inclusive, _| {
                sums.add(context, inclusive);
                Ok::<(), TreeError>(())
            })?;
            sums.end_thread(group.remainder);
        }
        Ok(sums.flat(&found.methods, self.thread_count()))
    }

    /// What [`Profile::pruned`] makes of a profile of them; `None` if all contexts are within the limits.
    pub fn pruned(&self, limits: &Limits) -> Result<Option<(Profile, Pruned)>, TreeError> {
        if *limits == Limits::NONE {
            return Ok(None);
        }
        let total = |sum: u64, n: u64| sum.saturating_add(n);
        let mut all = self
            .found
            .groups
            .iter()
            .map(|group| group.remainder)
            .fold(0, total);
        for at in 0..self.found.groups.len() {
            self.each_bare(at, |_, inclusive| {
                all = all.saturating_add(inclusive);
                false
            })?;
        }
        if limits.fold_recursion {
            if prune::fits(self, all, limits)? {
                return Ok(None);
            }
            let (folded, contexts) = self.copy(Some((None, LeftOut::Add)))?;
            return Ok(Some(folded.pruned_further(contexts, limits)));
        }
        let Some((trees, what, methods)) = prune::prune(self, all, limits)? else {
            return Ok(None);
        };
        let profile = Profile {
            methods,
            threads: self.threads(trees),
            ..self.without_contexts()
        };
        Ok(Some(prune::finished(profile, what)))
    }

    /// All of them, copied; those that are left if recursion is to be folded.
    pub fn profile(&self) -> Result<Profile, TreeError> {
        let filter = &self.recorded.filter;
        let left_out = match filter.drop_hidden {
            true => LeftOut::Drop,
            false => LeftOut::Add,
        };
        let folding = filter
            .fold_recursion
            .then_some((filter.max_depth, left_out));
        Ok(self.copy(folding)?.0)
    }

    /// All of them, and how many there are; folded, if that is given, down to a depth, with the counts of deeper ones added or
    /// dropped.
    fn copy(&self, folding: Option<(Option<u32>, LeftOut)>) -> Result<(Profile, u64), TreeError> {
        let found = &self.found;
        let mut contexts = 0;
        let mut trees = Vec::new();
        for (at, group) in found.groups.iter().enumerate() {
            if let Some((max_depth, left_out)) = folding {
                let mut folding = Folding::new(max_depth, left_out);
                self.each(at, |context, _, columns| {
                    contexts += 1;
                    folding.add(context, columns)?;
                    Ok::<(), TreeError>(())
                })?;
                trees.push(folding.tree()?);
                continue;
            }
            let mut writer = TreeWriter::default();
            self.each(at, |context, _, columns| {
                contexts += 1;
                writer.leave_to(context.depth);
                let (calls, own) = (context.invocations, context.bytecodes);
                writer.enter(context.method, context.site, calls, own)?;
                if group.has_columns() {
                    writer.set_extra(columns);
                }
                Ok::<(), TreeError>(())
            })?;
            trees.push(writer.finish());
        }
        let profile = Profile {
            methods: found.methods.clone(),
            threads: self.threads(trees),
            ..self.without_contexts()
        };
        Ok((profile.without_unused_methods(), contexts))
    }

    /// Facts about the run and about the shown part of it.
    pub fn about(&self) -> &About {
        &self.found.about
    }

    /// The methods that are shown, in the order of their labels.
    pub fn methods(&self) -> &[MethodInfo] {
        &self.found.methods
    }

    /// Has any context allocations?
    pub fn has_allocations(&self) -> bool {
        self.found.allocated()
    }

    fn thread_count(&self) -> u64 {
        self.recorded.threads.len() as u64
    }

    fn threads(&self, trees: Vec<Tree>) -> Vec<ThreadProfile> {
        let groups = self.found.groups.iter().zip(trees);
        let thread = groups.map(|(group, tree)| ThreadProfile {
            name: group.name.clone(),
            id: group.id,
            tree,
            remainder: group.remainder,
        });
        thread.collect()
    }

    fn without_contexts(&self) -> Profile {
        Profile {
            kind: Kind::Exact,
            call_sites: self.recorded.call_sites,
            methods: Vec::new(),
            threads: Vec::new(),
            thread_count: self.thread_count(),
            about: self.found.about.clone(),
        }
    }

    /// By which method and call site a node is known.
    #[inline]
    fn key(&self, method: u32, site: u32) -> (u32, u32) {
        known_as(&self.found.ids, self.recorded.call_sites, method, site)
    }

    /// Visits the contexts of a tree, with the bytecodes of each and all below it, and its columns.
    fn each<E: From<TreeError>>(
        &self,
        tree: usize,
        mut visit: impl FnMut(&PreorderContext, u64, &Extra) -> Result<(), E>,
    ) -> Result<(), E> {
        let found = &self.found;
        let group = &found.groups[tree];
        let key = |method, site| self.key(method, site);
        let (mut of_node, mut columns) = (Extra::default(), Extra::default());
        let walks = group.walks.iter().cloned();
        let (lens, links) = (found.lens.as_ref(), &self.recorded.links);
        merged(walks, key, lens, links, |context| {
            if group.allocated || group.counted {
                context.columns(&self.extra, &mut of_node, &mut columns);
            } else if group.caused {
                context.caused(&mut columns);
            }
            let node = PreorderContext {
                allocation: columns.allocation(),
                ..context.without_columns()
            };
            visit(&node, context.inclusive, &columns)?;
            Ok(true)
        })
    }

    /// The same without columns; contexts below a context only if `visit` says so.
    fn each_bare(
        &self,
        tree: usize,
        mut visit: impl FnMut(&PreorderContext, u64) -> bool,
    ) -> Result<(), TreeError> {
        ContextSource::visit(self, tree, &mut |context, inclusive, _| {
            visit(context, inclusive)
        })
    }
}

impl<X: Fn(&Visit, &mut Extra)> ContextSource for VisibleContexts<X> {
    fn methods(&self) -> &[MethodInfo] {
        &self.found.methods
    }

    fn trees(&self) -> usize {
        self.found.groups.len()
    }

    fn visit(&self, tree: usize, each: &mut Each<'_>) -> Result<(), TreeError> {
        let found = &self.found;
        let group = &found.groups[tree];
        let key = |method, site| self.key(method, site);
        let mut of_node = Extra::default();
        let walks = group.walks.iter().cloned();
        let (lens, links) = (found.lens.as_ref(), &self.recorded.links);
        merged(walks, key, lens, links, |context| {
            let node = context.without_columns();
            Ok(each(&node, context.inclusive, &mut |columns| {
                if group.allocated || group.counted {
                    context.columns(&self.extra, &mut of_node, columns);
                } else if group.caused {
                    context.caused(columns);
                }
            }))
        })
    }
}

/// See [`VisibleContexts::key`].
#[inline]
fn known_as(ids: &Ids, call_sites: bool, method: u32, site: u32) -> (u32, u32) {
    (ids.index(method), if call_sites { site } else { NO_SITE })
}

/// A page whose contexts are packed; the text of source files is still to be added.
pub struct Report<'a> {
    call_sites: bool,
    about: &'a About,
    methods: &'a [MethodInfo],
    thread_count: u64,
    contents: html::Contents,
}

impl<'a> Report<'a> {
    /// All methods, in the order of their labels.
    pub fn methods(&self) -> &'a [MethodInfo] {
        self.methods
    }

    /// As [`costly`](crate::export::costly) has them.
    pub fn costly(&self) -> Vec<(u32, u64)> {
        self.contents.costly(self.methods)
    }

    /// Were the executions of single bytecodes counted?
    pub fn has_counts(&self) -> bool {
        self.contents.has_counts()
    }

    /// The totals of the methods.
    pub fn flat(&self) -> Flat {
        self.contents.flat(self.methods, self.thread_count)
    }

    /// Writes the page.
    pub fn write(self, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
        let head = html::PageInfo {
            kind: Kind::Exact,
            call_sites: self.call_sites,
            about: self.about,
            methods: self.methods,
            thread_count: self.thread_count,
        };
        let costly = self.contents.costly(self.methods);
        self.contents.write(&head, &costly, settings, out)
    }
}
