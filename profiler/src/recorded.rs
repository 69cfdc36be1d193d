//! Contexts that are still in their arena, written without making a [`Profile`](crate::Profile) of them first.

use crate::cct::{Links, NO_SITE, Visit, Walk, merged};
use crate::method::MethodInfo;
use crate::profile::{About, Names};
use crate::rjp;
use crate::tree::{Extra, TreeError};
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
    /// The number of each thread, and its trees.
    pub threads: Vec<(u64, Vec<Walk>)>,
    /// The methods that have contexts there; `None`: it is to be found out.
    pub methods: Option<Vec<u32>>,
    /// What the trees' child links are.
    pub links: Links,
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
        let walks = || self.threads.iter().flat_map(|thread| &thread.1).cloned();
        let mut names = Names::new(resolve);
        let (mut allocated, mut counted) = (false, false);
        let mut columns = Extra::default();
        for &method in self.methods.iter().flatten() {
            names.index(method);
        }
        for visit in walks().flatten() {
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
        let key = |method: u32, site: u32| {
            let site = if self.call_sites { site } else { NO_SITE };
            (ids.index(method), site)
        };
        let threads = self.threads.len() as u64;
        let head = rjp::Head {
            samples: false,
            call_sites: self.call_sites,
            about: &self.about,
            methods: &methods,
            thread_count: threads,
            threads: 1,
        };
        let mut out = rjp::Writer::new(out, &head)?;
        let id = self
            .threads
            .iter()
            .map(|thread| thread.0)
            .min()
            .unwrap_or(0);
        out.thread(None, id, 0, allocated, counted)?;
        let mut of_node = Extra::default();
        columns.clear();
        merged(walks(), key, &self.links, |context| {
            if allocated || counted {
                context.columns(&mut extra, &mut of_node, &mut columns);
            }
            let node = rjp::Context {
                depth: context.depth,
                method: context.method,
                site: context.site,
                invocations: context.invocations,
                bytecodes: context.bytecodes,
                allocation: columns.allocation(),
            };
            out.context(&node, columns.counts.iter().copied())
                .map_err(RecordedError::Io)
        })?;
        out.finish()?;
        Ok(())
    }
}
