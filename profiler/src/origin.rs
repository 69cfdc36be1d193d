//! Where things come from whose names are only numbers: lambdas, accessors, local and anonymous classes, proxies.
//!
//! A compiler numbers them in the order in which it meets them, so one more of them renames all that follow. An
//! [`Origin`] says what stays the same: the method or class around each, its position among those around it, and what it
//! does. `alike` matches by it.

use std::sync::Arc;

/// Digests that describe a numbered method or class: of its code alone; of its code and the numbered methods it is made of; and
/// of how it is used: the interface of a lambda, the supertypes and methods of a class. 0 if not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Body {
    /// Of its code and the code of numbered methods in it.
    pub deep: u64,
    /// The digest of its code alone.
    pub own: u64,
    /// Of its shape as others see it.
    pub shape: u64,
}

impl Body {
    /// Is anything known?
    pub fn is_known(&self) -> bool {
        *self != Body::default()
    }
}

/// What numbered things are declared in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    /// The class and method around them and their kind: `p.A.main([Ljava/lang/String;)V lambda`. Without the class
    /// within something numbered itself.
    pub place: String,
    /// Are they methods? If not, they are classes.
    pub methods: bool,
    /// All of them, in the order of the code around them, and what they do as far as that is known. Empty if it is not
    /// known how many there are.
    pub members: Vec<Body>,
}

/// Something numbered in its scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// The scope of its declaration.
    pub scope: Arc<Scope>,
    /// Which of the scope's it is; a number of its name if it is not known how many there are.
    pub at: u32,
    /// What it does.
    pub body: Body,
}

/// The numbered things that a method is in or is, the outermost first; at least one.
pub type Origin = Arc<[Step]>;

/// A digest that is the same on all machines: FNV-1a of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds bytes and their end.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&(bytes.len() as u32).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.add(&number.to_le_bytes());
    }

    /// The digest, which is not 0.
    pub fn finish(self) -> u64 {
        self.0.max(1)
    }
}

/// The text with `$#` instead of `$` and digits.
pub fn unnumbered(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < after.len() {
            out.push('#');
        }
    }
    out.push_str(rest);
    out
}

/// Is there a `$` with a digit after it?
pub fn is_numbered(text: &str) -> bool {
    let digit = |pair: &[u8]| pair[0] == b'$' && pair[1].is_ascii_digit();
    text.as_bytes().windows(2).any(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_from_names() {
        for (text, expected, numbered) in [
            ("p/A$12", "p/A$#", true),
            ("p/A$1Local$B", "p/A$#Local$B", true),
            ("(Lp/A$1;[Lp/A$2;)V", "(Lp/A$#;[Lp/A$#;)V", true),
            ("lambda$main$0", "lambda$main$#", true),
            ("A$B1", "A$B1", false),
            ("A", "A", false),
            ("A$", "A$", false),
        ] {
            assert_eq!(unnumbered(text), expected);
            assert_eq!(is_numbered(text), numbered, "{text}");
        }
    }
}
