//! Tables give back the packed values, whatever their size.

use super::*;

/// Packed behind a word of code.
fn packed(bcis: &[u16], covers: &[Cover], maps: &[u64], slots: usize) -> (Box<[u64]>, TableLayout) {
    let (words, shape) = TableLayout::pack(&[7], bcis, covers, maps, slots);
    assert_eq!(words[0], 7);
    (words, shape)
}
fn cover(off: u32, idx: u16) -> Cover {
    Cover {
        off,
        idx,
        first: idx - 3,
        jump: NO_JUMP,
        before: 4,
        more: 1,
        pot: idx + 1,
        map: 2,
    }
}

#[test]
fn tables_give_what_was_put_in() {
    let far = Cover {
        jump: 9,
        map: 70_000,
        ..cover(600_000, 60_000)
    };
    let near = [cover(16, 3), cover(40, 300), cover(8 * 65_535, 65_000)];
    let after_jump = Cover {
        jump: 254,
        first: 235,
        before: 15,
        ..cover(40, 250)
    };
    let small = [cover(16, 3), after_jump, cover(8 * 65_535, 254)];
    let tables = [
        (small.to_vec(), SMALL),
        (near.to_vec(), NARROW),
        ([&near[..], &[far]].concat(), WIDE),
    ];
    for (covers, each) in tables {
        let (words, shape) = packed(&[0, 1, 5], &covers, &[1 << 20 | 5, 1 << 33], 34);
        let t = shape.tables(&words[1..]);
        assert_eq!(
            (usize::from(t.shape.each), t.len(), t.bcis()),
            (each, covers.len(), vec![0, 1, 5])
        );
        assert_eq!(t.iter().collect::<Vec<_>>(), covers);
        for (i, c) in covers.iter().enumerate() {
            let off = c.off as usize;
            assert_eq!(
                (t.off(i), t.find(off), t.find(off + 4)),
                (Some(off), Some(i), None)
            );
            assert_eq!((t.number_of(i), t.pot_of(i)), (Some(c.idx), Some(c.pot)));
        }
        assert_eq!(t.get(covers.len()), None);
        assert_eq!([16, 17, 40].map(|off| t.before(off, 600_008)), [0, 1, 1]);
        assert_eq!(t.references(0).collect::<Vec<_>>(), [0, 2, 20]);
        assert_eq!(t.references(1).collect::<Vec<_>>(), [33]);
    }
}
#[test]
fn bytecodes_are_numbered_either_way() {
    let close = (0..101).map(|i| i * 5 / 2).collect();
    let many: Vec<u16> = (0..300).map(|i| i * 2).collect();
    let some = vec![0, 1, 2, 255];
    for bcis in [close, many, some, vec![0, 3, 60_000], vec![0], vec![]] {
        let (words, shape) = packed(&bcis, &[], &[], 1);
        let t = shape.tables(&words[1..]);
        assert_eq!(t.bcis(), bcis);
        for (i, &bci) in bcis.iter().enumerate() {
            assert_eq!((t.bci(i), t.number(bci)), (Some(bci), Some(i as u16)));
        }
        assert_eq!((t.bci(bcis.len()), t.number(61_001)), (None, None));
    }
}
#[test]
fn instructions_are_found_wherever_they_are() {
    // dense, far apart, and dense again
    let offs = (0..500)
        .chain((500..600).map(|i| i * 50))
        .chain(30_000..30_700);
    let covers: Vec<_> = offs.map(|i| cover(8 * i, 3)).collect();
    for n in [1, 20, 90, covers.len()] {
        let (words, shape) = packed(&[0], &covers[..n], &[], 1);
        let t = shape.tables(&words[1..]);
        let code = 8 * 30_701;
        for (i, c) in covers[..n].iter().enumerate() {
            let off = c.off as usize;
            assert_eq!([off, off + 1].map(|off| t.before(off, code)), [i, i + 1]);
        }
        assert_eq!(t.before(code, code), n);
    }
}
#[test]
fn a_map_has_all_its_slots() {
    for slots in [16, 17, 64, 65, 150] {
        let words = usize::div_ceil(slots, 64);
        let map: Vec<u64> = (0..words).map(|i| 0x8001_0000_4000_0003 << i).collect();
        let maps = [&map[..], &map[..]].concat();
        let (words, shape) = packed(&[0], &[cover(16, 3)], &maps, slots);
        let t = shape.tables(&words[1..]);
        let last = 16 * slots.div_ceil(16);
        let set = |&i: &usize| map[i / 64] >> (i % 64) & 1 != 0;
        let expected: Vec<_> = (0..last).filter(set).collect();
        for i in [0, 1] {
            assert_eq!(t.references(i).collect::<Vec<_>>(), expected, "{slots}");
        }
    }
}
#[test]
fn what_does_not_fit_is_not_narrow() {
    let c = cover(16, 400);
    assert_eq!(c.excess(), 0);
    let others = [
        Cover { off: 8 << 16, ..c },
        Cover { first: 100, ..c },
        Cover { first: 401, ..c },
        Cover { before: 256, ..c },
        Cover { more: 256, ..c },
        Cover { map: 256, ..c },
    ];
    assert!(others.iter().all(|c| c.excess() != 0));
    let c = cover(16, 100);
    assert_eq!((c.excess(), c.excess_of_small()), (0, 0));
    let others = [
        Cover { off: 8 << 16, ..c },
        Cover { idx: 256, ..c },
        Cover { pot: 256, ..c },
        Cover { first: 84, ..c },
        Cover { first: 101, ..c },
        Cover { before: 16, ..c },
        Cover { more: 256, ..c },
        Cover { map: 256, ..c },
    ];
    assert!(others.iter().all(|c| c.excess_of_small() != 0));
}
