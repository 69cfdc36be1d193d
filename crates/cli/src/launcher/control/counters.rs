//! What `jstat` shows of a running VM: figures of the heap, collections and classes in the file by which `jps` finds it, brought up to
//! date between the turns of threads.

use rjvm_vm::Vm;
use rjvm_vm::heap::histogram::HeapFigures;
use std::fs::OpenOptions;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How old the figures of a program that runs may be.
const OLD: Duration = Duration::from_millis(50);

/// The figures at a moment.
pub struct Figures {
    heap: HeapFigures,
    /// Young and full collections, and nanoseconds that they took.
    collections: [i64; 2],
    nanos: [i64; 2],
    /// Classes loaded and unloaded so far.
    classes: [i64; 2],
}

/// A figure.
pub struct PerfCounter {
    /// The name that `jstat` asks for.
    pub name: &'static str,
    /// Whether it is in bytes.
    pub bytes: bool,
    value: fn(&Figures) -> i64,
}

macro_rules! counters {
    ($( $name:literal $bytes:literal $value:expr; )*) => {
        /// All of them.
        pub static COUNTERS: &[PerfCounter] = &[$( PerfCounter { name: $name, bytes: $bytes, value: $value } ),*];
    };
}

counters! {
    "sun.gc.generation.0.minCapacity" true |_| 0;
    "sun.gc.generation.0.maxCapacity" true |f| f.heap.young_size();
    "sun.gc.generation.0.capacity" true |f| f.heap.young_size();
    "sun.gc.generation.0.space.0.capacity" true |f| f.heap.eden[1];
    "sun.gc.generation.0.space.0.used" true |f| f.heap.eden[0];
    "sun.gc.generation.0.space.1.capacity" true |f| f.heap.survivors[0][1];
    "sun.gc.generation.0.space.1.used" true |f| f.heap.survivors[0][0];
    "sun.gc.generation.0.space.2.capacity" true |f| f.heap.survivors[1][1];
    "sun.gc.generation.0.space.2.used" true |f| f.heap.survivors[1][0];
    "sun.gc.generation.1.minCapacity" true |_| 0;
    "sun.gc.generation.1.maxCapacity" true |f| f.heap.old[2];
    "sun.gc.generation.1.capacity" true |f| f.heap.old[1];
    "sun.gc.generation.1.space.0.capacity" true |f| f.heap.old[1];
    "sun.gc.generation.1.space.0.used" true |f| f.heap.old[0];
    "sun.gc.metaspace.minCapacity" true |_| 0;
    "sun.gc.metaspace.maxCapacity" true |f| f.heap.metadata[2];
    "sun.gc.metaspace.capacity" true |f| f.heap.metadata[1];
    "sun.gc.metaspace.used" true |f| f.heap.metadata[0];
    "sun.gc.compressedclassspace.minCapacity" true |_| 0;
    "sun.gc.compressedclassspace.maxCapacity" true |f| f.heap.classes[1];
    "sun.gc.compressedclassspace.capacity" true |f| f.heap.classes[0];
    "sun.gc.compressedclassspace.used" true |f| f.heap.classes[0];
    "sun.gc.collector.0.invocations" false |f| f.collections[0];
    "sun.gc.collector.0.time" false |f| f.nanos[0];
    "sun.gc.collector.1.invocations" false |f| f.collections[1];
    "sun.gc.collector.1.time" false |f| f.nanos[1];
    "java.cls.loadedClasses" false |f| f.classes[0];
    "java.cls.unloadedClasses" false |f| f.classes[1];
    "java.cls.sharedLoadedClasses" false |_| 0;
    "java.cls.sharedUnloadedClasses" false |_| 0;
    "sun.cls.loadedBytes" true |f| f.heap.metadata[0];
    "sun.cls.unloadedBytes" true |_| 0;
    "sun.cls.sharedLoadedBytes" true |_| 0;
    "sun.cls.sharedUnloadedBytes" true |_| 0;
    "sun.cls.time" false |_| 0;
}

fn figures(vm: &mut Vm) -> Figures {
    let (all, full) = vm.collections();
    let (loaded, unloaded) = vm.class_counts();
    Figures {
        heap: vm.heap_figures(),
        collections: [(all - full) as i64, full as i64],
        nanos: [false, true].map(|full| vm.past_collections(full).1),
        classes: [loaded as i64, unloaded as i64],
    }
}

/// The file with the figures, and where they are in it. It is not kept open: a descriptor is the program's.
pub struct Counters {
    path: PathBuf,
    bytes: Vec<u8>,
    places: Vec<usize>,
    reported: Option<Instant>,
}

impl Counters {
    /// In a file of these bytes, at these places.
    pub fn new(path: PathBuf, bytes: Vec<u8>, places: Vec<usize>) -> Counters {
        Counters {
            path,
            bytes,
            places,
            reported: None,
        }
    }
    /// Whether the figures are old.
    pub fn are_old(&self) -> bool {
        self.reported
            .is_none_or(|reported| reported.elapsed() >= OLD)
    }
    /// Writes the current figures. Only tools that look need them, so failures are not reported.
    pub fn update(&mut self, vm: &mut Vm) {
        let figures = figures(vm);
        for (counter, &place) in COUNTERS.iter().zip(&self.places) {
            let value = (counter.value)(&figures).to_ne_bytes();
            self.bytes[place..place + value.len()].copy_from_slice(&value);
        }
        let mut options = OpenOptions::new();
        let options = options.write(true).custom_flags(libc::O_NOFOLLOW);
        let _ = options
            .open(&self.path)
            .and_then(|file| file.write_all_at(&self.bytes, 0));
        self.reported = Some(Instant::now());
    }
}
