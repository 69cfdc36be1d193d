//! Rows of products: two chains of carries at the same time, which no portable code has.

use std::arch::asm;

/// Adds `from` times `by`, and `carry`, to as many limbs, the least significant first; returns the carry.
#[inline]
pub fn add_product(to: &mut [u64], from: &[u64], by: u64, carry: u64) -> Option<u64> {
    if !(is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("adx")) {
        return None;
    }
    let n = to.len();
    assert_eq!(from.len(), n);
    let mut carry = carry;
    // SAFETY: the processor has these instructions. They read `n` limbs of `from`, read and write `n` of `to`: four in each round of
    // the first loop, one in each of the second. No stack is used. The sum of all has one limb more, so the last carry is one.
    unsafe {
        asm!(
            // no carries yet
            "xor {low:e}, {low:e}",
            "jrcxz 3f",
            "2:",
            "mulx {high}, {low}, [{from}]",
            "adcx {low}, {carry}",
            "adox {low}, [{to}]",
            "mov [{to}], {low}",
            "mulx {carry}, {low}, [{from} + 8]",
            "adcx {low}, {high}",
            "adox {low}, [{to} + 8]",
            "mov [{to} + 8], {low}",
            "mulx {high}, {low}, [{from} + 16]",
            "adcx {low}, {carry}",
            "adox {low}, [{to} + 16]",
            "mov [{to} + 16], {low}",
            "mulx {carry}, {low}, [{from} + 24]",
            "adcx {low}, {high}",
            "adox {low}, [{to} + 24]",
            "mov [{to} + 24], {low}",
            // the carries are in flags, which these leave
            "lea {from}, [{from} + 32]",
            "lea {to}, [{to} + 32]",
            "lea rcx, [rcx - 1]",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            "mov rcx, {single}",
            "jrcxz 5f",
            "4:",
            "mulx {high}, {low}, [{from}]",
            "adcx {low}, {carry}",
            "adox {low}, [{to}]",
            "mov [{to}], {low}",
            "mov {carry}, {high}",
            "lea {from}, [{from} + 8]",
            "lea {to}, [{to} + 8]",
            "lea rcx, [rcx - 1]",
            "jrcxz 5f",
            "jmp 4b",
            "5:",
            "mov {low:e}, 0",
            "adcx {carry}, {low}",
            "adox {carry}, {low}",
            low = out(reg) _,
            high = out(reg) _,
            carry = inout(reg) carry,
            from = inout(reg) from.as_ptr() => _,
            to = inout(reg) to.as_mut_ptr() => _,
            single = in(reg) n % 4,
            inout("rcx") n / 4 => _,
            in("rdx") by,
            options(nostack),
        );
    }
    Some(carry)
}
