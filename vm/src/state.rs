//! The parts of a VM's state that other crates can read, and the few that they can change: the fields themselves are private, so
//! that no other code breaks their invariants.

use crate::cancel::{Canceller, Watchdog};
use crate::classes::Method;
use crate::classes::class_files::ClassFileOf;
use crate::classpath::BootPath;
use crate::heap::{Heap, HeapMut};
use crate::host::Host;
use crate::ids::{ClassId, LoaderId, MethodId, Sym, ThreadId};
use crate::jdk::KnownClasses;
use crate::natives::Env;
use crate::offheap::OffHeap;
use crate::symbols::Symbols;
use crate::threads::JavaThread;
use crate::vm::{Extensions, Options, Vm};
use rjvm_profiler::samples::Recorder;
use std::time::{Duration, Instant};

/// The rooms of a VM that natives work in, each on its own: for code that reads one and changes another.
pub struct Rooms<'a> {
    /// Objects.
    pub heap: HeapMut<'a>,
    /// Memory that Java reaches by address.
    pub offheap: &'a mut OffHeap,
    /// The outside world.
    pub host: &'a mut dyn Host,
    /// What tables of natives keep.
    pub extensions: &'a mut Extensions,
}

impl Vm {
    /// Objects.
    #[inline(always)]
    pub fn heap(&self) -> &Heap {
        &self.heap
    }
    /// Objects, to be changed.
    #[inline(always)]
    pub fn heap_mut(&mut self) -> HeapMut<'_> {
        HeapMut(&mut self.heap)
    }
    /// The outside world.
    #[inline(always)]
    pub fn host(&mut self) -> &mut dyn Host {
        self.notify_host();
        self.show_clock();
        &mut *self.host
    }
    /// Notifies a host that counts bytecodes how far the program is. Call this before each request to the host.
    #[inline(always)]
    pub(crate) fn notify_host(&mut self) {
        if self.host_counts {
            let executed = self.bytecodes_now();
            self.host.at_bytecode(executed);
        }
    }
    /// What tables of natives keep, by names of their choosing.
    #[inline(always)]
    pub fn extensions(&mut self) -> &mut Extensions {
        &mut self.ext
    }
    /// All of these at once.
    pub fn rooms(&mut self) -> Rooms<'_> {
        self.notify_host();
        self.show_clock();
        Rooms {
            heap: HeapMut(&mut self.heap),
            offheap: &mut self.offheap,
            host: &mut *self.host,
            extensions: &mut self.ext,
        }
    }
    /// Well-known classes.
    #[inline(always)]
    pub fn known(&self) -> &KnownClasses {
        &self.loaded.known
    }
    /// Where the boot loader finds classes; `None` until that is settled.
    pub fn boot_path_mut(&mut self) -> Option<&mut BootPath> {
        self.loaded.boot_path.as_mut()
    }
    /// Bytecodes that may still run (`None`: no limit).
    pub fn fuel(&self) -> Option<i64> {
        self.limits.fuel
    }
    /// Sets how many bytecodes may still run: the VM stops when exactly that many have begun. A native's call
    /// counts from when the interpreter is next entered.
    pub fn set_fuel(&mut self, fuel: Option<i64>) {
        self.limits.fuel = fuel;
    }
    /// Methods that are translated from now on run at full speed, and their locals and operands cannot be read: for a VM that only
    /// looks where it comes. Execution and counts are the same.
    pub fn end_inspection(&mut self) {
        self.options.inspectable = false;
    }
    /// What stops the VM from another OS thread.
    pub fn canceller(&mut self) -> Canceller {
        self.limits.canceller.share(&mut *self.host)
    }
    /// Whether a request has stopped it in the middle of a collection, which whatever looks at its objects finishes.
    pub fn is_collecting(&self) -> bool {
        self.heap.is_paused()
    }
    /// Real time that the VM may still run (`None`: no limit).
    pub fn wall_time(&self) -> Option<Duration> {
        self.limits.wall_time
    }
    /// Sets how long the VM may still run in real time: time between calls does not count. When it has ended, the VM stops with
    /// [`Halt::WallTime`](crate::cancel::Halt::WallTime), and continues if it is given more. Where it stops differs from run to
    /// run, unlike the end of the fuel. Takes an OS thread, which may be refused.
    pub fn set_wall_time(&mut self, left: Option<Duration>) -> std::io::Result<()> {
        if left.is_some() && self.limits.watchdog.is_none() {
            let canceller = self.canceller();
            self.limits.watchdog = Some(Watchdog::new(canceller)?);
        }
        self.limits.wall_time = left;
        Ok(())
    }
    /// The VM begins to run.
    pub(crate) fn time_begins(&mut self) -> Option<Instant> {
        let left = self.limits.wall_time?;
        self.limits.watchdog.as_ref()?.arm(left);
        Some(Instant::now())
    }
    /// It has run since then.
    pub(crate) fn time_ends(&mut self, since: Option<Instant>) {
        let Some(since) = since else { return };
        if let Some(watchdog) = &self.limits.watchdog {
            watchdog.disarm();
        }
        self.limits.wall_time = self
            .limits
            .wall_time
            .map(|t| t.saturating_sub(since.elapsed()));
    }
    /// Bytecodes that all threads have executed so far.
    pub fn bytecodes(&self) -> i64 {
        self.bytecodes
    }
    /// When it was made, by its clock.
    pub(crate) fn started(&self) -> i64 {
        self.started
    }
    /// Recorder of samples. It has all of them after [`Vm::settle_samples`].
    pub fn samples(&self) -> Option<&Recorder> {
        self.profile.samples.as_ref()
    }
    /// From now on samples are recorded in `recorder`.
    pub fn record_samples(&mut self, recorder: Recorder) {
        self.profile.samples = Some(recorder);
    }
    /// Class files by the class defined from them, if they are stored; they are the caller's now.
    pub fn take_class_files(&mut self) -> Vec<ClassFileOf> {
        std::mem::take(&mut self.loaded.class_files)
    }
    /// Takes the class library to be up, though no boot sequence has run: for hosts that run classes without it.
    pub fn take_as_booted(&mut self, booted: bool) {
        self.booted = booted;
    }
    /// Whether a method has this number.
    pub fn knows_method(&self, m: MethodId) -> bool {
        self.loaded.methods.find(m).is_some()
    }
    /// Threads that are alive, in the order in which they came up.
    pub fn live_threads(&self) -> impl ExactSizeIterator<Item = ThreadId> {
        self.sched.live.values().copied()
    }
    /// Threads that there have been.
    pub fn threads_started(&self) -> u64 {
        self.sched.started - self.sched.continuations_started
    }
    /// The feature version of the JDK whose class library runs.
    pub fn feature(&self) -> u32 {
        self.library().feature()
    }
    /// Settings.
    #[inline(always)]
    pub fn options(&self) -> &Options {
        &self.options
    }
    /// Lets go the address space that was kept free for a profile's making.
    pub fn release_kept_contexts(&mut self) {
        self.profile.cct.release_kept_free();
    }
    /// Names.
    #[inline(always)]
    pub fn symbols(&self) -> &Symbols {
        &self.syms
    }
    /// The symbol of a name, made if there is none.
    pub(crate) fn symbol(&mut self, name: &str) -> Sym {
        self.syms.intern(name)
    }
    /// Objects that the native under way keeps for the next time it runs. Panics if there is none: what a host keeps over
    /// a collection has to be in a root cell.
    pub(crate) fn native_refs(&mut self) -> &mut Vec<crate::ids::Ref> {
        assert!(self.heap.inside, "no native is under way");
        &mut self.thread().native_refs
    }
    /// The running thread's number.
    #[inline(always)]
    pub fn current(&self) -> ThreadId {
        self.cur
    }
    /// Makes a thread that the host owns the current one, while nothing runs.
    pub fn make_current(&mut self, t: ThreadId) {
        assert!(
            !self.in_interpreter,
            "threads change between bytecodes only"
        );
        assert!((t.0 as usize) < self.threads.len(), "no thread {t:?}");
        self.cur = t;
    }
    /// A thread.
    pub fn a_thread(&self, t: ThreadId) -> &JavaThread {
        &self.threads[t.0 as usize]
    }
    /// All threads there have been, by number.
    pub fn all_threads(&self) -> impl ExactSizeIterator<Item = &JavaThread> {
        self.threads.iter().map(|t| &**t)
    }
    /// All classes in order of creation.
    pub(crate) fn all_classes(&self) -> &[ClassId] {
        &self.loaded.classes
    }
    /// The remembered facts about a method that has been unloaded.
    pub fn retired_method(&self, m: MethodId) -> Option<&crate::classes::methods::Retired> {
        self.loaded.methods.retired(m)
    }
    /// The serial number of a loader.
    pub fn loader_serial(&self, l: LoaderId) -> u32 {
        self.loaded.loaders[l.0 as usize].serial
    }
    /// All methods by number.
    pub fn all_methods(&self) -> impl Iterator<Item = &Method> {
        self.loaded.methods.iter()
    }
}

