//! Subroutines (`jsr`, `ret`) as the analyses of older class files see them (JVMS 4.10.2.5).

use super::slots::{Pool, SlotList};
use hashbrown::HashMap;

/// The subroutines that are being executed, and which locals each of them has touched so far.
///
/// A touched local is touched in all of them, so an outer one has touched the locals that the inner ones have. For each local it
/// is therefore enough to know how many have touched it, counted from the outermost.
#[derive(Clone, Default)]
pub(super) struct Subs {
    /// Where they begin, innermost last. None is in there twice.
    entries: SlotList<u16>,
    /// By local, how many have touched it: never more than there are.
    touched: SlotList<u16>,
}

impl Subs {
    /// Whether none is being executed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    /// How many there are.
    pub fn depth(&self) -> usize {
        self.entries.len()
    }
    /// How many are around the one that begins there.
    pub fn around(&self, entry: u16) -> Option<usize> {
        self.entries.iter().position(|e| e == entry)
    }
    /// The one that begins there is called.
    pub fn enter(&mut self, entry: u16) {
        self.entries.push(entry);
    }
    /// Notes that a local is touched.
    pub fn touch(&mut self, local: usize) {
        self.touch_in(local, self.depth());
    }
    /// Notes that the outermost `n` have touched a local.
    fn touch_in(&mut self, local: usize, n: usize) {
        if n == 0 {
            return;
        }
        if self.touched.len() <= local {
            self.touched.resize(local + 1, 0);
        }
        self.touched.set(local, n as u16);
    }
    /// The locals that the subroutine with so many around it has touched.
    pub fn touched_in(&self, around: usize) -> impl Iterator<Item = usize> {
        let touched = self.touched.iter().enumerate();
        touched.filter_map(move |(l, n)| (usize::from(n) > around).then_some(l))
    }
    /// Leaves the outermost `n`.
    pub fn truncate(&mut self, n: usize) {
        self.entries.truncate(n);
        if n == 0 {
            self.touched = SlotList::default();
        }
        let inside: Vec<usize> = self.touched_in(n).collect();
        for local in inside {
            self.touched.set(local, n as u16);
        }
    }
    /// All have touched what the one of `inner` with so many around it has.
    pub fn touch_like(&mut self, inner: &Subs, around: usize) {
        for local in inner.touched_in(around) {
            self.touch(local);
        }
    }
    /// Keeps those that both are in, in order, with the locals that either touched; whether that changed anything.
    pub fn join(&mut self, other: &Subs) -> bool {
        if self.is_empty() {
            return false;
        }
        if self.entries.is(&other.entries) || self.entries == other.entries {
            return self.join_touched(&other.touched);
        }
        let theirs: HashMap<u16, usize> = other.entries.iter().zip(0..).collect();
        // where the ones that are stored are in both; both ascend
        let mut kept: Vec<(usize, usize)> = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            let from = kept.last().map_or(0, |k| k.1 + 1);
            kept.extend(theirs.get(&entry).filter(|&&j| j >= from).map(|&j| (i, j)));
        }
        let mut changed = kept.len() != self.depth();
        let locals = self.touched.len().max(other.touched.len());
        let touched = (0..locals).map(|l| {
            let n = |touched: &SlotList<u16>| usize::from(touched.get(l).unwrap_or(0));
            let (ours, theirs) = (n(&self.touched), n(&other.touched));
            let ours = kept.partition_point(|k| k.0 < ours) as u16;
            let theirs = kept.partition_point(|k| k.1 < theirs) as u16;
            changed |= theirs > ours;
            ours.max(theirs)
        });
        self.touched = touched.collect();
        if kept.len() != self.depth() {
            let entry = |i| self.entries.get(i).expect("one of them");
            self.entries = kept.iter().map(|k| entry(k.0)).collect();
        }
        changed
    }
    fn join_touched(&mut self, other: &SlotList<u16>) -> bool {
        let mut changed = false;
        for (local, ours, theirs) in self.touched.differences(other) {
            if theirs > ours {
                self.touched.set(local, theirs);
                changed = true;
            }
        }
        for local in self.touched.len()..other.len() {
            let theirs = other.get(local).expect("one of its locals");
            self.touched.push(theirs);
            changed |= theirs > 0;
        }
        changed
    }
    /// Makes the lists those of a pool.
    pub fn keep(&mut self, pool: &mut Pool<u16>) {
        pool.keep(&mut self.entries);
        pool.keep(&mut self.touched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each with its own set of touched locals, as the specification has it.
    fn plain(subs: &Subs) -> Vec<(u16, Vec<usize>)> {
        let sub = |(i, e)| (e, subs.touched_in(i).collect());
        subs.entries.iter().enumerate().map(sub).collect()
    }

    fn made(calls: &[(u16, &[usize])]) -> Subs {
        let mut subs = Subs::default();
        for (entry, touched) in calls {
            subs.enter(*entry);
            touched.iter().for_each(|&l| subs.touch(l));
        }
        subs
    }

    #[test]
    fn outer_ones_have_touched_what_inner_ones_have() {
        let mut subs = made(&[(10, &[1]), (20, &[2]), (30, &[70])]);
        let sub = |entry, touched: &[usize]| (entry, touched.to_vec());
        let [a, b, c] = [(10, &[1, 2, 70][..]), (20, &[2, 70]), (30, &[70])];
        assert_eq!(plain(&subs), [a, b, c].map(|(e, t)| sub(e, t)));
        assert_eq!((subs.around(20), subs.around(40)), (Some(1), None));
        subs.truncate(1);
        subs.enter(40);
        assert_eq!(plain(&subs), [sub(10, &[1, 2, 70]), sub(40, &[])]);
        subs.truncate(0);
        subs.touch(3);
        subs.enter(50);
        assert_eq!(plain(&subs), [sub(50, &[])]);
    }

    #[test]
    fn a_join_keeps_what_both_are_in() {
        let sub = |entry, touched: &[usize]| (entry, touched.to_vec());
        let mut a = made(&[(1, &[]), (2, &[5]), (3, &[]), (4, &[6])]);
        let b = made(&[(1, &[]), (9, &[7]), (3, &[8]), (4, &[])]);
        assert!(a.join(&b));
        let joined = [sub(1, &[5, 6, 7, 8]), sub(3, &[6, 8]), sub(4, &[6])];
        assert_eq!(plain(&a), joined);
        assert!(!a.join(&b) && !a.clone().join(&a));
        // in another order, only the first that fits
        let mut c = made(&[(1, &[]), (2, &[])]);
        assert!(c.join(&made(&[(2, &[]), (1, &[3])])));
        assert_eq!(plain(&c), [sub(1, &[3])]);
        let mut same = made(&[(1, &[]), (2, &[0])]);
        assert!(same.join(&made(&[(1, &[]), (2, &[0, 4])])));
        assert_eq!(plain(&same), [sub(1, &[0, 4]), sub(2, &[0, 4])]);
        assert!(!Subs::default().join(&b));
        assert!(same.join(&Subs::default()) && same.is_empty());
    }
}
