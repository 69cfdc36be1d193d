//! Objects and bytes of each class; what a set of objects keeps alive.

use crate::graph::{Dump, ObjectId};

/// How much there is of a class.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Row {
    /// Index of the class.
    pub class: u32,
    /// Its objects.
    pub objects: u64,
    /// Bytes they take themselves.
    pub bytes: u64,
}

/// How much there is of each class.
pub struct Histogram {
    /// The classes that have objects, most bytes first, equals by name.
    pub rows: Vec<Row>,
}

impl Histogram {
    /// Counts the objects that `counts` says yes to.
    pub fn new(dump: &Dump, counts: impl Fn(ObjectId) -> bool) -> Histogram {
        let mut rows: Vec<Row> = (0..dump.classes().len() as u32)
            .map(|class| Row {
                class,
                ..Row::default()
            })
            .collect();
        for object in (0..dump.objects()).filter(|&o| counts(o)) {
            let row = &mut rows[dump.class_of(object) as usize];
            row.objects += 1;
            row.bytes += dump.size(object);
        }
        rows.retain(|r| r.objects > 0);
        let name = |r: &Row| &dump.classes()[r.class as usize].name;
        rows.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| name(a).cmp(name(b))));
        Histogram { rows }
    }
    /// Objects of all classes.
    pub fn objects(&self) -> u64 {
        self.rows.iter().map(|r| r.objects).sum()
    }
    /// Bytes of all classes.
    pub fn bytes(&self) -> u64 {
        self.rows.iter().map(|r| r.bytes).sum()
    }
}

/// The objects that would be freed with those for which `of` is true: these, if the roots reach them, and the objects reached
/// through them alone. By object.
pub fn retained_set(dump: &Dump, of: impl Fn(ObjectId) -> bool) -> Vec<bool> {
    let reach = |stop: &dyn Fn(ObjectId) -> bool| {
        let mut seen = vec![false; dump.objects() as usize];
        let mut stack = Vec::new();
        let roots = dump.roots().iter().map(|r| r.object);
        for object in roots {
            if !seen[object as usize] && !stop(object) {
                seen[object as usize] = true;
                stack.push(object);
            }
            while let Some(v) = stack.pop() {
                for &w in dump.referred(v) {
                    if !seen[w as usize] && !stop(w) {
                        seen[w as usize] = true;
                        stack.push(w);
                    }
                }
            }
        }
        seen
    };
    let without = reach(&of);
    let mut all = reach(&|_| false);
    for (all, without) in all.iter_mut().zip(without) {
        *all &= !without;
    }
    all
}
