//! Where fields lie: packed by size behind the superclass's, gaps filled.

use crate::classes::{Field, acc};

/// Size of a value of the type with this descriptor character.
pub(super) fn size_of_type(ty: u8) -> u32 {
    match ty {
        b'J' | b'D' => 8,
        b'S' | b'C' => 2,
        b'B' | b'Z' => 1,
        _ => 4,
    }
}

/// Whether fields of this descriptor character hold references.
pub(super) fn is_ref(ty: u8) -> bool {
    matches!(ty, b'L' | b'[')
}

/// Gives offsets from `start` on to the fields that `which` picks; returns the end of the last one.
/// `first` names a field that must lie at `start` itself.
pub(super) fn place(
    fields: &mut [Field],
    start: u32,
    is_static: bool,
    first: Option<usize>,
) -> u32 {
    let mut end = start;
    let mut gaps: Vec<(u32, u32)> = Vec::new();
    if let Some(i) = first {
        fields[i].offset = end;
        end += size_of_type(fields[i].ty);
    }
    for size in [8, 4, 2, 1] {
        for (i, f) in fields.iter_mut().enumerate() {
            if (f.access & acc::STATIC != 0) != is_static
                || size_of_type(f.ty) != size
                || first == Some(i)
            {
                continue;
            }
            let fit = gaps.iter().position(|&(a, b)| up(a, size) + size <= b);
            if let Some(g) = fit {
                let (a, b) = gaps.swap_remove(g);
                let at = up(a, size);
                f.offset = at;
                for gap in [(a, at), (at + size, b)] {
                    if gap.0 < gap.1 {
                        gaps.push(gap);
                    }
                }
                gaps.sort_unstable();
                continue;
            }
            let at = up(end, size);
            if at > end {
                gaps.push((end, at));
            }
            f.offset = at;
            end = at + size;
        }
    }
    end
}

/// Rounds up to a multiple of `to`, a power of two.
pub(super) fn up(v: u32, to: u32) -> u32 {
    (v + to - 1) & !(to - 1)
}

/// Offsets of the reference fields among the placed ones, ascending.
pub(super) fn oops(fields: &[Field], is_static: bool) -> Vec<u32> {
    let mut v: Vec<u32> = fields
        .iter()
        .filter(|f| (f.access & acc::STATIC != 0) == is_static && is_ref(f.ty))
        .map(|f| f.offset)
        .collect();
    v.sort_unstable();
    v
}
