//! Allocation sites: the stacks that objects of a dump say they were allocated by.

use crate::classes::Type;
use crate::error::Error;
use crate::graph::Dump;
use crate::input::Input;
use crate::records::{Head, Sink, segment};
use hashbrown::HashMap;

/// The allocations of a class by a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// Serial number of the stack.
    pub trace: u32,
    /// Index of the class.
    pub class: u32,
    /// Objects in the dump.
    pub objects: u64,
    /// Bytes they take.
    pub bytes: u64,
    /// Objects and bytes ever allocated, if the dump says so.
    pub allocated: Option<(u64, u64)>,
    /// Of how many objects that were freed it is known how long they lived: in sum through that many bytecodes and
    /// collections.
    pub lived: Option<(u64, u64, u64)>,
}

/// Data about a site from separate records.
#[derive(Default)]
struct Allocated {
    objects: u64,
    bytes: u64,
    lived: Option<(u64, u64, u64)>,
}

/// The stack of each object, in the order of their numbers.
#[derive(Default)]
struct Traces {
    of: Vec<u32>,
}

impl Sink for Traces {
    fn class(&mut self, _: crate::records::ClassRecord) -> Result<(), crate::error::Problem> {
        self.of.push(0);
        Ok(())
    }
    fn object(&mut self, head: Head, _: &mut Input, _: u32) -> Result<(), Error> {
        self.of.push(head.trace);
        Ok(())
    }
}

/// The serial number of the stack of each object, by number. The file is read once more.
pub fn traces(dump: &mut Dump) -> Result<Vec<u32>, Error> {
    let mut traces = Traces::default();
    let (input, segments, loaded) = dump.heap();
    let id = loaded.id;
    for &s in &segments.to_vec() {
        segment(input, s, id, &mut traces)?;
    }
    Ok(traces.of)
}

/// The sites of a dump, most bytes first; those of the stack without frames too. The file is read once more.
pub fn sites(dump: &mut Dump) -> Result<Vec<Site>, Error> {
    let traces = traces(dump)?;
    let mut sums: HashMap<(u32, u32), (u64, u64)> = HashMap::new();
    for object in 0..dump.objects() {
        let trace = traces.get(object as usize).copied().unwrap_or_default();
        let sum = sums.entry((trace, dump.class_of(object))).or_default();
        sum.0 += 1;
        sum.1 += dump.size(object);
    }
    let loaded = dump.loaded();
    let mut allocated = HashMap::new();
    for s in &loaded.alloc_sites {
        let Some(&(id, name)) = loaded.loaded.get(&s.class_serial) else {
            continue;
        };
        // those of primitive types are known by name alone
        let name = loaded.text(name);
        let class = Type::PRIMITIVE.into_iter().find(|t| {
            let class = &loaded.classes[crate::load::Loaded::primitive_array(*t) as usize];
            name.as_deref().map(crate::classes::readable).as_ref() == Some(&class.name)
        });
        let class = match class {
            Some(t) => crate::load::Loaded::primitive_array(t),
            None => match loaded.class_index.get(&id) {
                Some(&c) => c,
                None => continue,
            },
        };
        let sum: &mut Allocated = allocated.entry((s.trace, class)).or_default();
        match (s.lived, &mut sum.lived) {
            // the same once more, in full
            (Some(lived), None) => {
                *sum = Allocated {
                    objects: s.objects,
                    bytes: s.bytes,
                    lived: Some(lived),
                };
            }
            (Some(more), Some(lived)) => {
                sum.objects = sum.objects.saturating_add(s.objects);
                sum.bytes = sum.bytes.saturating_add(s.bytes);
                lived.0 = lived.0.saturating_add(more.0);
                lived.1 = lived.1.saturating_add(more.1);
                lived.2 = lived.2.saturating_add(more.2);
            }
            (None, _) => {
                sum.objects = sum.objects.saturating_add(s.objects);
                sum.bytes = sum.bytes.saturating_add(s.bytes);
            }
        }
        sums.entry((s.trace, class)).or_default();
    }
    let mut sites: Vec<Site> = sums
        .into_iter()
        .map(|((trace, class), (objects, bytes))| Site {
            trace,
            class,
            objects,
            bytes,
            allocated: allocated.get(&(trace, class)).map(|a| (a.objects, a.bytes)),
            lived: allocated.get(&(trace, class)).and_then(|a| a.lived),
        })
        .collect();
    sites.sort_by_key(|s| (std::cmp::Reverse(s.bytes), s.trace, s.class));
    Ok(sites)
}
