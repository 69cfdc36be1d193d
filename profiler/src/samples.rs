//! Sampling: collects full stacks and makes a samples tree of them.

use crate::cct::{NO_SITE, UPCALL};
use crate::method::MethodInfo;
use crate::profile::{Builder, Kind, Profile};
use crate::tree::{Allocation, Extra, GrowingTree, TreeError};
use std::collections::HashMap;
use std::io::{self, Write};

/// A frame of a sampled stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The method, as an id given by the VM.
    pub method: u32,
    /// Index of the bytecode the frame is at; [`NO_SITE`] in a native method.
    pub bci: u32,
    /// It was called by a native method or the VM itself.
    pub upcall: bool,
}

/// Facts about a sample besides its stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleInfo {
    /// Number of the thread.
    pub thread: u64,
    /// Bytecodes the thread has executed since it is sampled, the one it is at included.
    pub executed: u64,
    /// How many of them since its last sample.
    pub bytecodes: u64,
    /// What it has allocated since then.
    pub allocated: Allocation,
}

/// A sample in a [`Recorder`]'s log.
#[derive(Clone, Copy, Debug)]
struct Logged {
    taken: SampleInfo,
    /// The context in its thread's tree, if there was a stack.
    node: Option<u32>,
    /// Bytecode index in the method at the top.
    bci: u32,
}

/// Collects the samples of a run.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    call_sites: bool,
    upcalls_to_root: bool,
    threads: Vec<SampledThread>,
    known: HashMap<u64, usize>,
    /// Index of the thread that was requested last.
    last: usize,
    samples: u64,
    log: Option<Vec<Logged>>,
}

#[derive(Clone, Debug, Default)]
struct SampledThread {
    id: u64,
    name: String,
    tree: GrowingTree,
    remainder: u64,
}

impl Recorder {
    /// A recorder without samples. `call_sites`: contexts are separate by call site.
    pub fn new(call_sites: bool) -> Self {
        Recorder {
            call_sites,
            ..Recorder::default()
        }
    }

    /// A recorder that keeps each single sample too, for [`Recorder::write_log`]. Contexts are reported
    /// apart by call site.
    pub fn with_log() -> Self {
        Recorder {
            call_sites: true,
            log: Some(Vec::new()),
            ..Recorder::default()
        }
    }

    /// Makes what native methods and the VM have called roots, instead of showing it below what caused
    /// it.
    pub fn upcalls_to_root(mut self, yes: bool) -> Self {
        self.upcalls_to_root = yes;
        self
    }

    /// Bytes of memory that the samples take.
    pub fn bytes(&self) -> usize {
        let thread = |t: &SampledThread| size_of::<SampledThread>() + t.name.len() + t.tree.bytes();
        let log = self
            .log
            .as_ref()
            .map_or(0, |log| log.capacity() * size_of::<Logged>());
        self.threads.iter().map(thread).sum::<usize>() + log
    }

    /// Does it want to know call sites? If not, the bytecode indices of frames are not looked at.
    pub fn call_sites(&self) -> bool {
        self.call_sites
    }

    /// Makes a thread known, or renames it. A thread that is never named has an empty name.
    pub fn name_thread(&mut self, id: u64, name: &str) {
        self.thread(id).name = name.to_owned();
    }

    /// Records a sample: the stack of a thread, root first. The bytecodes and allocations since the
    /// thread's last sample count for the context at the top of the stack. The caller knows that the
    /// first `shared` frames are those of the thread's last sample (0, if it knows nothing). A tree that
    /// takes no more contexts is an error.
    pub fn record(
        &mut self,
        taken: &SampleInfo,
        stack: &[Frame],
        shared: usize,
    ) -> Result<(), TreeError> {
        self.samples += 1;
        let shared = shared.min(stack.len());
        let mut site = match shared {
            0 => NO_SITE,
            shared => stack[shared - 1].bci,
        };
        let (call_sites, upcalls_to_root) = (self.call_sites, self.upcalls_to_root);
        let frames = stack[shared..].iter().map(|frame| {
            let called_at = std::mem::replace(&mut site, frame.bci);
            match () {
                _ if upcalls_to_root && frame.upcall => (frame.method, UPCALL),
                _ if call_sites => (frame.method, called_at),
                _ => (frame.method, NO_SITE),
            }
        });
        let thread = self.thread(taken.thread);
        let node = thread.tree.add_above(shared, frames, 1, taken.bytecodes)?;
        match node {
            Some(node) => thread.tree.add_extra(
                node,
                &Extra {
                    objects: taken.allocated.objects,
                    bytes: taken.allocated.bytes,
                    ..Extra::default()
                },
            ),
            None => thread.remainder += taken.bytecodes,
        }
        if let Some(log) = &mut self.log {
            log.push(Logged {
                taken: *taken,
                node,
                bci: site,
            });
        }
        Ok(())
    }

    /// [`Recorder::record`] for a sample of which nothing else is known: thread, stack, and the
    /// bytecodes since the thread's last sample.
    pub fn sample(
        &mut self,
        id: u64,
        stack: impl IntoIterator<Item = Frame>,
        bytecodes: u64,
    ) -> Result<(), TreeError> {
        let stack: Vec<Frame> = stack.into_iter().collect();
        let taken = SampleInfo {
            thread: id,
            bytecodes,
            ..SampleInfo::default()
        };
        self.record(&taken, &stack, 0)
    }

