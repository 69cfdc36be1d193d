//! Sizes in bytes, as options have them.

/// The power of two of a size's suffix.
pub fn shift_of(suffix: &str) -> Option<u32> {
    Some(match suffix {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return None,
    })
}

/// A size in bytes with an optional suffix: `64m`.
pub fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = shift_of(&text[digits.len()..])?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}
