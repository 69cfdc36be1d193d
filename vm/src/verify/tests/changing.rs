//! A list that changes must equal a plain one, whatever it was taken from, and find the same misfits.

use super::ChangingList;
use crate::verify::slots::{Pool, SlotList};

/// RandomIndexes that look random, always the same.
struct RandomIndexes(u64);

impl RandomIndexes {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn it_equals_a_plain_list() {
    let mut random = RandomIndexes(7);
    let mut pool = Pool::default();
    let (mut misfits, mut fits) = (0, 0);
    for longest in [5, 64, 65, 300, 5000] {
        let mut lists: Vec<SlotList<u16>> = vec![SlotList::default()];
        for _ in 0..40 {
            let mut entries: Vec<u16> = lists[random.below(lists.len())].iter().collect();
            entries.resize(random.below(longest + 1), 3);
            for _ in 0..random.below(4) {
                if !entries.is_empty() {
                    let i = random.below(entries.len());
                    entries[i] = random.below(5) as u16;
                }
            }
            lists.push(pool.list(&entries));
        }
        let mut changing = ChangingList::default();
        let mut plain: Vec<u16> = Vec::new();
        for _ in 0..3000 {
            match random.below(8) {
                0 => {
                    let list = &lists[random.below(lists.len())];
                    changing.take(list);
                    plain = list.iter().collect();
                }
                1 => {
                    changing.push(1);
                    plain.push(1);
                }
                2 => {
                    let len = random.below(longest + 20);
                    changing.grow(len, 2);
                    plain.resize(len.max(plain.len()), 2);
                }
                3 => {
                    let len = random.below(plain.len() + 1);
                    changing.truncate(len);
                    plain.truncate(len);
                }
                4 => assert_eq!(changing.pop(), plain.pop()),
                5 | 6 if !plain.is_empty() => {
                    let (i, t) = (random.below(plain.len()), random.below(5) as u16);
                    changing.set(i, t);
                    plain[i] = t;
                }
                _ => {
                    // the one that it is most like, or any
                    let list = &lists[random.below(lists.len())];
                    let fit = |own: u16, other: u16| own + other < 7;
                    let other = list.iter().enumerate();
                    let want = other.map(|(i, t)| (i, plain.get(i).copied().unwrap_or(9), t));
                    let want = want
                        .into_iter()
                        .find(|&(_, own, t)| own != t && !fit(own, t));
                    let found = changing.misfit(list, 9, fit);
                    assert_eq!(found, want.map(|w| w.0));
                    match found {
                        Some(_) => misfits += 1,
                        None => fits += 1,
                    }
                }
            }
            assert_eq!(changing.entries(), plain);
            assert!(changing.to_list().iter().eq(plain.iter().copied()));
        }
    }
    assert!(
        misfits > 100 && fits > 100,
        "{misfits} misfits, {fits} fits"
    );
}