    /// Writes a line for each sample in the order they were taken, if the recorder keeps them:
    /// thread, bytecodes the thread has executed since it is sampled (the one it is at included), how many of them since
    /// its last sample, objects and bytes it allocated since then, the bytecode index it is at, and
    /// the stack as a path with call sites (`-1`: no bytecode, in a native method).
    pub fn write_log(
        &self,
        mut resolve: impl FnMut(u32) -> MethodInfo,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut labels: HashMap<u32, String> = HashMap::new();
        let number = |index: u32| match index {
            NO_SITE | UPCALL => -1,
            index => i64::from(index),
        };
        writeln!(
            out,
            "# thread\texecuted\tsince\tobjects\tbytes\tindex\tstack"
        )?;
        for Logged { taken, node, bci } in self.log.iter().flatten() {
            let index = number(*bci);
            write!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{index}\t",
                taken.thread,
                taken.executed,
                taken.bytecodes,
                taken.allocated.objects,
                taken.allocated.bytes,
            )?;
            let thread = &self.threads[self.known[&taken.thread]];
            let path = node.map_or(Vec::new(), |node| thread.tree.path(node));
            let root = path.iter().rposition(|&(_, site)| site == UPCALL);
            let path = &path[root.unwrap_or(0)..];
            for (depth, &(method, site)) in path.iter().enumerate() {
                let label = labels
                    .entry(method)
                    .or_insert_with(|| resolve(method).label());
                let before = if depth == 0 { "" } else { ";" };
                write!(out, "{before}@{}:{label}", number(site))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Adds bytecodes a thread executed that no sample accounts for: those after its last one.
    pub fn remainder(&mut self, id: u64, bytecodes: u64) {
        self.thread(id).remainder += bytecodes;
    }

    /// Number of samples so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The samples tree so far. `resolve` describes the methods.
    pub fn profile(&self, resolve: impl FnMut(u32) -> MethodInfo) -> Result<Profile, TreeError> {
        let mut builder = Builder::new(Kind::Samples, self.call_sites, resolve);
        for thread in &self.threads {
            builder.tree(
                Some(&thread.name),
                thread.id,
                thread.tree.tree()?.lift()?,
                thread.remainder,
            );
        }
        builder.finish()
    }

    fn thread(&mut self, id: u64) -> &mut SampledThread {
        if self.threads.get(self.last).is_some_and(|t| t.id == id) {
            return &mut self.threads[self.last];
        }
        let index = *self.known.entry(id).or_insert_with(|| {
            self.threads.push(SampledThread {
                id,
                ..SampledThread::default()
            });
            self.threads.len() - 1
        });
        self.last = index;
        &mut self.threads[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::paths;

    fn stack(frames: &[(u32, u32)]) -> Vec<Frame> {
        frames
            .iter()
            .map(|&(method, bci)| Frame {
                method,
                bci,
                upcall: false,
            })
            .collect()
    }

    fn resolve(id: u32) -> MethodInfo {
        MethodInfo::new("A", &format!("m{id}"), "()V", false, false)
    }

    fn text(recorder: &mut Recorder) -> String {
        let mut out = Vec::new();
        paths::write(
            &recorder.profile(resolve).unwrap(),
            &crate::export::Settings::default(),
            &mut out,
        )
        .unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn samples_count_for_the_top_of_the_stack() {
        let mut recorder = Recorder::new(true);
        recorder.name_thread(7, "main");
        for (frames, bytecodes) in [
            (&[(0, 5), (1, 2)][..], 10),
            (&[(0, 5), (1, 9)], 10),
            (&[(0, 8), (1, 9)], 11),
            (&[(0, 5), (1, 2), (2, 0)], 10),
            (&[(0, 5)], 9),
        ] {
            recorder.sample(7, stack(frames), bytecodes).unwrap();
        }
        recorder.remainder(7, 3);
        assert_eq!(
            text(&mut recorder),
            "[main]\t0\t0\n\
             [main];@-1:A.m0()V\t1\t9\n\
             [main];@-1:A.m0()V;@5:A.m1()V\t2\t20\n\
             [main];@-1:A.m0()V;@5:A.m1()V;@2:A.m2()V\t1\t10\n\
             [main];@-1:A.m0()V;@8:A.m1()V\t1\t11\n"
        );
        let totals = recorder.profile(resolve).unwrap().totals();
        assert_eq!(
            (totals.bytecodes, totals.invocations, totals.threads),
            (53, 5, 1)
        );
        assert_eq!(recorder.samples(), 5);
    }

    #[test]
    fn without_call_sites_positions_do_not_matter() {
        let mut recorder = Recorder::new(false);
        recorder.sample(1, stack(&[(0, 5), (1, 2)]), 10).unwrap();
        recorder.sample(1, stack(&[(0, 8), (1, 2)]), 10).unwrap();
        recorder.sample(1, stack(&[]), 4).unwrap();
        assert_eq!(
            text(&mut recorder),
            "[]\t0\t0\n[];A.m0()V\t0\t0\n[];A.m0()V;A.m1()V\t2\t20\n"
        );
        assert_eq!(recorder.profile(resolve).unwrap().totals().bytecodes, 24);
    }
}
