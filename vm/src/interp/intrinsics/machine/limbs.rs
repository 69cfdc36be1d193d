//! Products of numbers in ten limbs, eight products of limbs in an instruction.

use std::arch::x86_64::*;

/// The sums of the products of limbs, by place. None if a limb has more than 32 bits.
pub fn limbs_product(a: &[u64; 10], b: &[u64; 10]) -> Option<[u64; 20]> {
    let fits = |&v: &u64| v as i32 as i64 as u64 == v;
    if !is_x86_feature_detected!("avx512f") || !a.iter().chain(b).all(fits) {
        return None;
    }
    // SAFETY: the processor has these instructions.
    Some(unsafe { product(a, b) })
}

#[target_feature(enable = "avx512f")]
fn product(a: &[u64; 10], b: &[u64; 10]) -> [u64; 20] {
    let zero = _mm512_setzero_si512();
    // SAFETY: there are 8 numbers, and 2 after them.
    let (low, high) = unsafe {
        let from = b.as_ptr().cast::<i64>();
        let low = _mm512_loadu_epi64(from);
        (low, _mm512_maskz_loadu_epi64(3, from.add(8)))
    };
    let by = |i: usize| _mm512_set1_epi64(a[i] as i64);
    let times = |v: __m512i, i: usize| _mm512_mul_epi32(v, by(i));
    let mut c = [times(low, 0), times(high, 0), zero];
    let mut add =
        |place: usize, v: __m512i, i: usize| c[place] = _mm512_add_epi64(c[place], times(v, i));
    // the limbs of `b` so many places further up
    macro_rules! row {
        ($($i:literal $back:literal)*) => { $(
            add(0, _mm512_alignr_epi64::<$back>(low, zero), $i);
            add(1, _mm512_alignr_epi64::<$back>(high, low), $i);
        )* };
    }
    row!(1 7  2 6  3 5  4 4  5 3  6 2  7 1);
    // the last limb of `b` comes to the third vector
    add(2, _mm512_alignr_epi64::<1>(zero, high), 7);
    add(1, low, 8);
    add(2, high, 8);
    add(1, _mm512_alignr_epi64::<7>(low, zero), 9);
    add(2, _mm512_alignr_epi64::<7>(high, low), 9);
    let mut out = [0; 20];
    // SAFETY: there are 20 numbers.
    unsafe {
        let to = out.as_mut_ptr().cast::<i64>();
        _mm512_storeu_epi64(to, c[0]);
        _mm512_storeu_epi64(to.add(8), c[1]);
        _mm512_mask_storeu_epi64(to.add(16), 15, c[2]);
    }
    out
}
