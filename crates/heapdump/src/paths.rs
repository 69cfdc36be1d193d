//! Shortest paths from the roots: why an object is alive.

use crate::error::Error;
use crate::graph::{Dump, Holder, ObjectId};
use crate::roots::{Root, RootKind};
use crate::stacks::Frame;
use hashbrown::HashMap;

const NONE: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

/// From each object the next one towards the nearest root.
pub struct Paths {
    towards: Vec<u32>,
}

/// A path from a root to an object.
#[derive(Clone, Debug)]
pub struct Path {
    /// The root it begins at.
    pub root: Root,
    /// The thread of the root, by name, if its kind has one.
    pub thread: Option<String>,
    /// The frame of the root, if its kind has one.
    pub frame: Option<Frame>,
    /// The local variable or operand of that frame that holds the first object, if the dump says so.
    pub local: Option<String>,
    /// The objects on the way, the root's first.
    pub steps: Vec<Step>,
}

/// An object on a path.
#[derive(Clone, Debug)]
pub struct Step {
    /// The object.
    pub object: ObjectId,
    /// Where it refers to the next one; nothing for the last.
    pub holder: Option<Holder>,
}

impl Paths {
    /// Searches from all roots at once, breadth first. Roots of plain kinds (frames, threads, classes) come before those that
    /// say less.
    pub fn new(dump: &Dump) -> Paths {
        let mut towards = vec![NONE; dump.objects() as usize];
        let mut roots: Vec<Root> = dump.roots().to_vec();
        roots.sort_by_key(|r| (r.kind, r.thread, r.frame, r.object));
        let mut now = Vec::new();
        for r in &roots {
            if towards[r.object as usize] == NONE {
                towards[r.object as usize] = ROOT;
                now.push(r.object);
            }
        }
        while !now.is_empty() {
            let mut next = Vec::new();
            for &v in &now {
                for &w in dump.referred(v) {
                    if towards[w as usize] == NONE {
                        towards[w as usize] = v;
                        next.push(w);
                    }
                }
            }
            now = next;
        }
        Paths { towards }
    }
    /// Whether a root reaches an object.
    pub fn reachable(&self, object: ObjectId) -> bool {
        self.towards[object as usize] != NONE
    }
    /// How many references lie between an object and the nearest root.
    pub fn length(&self, object: ObjectId) -> Option<usize> {
        self.reachable(object).then(|| self.way(object).len() - 1)
    }
    /// The objects from the root to `object`.
    fn way(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut way = vec![object];
        let mut at = object;
        while self.towards[at as usize] < ROOT {
            at = self.towards[at as usize];
            way.push(at);
        }
        way.reverse();
        way
    }
    /// The objects that `of` says yes to and roots reach, together where their paths have the same root and the same classes on
    /// them (several of one class in a row count as one): the first of them, and how many there are. Most objects first.
    pub fn alike(&self, dump: &Dump, of: impl Fn(ObjectId) -> bool) -> Vec<(ObjectId, u64)> {
        // the group of each object's path, once it is known
        let mut groups = vec![NONE; dump.objects() as usize];
        let mut known: HashMap<(u64, u32), u32> = HashMap::new();
        let mut last_class = Vec::new();
        let mut way = Vec::new();
        let mut found: HashMap<u32, (ObjectId, u64)> = HashMap::new();
        for object in (0..dump.objects()).filter(|&o| of(o) && self.reachable(o)) {
            let mut at = object;
            while groups[at as usize] == NONE {
                way.push(at);
                match self.towards[at as usize] {
                    ROOT => break,
                    next => at = next,
                }
            }
            while let Some(o) = way.pop() {
                let class = dump.class_of(o);
                let above = match self.towards[o as usize] {
                    // roots are distinguished by their objects, beyond all groups
                    ROOT => u64::from(o) | 1 << 32,
                    next => groups[next as usize].into(),
                };
                let same = last_class.get(above as usize) == Some(&class);
                groups[o as usize] = match same {
                    true => above as u32,
                    false => *known.entry((above, class)).or_insert_with(|| {
                        last_class.push(class);
                        last_class.len() as u32 - 1
                    }),
                };
            }
            let group = found.entry(groups[object as usize]);
            let group = group.or_insert((object, 0));
            group.1 += 1;
        }
        // the first is as good as any: those of a group differ in repetitions only
        let mut found: Vec<(ObjectId, u64)> = found.into_values().collect();
        found.sort_by_key(|&(o, n)| (std::cmp::Reverse(n), o));
        found
    }
    /// The shortest path to an object, if there is one.
    pub fn path(&self, dump: &mut Dump, object: ObjectId) -> Result<Option<Path>, Error> {
        if !self.reachable(object) {
            return Ok(None);
        }
        let way = self.way(object);
        let mut steps = Vec::new();
        for (i, &object) in way.iter().enumerate() {
            let holder = match way.get(i + 1) {
                Some(&next) => Some(dump.holder(object, next)?),
                None => None,
            };
            steps.push(Step { object, holder });
        }
        let first = way[0];
        let mut of_it = dump.roots().iter().filter(|r| r.object == first);
        let root = *of_it.next().expect("paths begin at roots");
        let mut path = Path {
            root,
            thread: None,
            frame: None,
            local: None,
            steps,
        };
        if let Some(thread) = dump.thread(root.thread) {
            path.thread = Some(thread.name.clone());
            if root.kind != RootKind::Thread {
                let trace = thread.trace;
                path.frame = dump.stack(trace).get(root.frame as usize).cloned();
            }
        }
        if root.kind == RootKind::Frame {
            let id = dump.address(first);
            let slot = dump
                .slots()
                .iter()
                .find(|s| s.object == id && s.thread == root.thread && s.frame == root.frame);
            path.local = slot.map(|s| match dump.loaded().text(s.name) {
                Some(name) => name,
                None if s.slot == u32::MAX => "an operand".to_string(),
                None => format!("slot {}", s.slot),
            });
        }
        Ok(Some(path))
    }
}
