//! Contexts that are still in their arena, written without making a [`Profile`](crate::Profile) of them first.

use crate::cct::{Links, NO_SITE, Visit, Walk, merged};
use crate::export::graph::Grower;
use crate::export::{CallGraph, Settings, html, json};
use crate::method::{MethodInfo, printable};
use crate::profile::{About, Ids, Kind, Names, Profile, ThreadProfile, Totals};
use crate::prune::{self, Contexts, Each, Limits, Pruned};
use crate::rjp;
use crate::table::Flat;
use crate::tree::{Allocation, Context, Extra, TreeError};
use std::borrow::Cow;
use std::io::{self, Write};

/// The exact counts of a VM, all threads together. Frames that are still open must have been flushed.
#[derive(Debug)]
pub struct Recorded {
    /// Are contexts kept apart by call site?
    pub call_sites: bool,
    /// May contexts have allocations?
    pub allocations: bool,
    /// May contexts have counts of single bytecodes?
    pub counts: bool,
    /// What is known of the run.
    pub about: About,
    /// The threads.
    pub threads: Vec<Roots>,
    /// The methods that have contexts there; `None`: it is to be found out.
    pub methods: Option<Vec<u32>>,
    /// What the trees' child links are.
    pub links: Links,
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
    /// They are no profile.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What is known of contexts before they are visited in order.
struct Found {
    methods: Vec<MethodInfo>,
    ids: Ids,
    /// Has any of them allocations, or counts of bytecodes?
    allocated: bool,
    counted: bool,
}

impl Recorded {
    /// Writes them in the native format: what [`rjp::write`] writes of a [`Profile`](crate::Profile) whose
    /// threads are merged. `resolve` describes the method of an id, `extra` fills in the optional columns of a
    /// node.
    pub fn write(
        &self,
        resolve: impl FnMut(u32) -> MethodInfo,
        mut extra: impl FnMut(&Visit, &mut Extra),
        out: &mut dyn Write,
    ) -> Result<(), RecordedError> {
        let found = self.find(resolve, &mut extra);
        let head = rjp::Head {
            samples: false,
            call_sites: self.call_sites,
            about: &self.about,
            methods: &found.methods,
            thread_count: self.threads.len() as u64,
            threads: 1,
        };
        let mut out = rjp::Writer::new(out, &head)?;
        out.thread(None, self.id(), 0, found.allocated, found.counted)?;
        self.each(&found, extra, |context, _, counts| {
            out.context(context, counts.iter().copied())
                .map_err(RecordedError::Io)
        })?;
        out.finish()?;
        Ok(())
    }

    /// Writes them as JSON: see [`write`](Self::write). They are visited twice, since their sums come first.
    pub fn write_json(
        &self,
        resolve: impl FnMut(u32) -> MethodInfo,
        mut extra: impl FnMut(&Visit, &mut Extra),
        out: &mut dyn Write,
    ) -> Result<(), RecordedError> {
        let found = self.find(resolve, &mut extra);
        let mut totals = Totals {
            threads: self.threads.len() as u64,
            ..Totals::default()
        };
        let key = |method, site| self.key(&found, method, site);
        merged(self.walks(), key, &self.links, |context| {
            totals.nodes += 1;
            totals.invocations = totals.invocations.saturating_add(context.invocations);
            totals.bytecodes = totals.bytecodes.saturating_add(context.bytecodes);
            Ok::<bool, TreeError>(true)
        })?;
        let head = json::Head {
            kind: Kind::Exact,
            call_sites: self.call_sites,
            about: &self.about,
            methods: &found.methods,
            totals,
            allocations: found.allocated,
            counts: found.counted,
        };
        let mut out = json::Writer::new(&head, out)?;
        out.thread(None, self.id(), 0)?;
        self.each(&found, extra, |context, _, counts| {
            out.context(context, counts.iter().copied())
                .map_err(RecordedError::Io)
        })?;
        out.finish()?;
        Ok(())
    }

