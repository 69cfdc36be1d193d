//! The objects in the heap, by class, and how full its spaces are: the figures of `jmap -histo` and `jcmd GC.heap_info`.

use crate::ids::ClassId;
use crate::vm::Vm;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The objects of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfClass {
    /// The class, as `Class.getName` has it.
    pub class: String,
    /// Name and version of its module, if that has a name.
    pub module: Option<(String, Option<String>)>,
    /// How many there are.
    pub instances: u64,
    /// The bytes they take.
    pub bytes: u64,
}

/// How full the spaces of the heap and of class metadata are, in bytes: used, and as large as they are now; then as they may be.
#[derive(Clone, Copy, Debug)]
pub struct HeapFigures {
    /// Where objects are made.
    pub eden: [i64; 2],
    /// Where young ones live on.
    pub survivors: [[i64; 2]; 2],
    /// Where old ones are.
    pub old: [i64; 3],
    /// Class metadata.
    pub metadata: [i64; 3],
    /// Blocks of classes: used, and as large as they may be.
    pub classes: [i64; 2],
}

impl HeapFigures {
    /// Bytes that all young spaces have.
    pub fn young_size(&self) -> i64 {
        self.eden[1] + self.survivors[0][1] + self.survivors[1][1]
    }
}

impl Vm {
    /// The classes that have objects in the heap, those with most bytes first: all objects, be they reachable or not.
    /// Those of `java.lang.Class`, which lie beside the heap, are counted with the static fields of their classes.
    pub fn histogram(&mut self) -> Vec<OfClass> {
        self.settle_heap();
        let mut sums: BTreeMap<ClassId, (u64, u64)> = BTreeMap::new();
        let heap = &self.heap;
        heap.each_object(|r| {
            let sum = sums.entry(heap.class_of(r)).or_default();
            sum.0 += 1;
            sum.1 += heap.size_of(r) as u64;
        });
        let sum = sums.entry(self.loaded.known.class).or_default();
        for &c in self
            .loaded
            .classes
            .iter()
            .filter(|&&c| !self.mirror(c).is_null())
        {
            sum.0 += 1;
            sum.1 += u64::from(self.class(c).mirror_size);
        }
        let mut rows = Vec::new();
        for (c, (instances, bytes)) in sums {
            let mut element = c;
            while let crate::classes::ClassKind::Array(e) = self.class(element).kind {
                element = e;
            }
            let module = self.module_of(element).non_null();
            let module = module.and_then(|m| self.module_name(m));
            rows.push(OfClass {
                class: self.class(c).dotted(),
                module,
                instances,
                bytes,
            });
        }
        rows.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.class.cmp(&b.class)));
        rows
    }
    /// How full the spaces are.
    pub fn heap_figures(&mut self) -> HeapFigures {
        self.settle_heap();
        let base = self.heap.region.base();
        let gc = &self.heap.gc;
        let s = &gc.spaces;
        let [eden, survivors, _] = gc.used_spaces(base).map(|(from, to)| to - from);
        let mut both = [[0, s.survivor_max as i64]; 2];
        both[gc.full][0] = survivors as i64;
        let old = gc.old_used();
        let meta = self.heap.metaspace();
        let committed = meta.committed();
        let numbers = |of: [usize; 3]| of.map(|n| n as i64);
        HeapFigures {
            eden: [eden as i64, (gc.eden_end - s.eden) as i64],
            survivors: both,
            old: numbers([old, gc.threshold.max(old), s.max]),
            metadata: numbers([
                meta.used(),
                committed,
                self.options.max_metaspace.unwrap_or(committed),
            ]),
            classes: [meta.class_space() as i64, self.options.class_space as i64],
        }
    }
    /// The spaces of the heap and of class metadata, with their used bytes, in the words of HotSpot's serial collector.
    /// Addresses are offsets from the heap's base.
    pub fn heap_spaces(&mut self) -> String {
        self.settle_heap();
        let base = self.heap.region.base();
        let gc = &self.heap.gc;
        let s = &gc.spaces;
        let [eden, survivors, _] = gc.used_spaces(base).map(|(from, to)| to - from);
        let k = |bytes: usize| bytes.div_ceil(1024);
        let percent = |used: usize, of: usize| used * 100 / of.max(1);
        let eden_size = gc.eden_end - s.eden;
        let mut out = String::new();
        let mut line = |text: std::fmt::Arguments| {
            let _ = writeln!(out, "{text}");
        };
        line(format_args!(
            " def new generation   total {}K, used {}K [{:#018x}, {:#018x})",
            k(eden_size + s.survivor_max),
            k(eden + survivors),
            s.eden,
            s.old
        ));
        let (full, empty) = (s.survivors[gc.full], s.survivors[1 - gc.full]);
        for (name, used, size, at) in [
            ("eden", eden, eden_size, s.eden),
            ("from", survivors, s.survivor_max, full),
            ("to  ", 0, s.survivor_max, empty),
        ] {
            line(format_args!(
                "  {name} space {}K, {:3}% used [{at:#018x}, {:#018x})",
                k(size),
                percent(used, size),
                at + size
            ));
        }
        let (old, total) = (gc.old_used(), gc.threshold.max(gc.old_used()));
        line(format_args!(
            " tenured generation   total {}K, used {}K [{:#018x}, {:#018x})",
            k(total),
            k(old),
            s.old,
            s.end
        ));
        line(format_args!(
            "   the space {}K, {:3}% used [{:#018x}, {:#018x})",
            k(total),
            percent(old, total),
            s.old,
            s.old + total
        ));
        out + &self.metadata_spaces()
    }
    /// The size and use of class metadata, in HotSpot's words.
    pub fn metadata_spaces(&self) -> String {
        let k = |bytes: usize| bytes.div_ceil(1024);
        let meta = self.heap.metaspace();
        let reserved = self.options.max_metaspace.unwrap_or(meta.committed());
        format!(
            " Metaspace       used {}K, committed {}K, reserved {}K\n  \
             class space    used {}K, committed {}K, reserved {}K\n",
            k(meta.used()),
            k(meta.committed()),
            k(reserved.max(meta.committed())),
            k(meta.class_space()),
            k(meta.class_space()),
            k(self.options.class_space)
        )
    }
}