impl Env {
    /// Heap, memory outside it, host and what tables of natives keep, at once.
    pub fn rooms(&mut self) -> Rooms<'_> {
        self.0.rooms()
    }
    /// Memory that Java reaches by address.
    #[inline(always)]
    pub fn offheap(&self) -> &OffHeap {
        &self.0.offheap
    }
    /// Memory that Java reaches by address, to be changed.
    #[inline(always)]
    pub fn offheap_mut(&mut self) -> &mut OffHeap {
        &mut self.0.offheap
    }
    /// The most threads that were alive at once since this was last reset.
    pub fn peak_of_threads(&self) -> usize {
        self.0.sched.peak
    }
    /// Begins to look for the peak again.
    pub fn reset_peak_of_threads(&mut self) {
        self.0.sched.peak = self.0.sched.platform_threads();
    }
    /// Switches `-XX:HeapDumpOnOutOfMemoryError` while the VM runs.
    pub fn set_heap_dump_on_oom(&mut self, on: bool) {
        self.0.options.heap_dump_on_oom = on;
    }
    /// Sets `-XX:HeapDumpPath` while the VM runs.
    pub fn set_heap_dump_path(&mut self, path: Option<String>) {
        self.0.options.heap_dump_path = path;
    }
    /// Switches `-XX:ShowCodeDetailsInExceptionMessages` while the VM runs.
    pub fn set_null_pointer_messages(&mut self, on: bool) {
        self.0.options.null_pointer_messages = on;
    }
    /// Whether thread dumps on SIGQUIT have the synchronizers that threads own.
    pub fn set_print_concurrent_locks(&mut self, on: bool) {
        self.0.options.print_concurrent_locks = on;
    }
    /// What the native under way keeps for the next time it runs; zeros when it has returned.
    pub fn native_state(&mut self) -> &mut [u64; 3] {
        &mut self.0.thread().native_state
    }
}