    /// Packs them for a page: see [`write`](Self::write).
    pub fn report(
        self,
        resolve: impl FnMut(u32) -> MethodInfo,
        mut extra: impl FnMut(&Visit, &mut Extra),
    ) -> Result<Report, TreeError> {
        let found = self.find(resolve, &mut extra);
        let mut contents = html::Contents::new(
            found.methods.len(),
            self.call_sites,
            found.allocated,
            found.counted,
        );
        self.each(&found, extra, |context, inclusive, counts| {
            contents.add(context, inclusive, counts.iter().copied());
            Ok::<(), TreeError>(())
        })?;
        contents.end_thread(None, self.id(), 0);
        Ok(Report {
            thread_count: self.threads.len() as u64,
            call_sites: self.call_sites,
            about: self.about,
            methods: found.methods,
            contents,
        })
    }

    /// Their call graph, threads merged: see [`write`](Self::write).
    pub fn graph(
        &self,
        resolve: impl FnMut(u32) -> MethodInfo,
        mut extra: impl FnMut(&Visit, &mut Extra),
    ) -> Result<CallGraph<'_>, TreeError> {
        let found = self.find(resolve, &mut extra);
        let mut grower = Grower::new(found.methods.len(), self.call_sites);
        self.each(&found, extra, |context, _, counts| {
            grower.add(context, counts.iter().copied());
            Ok::<(), TreeError>(())
        })?;
        grower.end_thread(None, 0);
        let (about, methods) = (Cow::Borrowed(&self.about), Cow::Owned(found.methods));
        Ok(grower.finish(about, methods, found.allocated, found.counted))
    }

    /// What [`Profile::pruned`] makes of a profile of them, threads merged or `apart`; `None` if all contexts are within
    /// the limits.
    pub fn pruned(
        &self,
        limits: &Limits,
        apart: bool,
        resolve: impl FnMut(u32) -> MethodInfo,
        extra: impl Fn(&Visit, &mut Extra),
    ) -> Result<Option<(Profile, Pruned)>, TreeError> {
        if *limits == Limits::NONE {
            return Ok(None);
        }
        let thread = |name: Option<&str>, id| ThreadProfile {
            name: name.map(printable),
            id,
            ..ThreadProfile::default()
        };
        let mut threads: Vec<(ThreadProfile, Vec<Walk>)> = match apart {
            false => vec![(thread(None, self.id()), self.walks().collect())],
            true => {
                let all = self.threads.iter();
                all.map(|t| (thread(Some(&t.name), t.id), t.walks.clone()))
                    .collect()
            }
        };
        threads.sort_by(|(a, _), (b, _)| (a.id, &a.name).cmp(&(b.id, &b.name)));
        let (mut threads, walks): (Vec<_>, Vec<_>) = threads.into_iter().unzip();
        let all = Visited {
            found: self.find(resolve, &extra),
            recorded: self,
            walks,
            extra,
        };
        let total = self.walks().filter_map(|mut walk| walk.next());
        let total = total.fold(0u64, |sum, root| sum.saturating_add(root.inclusive as u64));
        let Some((trees, what, methods)) = prune::prune(&all, total, limits)? else {
            return Ok(None);
        };
        for (thread, tree) in threads.iter_mut().zip(trees) {
            thread.tree = tree;
        }
        let profile = Profile {
            kind: Kind::Exact,
            call_sites: self.call_sites,
            methods,
            threads,
            thread_count: self.threads.len() as u64,
            about: self.about.clone(),
        };
        Ok(Some(prune::finished(profile, what)))
    }

    /// The number of the thread that all of them are shown as.
    fn id(&self) -> u64 {
        let ids = self.threads.iter().map(|thread| thread.id);
        ids.min().unwrap_or(0)
    }

    /// By which method and call site a node is known.
    #[inline]
    fn key(&self, found: &Found, method: u32, site: u32) -> (u32, u32) {
        let site = if self.call_sites { site } else { NO_SITE };
        (found.ids.index(method), site)
    }

    fn walks(&self) -> impl Iterator<Item = Walk> {
        let walks = self.threads.iter().flat_map(|thread| &thread.walks);
        walks.cloned()
    }

