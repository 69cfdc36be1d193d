//! Dominators: the objects through which all paths from the roots to an object lead. An object's retained size is what
//! would go if it went: itself and all that it dominates.
//!
//! The algorithm is by Lengauer and Tarjan, with path compression, `O(m log n)` at worst, on arrays of numbers. The
//! buckets share memory with other arrays: a vertex is in one bucket until its dominator is known, and the
//! head of a vertex's bucket is not needed any more once the vertex is linked.

use crate::graph::{Dump, ObjectId};

const NONE: u32 = u32::MAX;

/// The dominator tree.
pub struct Dominators {
    /// Of each object its immediate dominator; the number of objects means the roots together.
    parent: Vec<u32>,
    retained: Vec<u64>,
    /// Objects in the order in which a dominator comes before what it dominates.
    order: Vec<u32>,
    /// The dominated of each object, and of the roots at the end, in rows.
    starts: Vec<u32>,
    children: Vec<u32>,
}

struct Work {
    parent: Vec<u32>,
    /// Ancestor in the forest, for linked vertices; else the head of the bucket.
    ancestor: Vec<u32>,
    semi: Vec<u32>,
    label: Vec<u32>,
    /// Immediate dominator, once it is known; else the next in the bucket.
    dominator: Vec<u32>,
    path: Vec<u32>,
}

impl Work {
    /// The vertex of least semidominator on the way from `v` up to the root of its tree in the forest of the vertices
    /// from `linked` on.
    fn eval(&mut self, v: u32, linked: u32) -> u32 {
        if v < linked {
            return v;
        }
        let mut x = v;
        while self.ancestor[x as usize] >= linked {
            self.path.push(x);
            x = self.ancestor[x as usize];
        }
        while let Some(x) = self.path.pop() {
            let a = self.ancestor[x as usize] as usize;
            let (above, own) = (self.label[a], self.label[x as usize]);
            if self.semi[above as usize] < self.semi[own as usize] {
                self.label[x as usize] = above;
            }
            self.ancestor[x as usize] = self.ancestor[a];
        }
        self.label[v as usize]
    }
}

/// Depth-first search: objects by number from 1 on, their numbers, and their parents' ones.
fn search(dump: &Dump) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let n = dump.objects() as usize;
    let mut number = vec![NONE; n];
    let mut vertex = vec![NONE];
    let mut parent = vec![0];
    let mut stack: Vec<(u32, u32)> = Vec::new();
    for root in dump.roots() {
        if number[root.object as usize] != NONE {
            continue;
        }
        number[root.object as usize] = vertex.len() as u32;
        vertex.push(root.object);
        parent.push(0);
        stack.push((root.object, 0));
        while let Some((v, next)) = stack.last_mut() {
            let targets = dump.referred(*v);
            let Some(&w) = targets.get(*next as usize) else {
                stack.pop();
                continue;
            };
            *next += 1;
            if number[w as usize] == NONE {
                let from = number[*v as usize];
                number[w as usize] = vertex.len() as u32;
                vertex.push(w);
                parent.push(from);
                stack.push((w, 0));
            }
        }
    }
    (vertex, number, parent)
}

/// For each vertex, by number, those that refer to it, in rows.
fn predecessors(dump: &Dump, vertex: &[u32], number: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; vertex.len() + 1];
    for &v in &vertex[1..] {
        for &w in dump.referred(v) {
            starts[number[w as usize] as usize + 1] += 1;
        }
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut list = vec![0u32; starts[vertex.len()] as usize];
    for (i, &v) in vertex.iter().enumerate().skip(1) {
        for &w in dump.referred(v) {
            let at = &mut starts[number[w as usize] as usize];
            list[*at as usize] = i as u32;
            *at += 1;
        }
    }
    // each start has become the next one's
    starts.rotate_right(1);
    starts[0] = 0;
    (starts, list)
}

