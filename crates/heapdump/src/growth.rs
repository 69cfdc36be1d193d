//! Growth between two dumps, and the objects that hold it: leak suspects.

use crate::dominators::Dominators;
use crate::graph::{Dump, ObjectId};
use crate::histogram::Histogram;
use std::collections::BTreeMap;

/// A class in two dumps.
#[derive(Clone, Debug)]
pub struct ClassGrowth {
    /// Its name.
    pub name: String,
    /// Objects before and after.
    pub objects: (u64, u64),
    /// Bytes before and after.
    pub bytes: (u64, u64),
}

/// A holder in the newer of two dumps, of which more hangs than in the older one.
#[derive(Clone, Debug)]
pub struct HolderGrowth {
    /// The object in the newer dump that holds the growth.
    pub object: ObjectId,
    /// Bytes retained before and after.
    pub retained: (u64, u64),
    /// Which classes' objects hang immediately off it, and how many of them before and after; most growth first.
    pub grown: Vec<(String, u64, u64)>,
}

/// The classes of two dumps whose numbers differ, most growth first. `reached` limits to objects that roots reach.
pub fn class_growth(old: (&Dump, &Histogram), new: (&Dump, &Histogram)) -> Vec<ClassGrowth> {
    let mut rows: BTreeMap<&str, ClassGrowth> = BTreeMap::new();
    for (is_new, (dump, histogram)) in [(false, old), (true, new)] {
        for r in &histogram.rows {
            let name = &dump.classes()[r.class as usize].name;
            let row = rows.entry(name).or_insert_with(|| ClassGrowth {
                name: name.clone(),
                objects: (0, 0),
                bytes: (0, 0),
            });
            match is_new {
                false => {
                    row.objects.0 += r.objects;
                    row.bytes.0 += r.bytes;
                }
                true => {
                    row.objects.1 += r.objects;
                    row.bytes.1 += r.bytes;
                }
            }
        }
    }
    let mut rows: Vec<ClassGrowth> = rows.into_values().collect();
    rows.retain(|r| r.objects.0 != r.objects.1 || r.bytes.0 != r.bytes.1);
    rows.sort_by_key(|r| r.bytes.0 as i128 - r.bytes.1 as i128);
    rows
}

/// The dominated of some objects that have the same label: the same class, or which class they are.
#[derive(Default)]
struct Group {
    old: Vec<ObjectId>,
    new: Vec<ObjectId>,
    retained: (u64, u64),
}

impl Group {
    fn growth(&self) -> u64 {
        self.retained.1.saturating_sub(self.retained.0)
    }
}

fn label(dump: &Dump, object: ObjectId) -> String {
    match dump.as_class(object) {
        Some(class) => format!("class {}", class.name),
        None => dump.classes()[dump.class_of(object) as usize].name.clone(),
    }
}

/// The dominated of `old` and `new`, by label.
fn groups(
    old: (&Dump, &Dominators, Option<&[ObjectId]>),
    new: (&Dump, &Dominators, Option<&[ObjectId]>),
) -> BTreeMap<String, Group> {
    let mut found: BTreeMap<String, Group> = BTreeMap::new();
    for (is_new, (dump, tree, of)) in [(false, old), (true, new)] {
        let below: Vec<ObjectId> = match of {
            None => tree.dominated(None).to_vec(),
            Some(of) => of
                .iter()
                .flat_map(|&o| tree.dominated(Some(o)).iter().copied())
                .collect(),
        };
        for object in below {
            let group = found.entry(label(dump, object)).or_default();
            match is_new {
                false => {
                    group.old.push(object);
                    group.retained.0 += tree.retained(object);
                }
                true => {
                    group.new.push(object);
                    group.retained.1 += tree.retained(object);
                }
            }
        }
    }
    found
}

/// Leak suspects: where in the newer dump's dominator tree the growth of at least `least` bytes sits that is not
/// further down in one object. The two trees are gone down together, objects of a class beside each other.
pub fn holder_growth(
    old: (&Dump, &Dominators),
    new: (&Dump, &Dominators),
    least: u64,
) -> Vec<HolderGrowth> {
    let mut suspects = Vec::new();
    // objects of the newer dump whose growth is to be explained, those beside them in the older, bytes of both
    let mut open: Vec<Option<Group>> = vec![None];
    while let Some(at) = open.pop() {
        let (of_old, of_new) = match &at {
            None => (None, None),
            Some(g) => (Some(&g.old[..]), Some(&g.new[..])),
        };
        let groups = groups((old.0, old.1, of_old), (new.0, new.1, of_new));
        let mut explained = 0;
        let mut grown = Vec::new();
        for (name, group) in groups {
            let growth = group.growth();
            if group.new.len() > group.old.len() || growth > 0 {
                grown.push((name, group.old.len() as u64, group.new.len() as u64, growth));
            }
            // as many as before: the growth is below them
            if growth >= least && group.new.len() == group.old.len() && group.new.len() <= 16 {
                explained += growth;
                open.push(Some(group));
            }
        }
        let Some(group) = at else { continue };
        if group.growth().saturating_sub(explained) < least {
            continue;
        }
        grown.sort_by_key(|g| std::cmp::Reverse(g.3));
        // of several beside each other, the one that retains most
        let object = group.new.iter().copied();
        let Some(object) = object.max_by_key(|&o| (new.1.retained(o), std::cmp::Reverse(o))) else {
            continue;
        };
        suspects.push(HolderGrowth {
            object,
            retained: group.retained,
            grown: grown.into_iter().map(|g| (g.0, g.1, g.2)).collect(),
        });
    }
    suspects.sort_by_key(|s| {
        let growth = s.retained.1.saturating_sub(s.retained.0);
        (std::cmp::Reverse(growth), s.object)
    });
    suspects
}