    fn find(
        &self,
        resolve: impl FnMut(u32) -> MethodInfo,
        mut extra: impl FnMut(&Visit, &mut Extra),
    ) -> Found {
        let mut names = Names::new(resolve);
        let (mut allocated, mut counted) = (false, false);
        let mut columns = Extra::default();
        for &method in self.methods.iter().flatten() {
            names.index(method);
        }
        for visit in self.walks().flatten() {
            let unknown = self.allocations && !allocated || self.counts && !counted;
            if unknown {
                columns.clear();
                extra(&visit, &mut columns);
                allocated |= !columns.allocation().is_none();
                counted |= columns.counts.iter().any(|count| count.1 > 0);
            }
            if self.methods.is_none() {
                names.index(visit.method);
            } else if !unknown {
                break;
            }
        }
        let (methods, _, ids) = names.finish_with_ids();
        Found {
            methods,
            ids,
            allocated,
            counted,
        }
    }

    /// Visits all contexts, threads merged, with the bytecodes of each and all below it, and its counts of single ones.
    fn each<E: From<TreeError>>(
        &self,
        found: &Found,
        mut extra: impl FnMut(&Visit, &mut Extra),
        mut visit: impl FnMut(&Context, u64, &[(u16, u64)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let key = |method, site| self.key(found, method, site);
        let (mut of_node, mut columns) = (Extra::default(), Extra::default());
        merged(self.walks(), key, &self.links, |context| {
            if found.allocated || found.counted {
                context.columns(&mut extra, &mut of_node, &mut columns);
            }
            let node = Context {
                depth: context.depth,
                method: context.method,
                site: context.site,
                invocations: context.invocations,
                bytecodes: context.bytecodes,
                allocation: columns.allocation(),
            };
            visit(&node, context.inclusive, &columns.counts)?;
            Ok(true)
        })
    }
}

/// Trees that are pruned.
struct Visited<'a, X> {
    recorded: &'a Recorded,
    /// Those of each.
    walks: Vec<Vec<Walk>>,
    found: Found,
    extra: X,
}

impl<X: Fn(&Visit, &mut Extra)> Contexts for Visited<'_, X> {
    fn methods(&self) -> &[MethodInfo] {
        &self.found.methods
    }

    fn call_sites(&self) -> bool {
        self.recorded.call_sites
    }

    fn trees(&self) -> usize {
        self.walks.len()
    }

    fn visit(&self, tree: usize, each: &mut Each<'_>) -> Result<(), TreeError> {
        let Visited {
            recorded, found, ..
        } = self;
        let key = |method, site| recorded.key(found, method, site);
        let mut of_node = Extra::default();
        let walks = self.walks[tree].iter().cloned();
        merged(walks, key, &recorded.links, |context| {
            let node = Context {
                depth: context.depth,
                method: context.method,
                site: context.site,
                invocations: context.invocations,
                bytecodes: context.bytecodes,
                allocation: Allocation::NONE,
            };
            Ok(each(&node, context.inclusive, &mut |columns| {
                if found.allocated || found.counted {
                    context.columns(&self.extra, &mut of_node, columns);
                }
            }))
        })
    }
}

/// A page whose contexts are packed; the text of source files is still to be added.
pub struct Report {
    call_sites: bool,
    about: About,
    methods: Vec<MethodInfo>,
    thread_count: u64,
    contents: html::Contents,
}

impl Report {
    /// All methods, in the order of their labels.
    pub fn methods(&self) -> &[MethodInfo] {
        &self.methods
    }

    /// As [`costly`](crate::export::costly) has them.
    pub fn costly(&self) -> Vec<(u32, u64)> {
        self.contents.costly(&self.methods)
    }

    /// Were the executions of single bytecodes counted?
    pub fn has_counts(&self) -> bool {
        self.contents.has_counts()
    }

    /// The totals of the methods.
    pub fn flat(&self) -> Flat {
        self.contents.flat(&self.methods, self.thread_count)
    }

    /// Writes the page.
    pub fn write(self, settings: &Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
        let head = html::Head {
            kind: Kind::Exact,
            call_sites: self.call_sites,
            about: &self.about,
            methods: &self.methods,
            thread_count: self.thread_count,
        };
        let costly = self.contents.costly(&self.methods);
        self.contents.write(&head, &costly, settings, out)
    }
}