impl Dominators {
    /// Computes the tree of what the roots reach.
    pub fn new(dump: &Dump) -> Dominators {
        let n = dump.objects();
        let (vertex, number, parent) = search(dump);
        let count = vertex.len() as u32;
        let mut rooted = vec![false; count as usize];
        for r in dump.roots() {
            rooted[number[r.object as usize] as usize] = true;
        }
        let (starts, list) = predecessors(dump, &vertex, &number);
        drop(number);
        let mut work = Work {
            parent,
            ancestor: vec![NONE; count as usize],
            semi: (0..count).collect(),
            label: (0..count).collect(),
            dominator: vec![NONE; count as usize],
            path: Vec::new(),
        };
        // an empty bucket is 0, which is in none
        work.ancestor.fill(0);
        for w in (1..count).rev() {
            let i = w as usize;
            let mut semi = w;
            if rooted[i] {
                semi = 0;
            } else {
                for &v in &list[starts[i] as usize..starts[i + 1] as usize] {
                    let candidate = match v <= w {
                        true => v,
                        false => {
                            let u = work.eval(v, w + 1);
                            work.semi[u as usize]
                        }
                    };
                    semi = semi.min(candidate);
                }
            }
            work.semi[i] = semi;
            work.dominator[i] = work.ancestor[semi as usize];
            work.ancestor[semi as usize] = w;
            let p = work.parent[i];
            // link
            work.ancestor[i] = p;
            let mut next = std::mem::take(&mut work.ancestor[p as usize]);
            while next != 0 {
                let v = next;
                next = work.dominator[v as usize];
                let u = work.eval(v, w);
                let less = work.semi[u as usize] < work.semi[v as usize];
                work.dominator[v as usize] = if less { u } else { p };
            }
        }
        drop((starts, list, rooted));
        let Work {
            mut dominator,
            semi,
            ..
        } = work;
        for w in 1..count as usize {
            if dominator[w] != semi[w] {
                dominator[w] = dominator[dominator[w] as usize];
            }
        }
        drop(semi);
        Dominators::of(dump, n, &vertex, dominator)
    }
    fn of(dump: &Dump, n: u32, vertex: &[u32], dominator: Vec<u32>) -> Dominators {
        let mut retained = vec![0u64; n as usize + 1];
        let mut parent = vec![NONE; n as usize];
        let mut starts = vec![0u32; n as usize + 2];
        for w in (1..vertex.len()).rev() {
            let object = vertex[w];
            let above = match dominator[w] {
                0 => n,
                d => vertex[d as usize],
            };
            parent[object as usize] = above;
            retained[object as usize] += dump.size(object);
            retained[above as usize] += retained[object as usize];
            starts[above as usize + 1] += 1;
        }
        drop(dominator);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut children = vec![0u32; vertex.len() - 1];
        for &object in &vertex[1..] {
            let at = &mut starts[parent[object as usize] as usize];
            children[*at as usize] = object;
            *at += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
        Dominators {
            parent,
            retained,
            order: vertex[1..].to_vec(),
            starts,
            children,
        }
    }
    /// Whether the roots reach an object.
    pub fn reachable(&self, object: ObjectId) -> bool {
        self.parent[object as usize] != NONE
    }
    /// How many objects the roots reach.
    pub fn count(&self) -> usize {
        self.order.len()
    }
    /// Bytes of all that the roots reach.
    pub fn bytes(&self) -> u64 {
        self.retained[self.parent.len()]
    }
    /// The immediate dominator; nothing if several roots keep the object, or none.
    pub fn dominator(&self, object: ObjectId) -> Option<ObjectId> {
        let p = self.parent[object as usize];
        ((p as usize) < self.parent.len()).then_some(p)
    }
    /// Bytes that would go with an object; 0 if the roots do not reach it.
    pub fn retained(&self, object: ObjectId) -> u64 {
        self.retained[object as usize]
    }
    /// What an object dominates immediately; of nothing, what only the roots do.
    pub fn dominated(&self, object: Option<ObjectId>) -> &[ObjectId] {
        let i = object.map_or(self.parent.len(), |o| o as usize);
        &self.children[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
    /// For each class the bytes that its instances retain together, those inside of another counted once.
    pub fn retained_by_class(&self, dump: &Dump) -> Vec<u64> {
        let mut sums = vec![0u64; dump.classes().len()];
        let mut open = vec![0u32; sums.len()];
        // enter, and with the top bit: leave
        let mut stack: Vec<u64> = Vec::new();
        const LEAVE: u64 = 1 << 32;
        let roots = self.dominated(None).iter().map(|&o| u64::from(o));
        stack.extend(roots);
        while let Some(step) = stack.pop() {
            let object = step as u32;
            let class = dump.class_of(object) as usize;
            if step & LEAVE != 0 {
                open[class] -= 1;
                continue;
            }
            if open[class] == 0 {
                sums[class] += self.retained(object);
            }
            open[class] += 1;
            stack.push(step | LEAVE);
            let below = self.dominated(Some(object)).iter();
            stack.extend(below.map(|&o| u64::from(o)));
        }
        sums
    }
}
