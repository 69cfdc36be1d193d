//! Which instructions a row of `[opcodes]` is for: a mnemonic, or a pattern with `*`, and optionally the kind of its operand.

use rjvm_classfile::opcodes::OPCODES;

/// The kinds of operands that a row can name after a slash: of a field, of a constant, of an array's elements.
pub const KINDS: [&str; 11] = [
    "boolean",
    "byte",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "reference",
    "string",
    "class",
];

/// Does `pattern`, in which `*` matches any characters, fit the whole of `text`?
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Why a key of a row is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// No instruction has such a kind of operand.
    #[error("unknown kind of operand '{0}'; the kinds are {known}", known = KINDS.join(", "))]
    UnknownKind(String),
    /// The pattern fits no mnemonic.
    #[error("unknown opcode '{0}'")]
    UnknownOpcode(String),
}

/// The key of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pattern: String,
    /// The kind of the operand, if it is for one alone.
    pub kind: Option<&'static str>,
}

impl Key {
    /// Reads `mnemonic`, `pattern` or `pattern/kind`; the error describes the mistake.
    pub fn parse(text: &str) -> Result<Key, KeyError> {
        let (pattern, kind) = match text.split_once('/') {
            None => (text, None),
            Some((pattern, kind)) => match KINDS.iter().find(|known| **known == kind) {
                Some(known) => (pattern, Some(*known)),
                None => return Err(KeyError::UnknownKind(kind.to_owned())),
            },
        };
        match OPCODES.iter().any(|o| fits(pattern, o.mnemonic)) {
            true => Ok(Key {
                pattern: pattern.to_owned(),
                kind,
            }),
            false => Err(KeyError::UnknownOpcode(pattern.to_owned())),
        }
    }

    /// How narrowly it describes an opcode, if it fits: a mnemonic before patterns, more characters before fewer.
    pub fn rank(&self, mnemonic: &str) -> Option<usize> {
        fits(&self.pattern, mnemonic).then(|| match self.pattern.matches('*').count() {
            0 => usize::MAX,
            stars => self.pattern.len() - stars,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, fit) in [
            ("iadd", "iadd", true),
            ("iadd", "iaddx", false),
            ("*", "anything", true),
            ("*load_*", "xload_y", true),
            ("*load_*", "iload", false),
            ("if*", "ifeq", true),
            ("*a*a*", "aa", true),
            ("*a*a*", "a", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(fits(pattern, text), fit, "{pattern} {text}");
        }
    }

    #[test]
    fn the_narrower_row_counts() {
        let rank = |key: &str| Key::parse(key).unwrap().rank("getfield");
        assert!(rank("getfield") > rank("get*"));
        assert!(rank("get*") > rank("*/long"));
        assert_eq!(rank("iadd"), None);
        let message = Key::parse("iad").unwrap_err().to_string();
        assert_eq!(message, "unknown opcode 'iad'");
        let message = Key::parse("getfield/lang").unwrap_err().to_string();
        assert!(message.starts_with("unknown kind of operand 'lang'; the kinds are boolean, "));
    }
}
