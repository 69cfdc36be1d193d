//! Lists that share, against plain ones.

use super::*;

/// Numbers that repeat in every run.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut x = 88_172_645_463_325_252u64;
    move |below| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x % below as u64) as usize
    }
}

#[test]
fn a_list_is_what_a_plain_one_is() {
    let mut random = numbers();
    let mut pool = Pool::default();
    let mut lists: Vec<(SlotList<u8>, Vec<u8>)> = vec![Default::default()];
    for round in 0..20_000 {
        let i = random(lists.len());
        let (mut list, mut plain) = lists[i].clone();
        match random(10) {
            0 => {
                let len = random(5000);
                (list.resize(len, 7), plain.resize(len, 7))
            }
            1 => {
                let len = random(plain.len() + 1);
                (list.truncate(len), plain.truncate(len))
            }
            2..=4 if !plain.is_empty() => {
                let (at, t) = (random(plain.len()), random(3) as u8);
                (list.set(at, t), plain[at] = t)
            }
            5 => {
                assert_eq!(list.pop(), plain.pop());
                ((), ())
            }
            _ => {
                let t = random(3) as u8;
                (list.push(t), plain.push(t))
            }
        };
        assert_eq!(
            (list.len(), list.last()),
            (plain.len(), plain.last().copied())
        );
        if round % 3 == 0 {
            pool.keep(&mut list);
        }
        if round % 50 == 0 {
            assert!(list.iter().eq(plain.iter().copied()));
            let (other, theirs) = &lists[i];
            let pairs = plain.iter().zip(theirs).enumerate();
            let expected: Vec<_> = pairs
                .filter(|(_, (a, b))| a != b)
                .map(|(i, (a, b))| (i, *a, *b))
                .collect();
            assert_eq!(list.differences(other), expected);
            assert_eq!(list == *other, plain == *theirs);
        }
        match lists.len() < 20 {
            true => lists.push((list, plain)),
            false => lists[i] = (list, plain),
        }
    }
}

#[test]
fn equal_lists_of_a_pool_are_one() {
    let mut pool = Pool::default();
    let mut a: SlotList<u16> = (0..1000).collect();
    let mut b: SlotList<u16> = (0..1000).collect();
    assert!(a == b && !a.is(&b));
    pool.keep(&mut a);
    pool.keep(&mut b);
    assert!(a.is(&b));
    b.set(500, 0);
    pool.keep(&mut b);
    assert!(!a.is(&b));
    b.set(500, 500);
    pool.keep(&mut b);
    assert!(a.is(&b));
}

#[test]
fn what_nobody_has_any_more_goes() {
    let mut pool = Pool::default();
    let mut kept: SlotList<u32> = (0..60_000).collect();
    pool.keep(&mut kept);
    let one = pool.bytes();
    for round in 0..200 {
        let mut list: SlotList<u32> = (round..60_000 + round).map(|i| i * 31).collect();
        pool.keep(&mut list);
        assert!(pool.bytes() < 12 * one);
    }
    // states that differ in one entry each
    let mut states = vec![kept];
    for i in 0..20_000 {
        let mut next = states[i].clone();
        next.set(i, 0);
        pool.keep(&mut next);
        states.push(next);
    }
    assert!(pool.bytes() < 40 << 20, "{}", pool.bytes());
}

#[test]
fn a_list_is_the_same_at_once_as_entry_by_entry() {
    for n in [0, 1, 15, 16, 17, 255, 256, 257, 5000] {
        let entries: Vec<u32> = (0..n).collect();
        let mut at_once = Pool::default().list(&entries);
        let mut pushed = SlotList::default();
        pushed.extend(entries.iter().copied());
        assert_eq!(at_once.iter().collect::<Vec<_>>(), entries);
        assert_eq!(at_once.differences(&pushed), []);
        // and goes on in the same way
        for list in [&mut at_once, &mut pushed] {
            (0..300).for_each(|i| list.push(i));
            list.truncate(list.len() / 2);
        }
        assert!(at_once.iter().eq(pushed.iter()), "{n}");
    }
}
