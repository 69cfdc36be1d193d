//! Field and method descriptors (JVMS 4.3).

use crate::error::{Error, Result};
use std::fmt;

/// The type of a field, parameter or return value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldType<'a> {
    /// `B`
    Byte,
    /// `C`
    Char,
    /// `D`
    Double,
    /// `F`
    Float,
    /// `I`
    Int,
    /// `J`
    Long,
    /// `S`
    Short,
    /// `Z`
    Boolean,
    /// `L…;`, with the class's internal name.
    Object(&'a str),
    /// `[…`, with the whole array descriptor.
    Array(&'a str),
}

impl<'a> FieldType<'a> {
    /// Parses a whole field descriptor.
    pub fn parse(descriptor: &'a str) -> Result<FieldType<'a>> {
        match FieldType::parse_prefix(descriptor) {
            Some((field_type, "")) => Ok(field_type),
            _ => Err(bad("field", descriptor)),
        }
    }

    /// Parses the descriptor at the beginning of `text`; returns what follows it, too.
    pub fn parse_prefix(text: &'a str) -> Option<(FieldType<'a>, &'a str)> {
        let field_type = match text.as_bytes().first()? {
            b'B' => FieldType::Byte,
            b'C' => FieldType::Char,
            b'D' => FieldType::Double,
            b'F' => FieldType::Float,
            b'I' => FieldType::Int,
            b'J' => FieldType::Long,
            b'S' => FieldType::Short,
            b'Z' => FieldType::Boolean,
            b'L' => {
                let end = 1 + binary_name_len(&text.as_bytes()[1..])?;
                return Some((FieldType::Object(&text[1..end]), &text[end + 1..]));
            }
            b'[' => {
                let dimensions = text.bytes().take_while(|&byte| byte == b'[').count();
                if dimensions > 255 {
                    return None;
                }
                // The element isn't an array: no recursion beyond one level.
                let (_, rest) = FieldType::parse_prefix(&text[dimensions..])?;
                return Some((FieldType::Array(&text[..text.len() - rest.len()]), rest));
            }
            _ => return None,
        };
        Some((field_type, &text[1..]))
    }

    /// The type that a class name of the constant pool represents: an array descriptor or the
    /// internal name of a class.
    pub fn of_class_name(name: &'a str) -> FieldType<'a> {
        if name.starts_with('[') {
            FieldType::Array(name)
        } else {
            FieldType::Object(name)
        }
    }

    /// How many slots a value takes among locals and operands: 2 for `long` and `double`.
    pub fn slots(self) -> u16 {
        match self {
            FieldType::Long | FieldType::Double => 2,
            _ => 1,
        }
    }

    /// Whether values are references.
    pub fn is_reference(self) -> bool {
        matches!(self, FieldType::Object(_) | FieldType::Array(_))
    }

    /// The descriptor's first letter.
    pub fn letter(self) -> u8 {
        match self {
            FieldType::Byte => b'B',
            FieldType::Char => b'C',
            FieldType::Double => b'D',
            FieldType::Float => b'F',
            FieldType::Int => b'I',
            FieldType::Long => b'J',
            FieldType::Short => b'S',
            FieldType::Boolean => b'Z',
            FieldType::Object(_) => b'L',
            FieldType::Array(_) => b'[',
        }
    }

    /// The dimensions of an array type; 0 for other types.
    pub fn dimensions(self) -> usize {
        match self {
            FieldType::Array(descriptor) => {
                descriptor.bytes().take_while(|&byte| byte == b'[').count()
            }
            _ => 0,
        }
    }

    /// The type of an array's components: of `[[I`, `[I`.
    pub fn component(self) -> Option<FieldType<'a>> {
        match self {
            FieldType::Array(descriptor) => {
                FieldType::parse_prefix(descriptor.get(1..)?).map(|(component, _)| component)
            }
            _ => None,
        }
    }

    /// The name under which the constant pool and the class loaders know a reference type.
    pub fn class_name(self) -> Option<&'a str> {
        match self {
            FieldType::Object(name) | FieldType::Array(name) => Some(name),
            _ => None,
        }
    }

    /// Writes the type as Java source has it: `java.lang.String[]`.
    pub fn java(self) -> impl fmt::Display + use<'a> {
        Java(self)
    }
}

impl fmt::Display for FieldType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldType::Object(name) => write!(f, "L{name};"),
            FieldType::Array(descriptor) => f.write_str(descriptor),
            _ => write!(f, "{}", char::from(self.letter())),
        }
    }
}

struct Java<'a>(FieldType<'a>);

impl fmt::Display for Java<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            FieldType::Byte => "byte",
            FieldType::Char => "char",
            FieldType::Double => "double",
            FieldType::Float => "float",
            FieldType::Int => "int",
            FieldType::Long => "long",
            FieldType::Short => "short",
            FieldType::Boolean => "boolean",
            FieldType::Object(name) => return f.write_str(&name.replace('/', ".")),
            FieldType::Array(descriptor) => {
                let dimensions = self.0.dimensions();
                match FieldType::parse(&descriptor[dimensions..]) {
                    Ok(element) => write!(f, "{}", element.java())?,
                    Err(_) => f.write_str(descriptor)?,
                }
                return (0..dimensions).try_for_each(|_| f.write_str("[]"));
            }
        })
    }
}

/// A method descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodDescriptor<'a> {
    /// The text between the parentheses: valid field descriptors.
    parameters: &'a str,
    /// The return type; `None` for `void`.
    pub return_type: Option<FieldType<'a>>,
    /// How many parameters there are.
    pub parameter_count: u16,
    /// The slots of the parameters, without the receiver. Beyond 255 (254 with a receiver) no
    /// method can be called; the format checks see to that.
    pub parameter_slots: u16,
}

impl<'a> MethodDescriptor<'a> {
    /// Parses a whole method descriptor.
    pub fn parse(descriptor: &'a str) -> Result<MethodDescriptor<'a>> {
        MethodDescriptor::try_parse(descriptor).ok_or_else(|| bad("method", descriptor))
    }

    fn try_parse(descriptor: &'a str) -> Option<MethodDescriptor<'a>> {
        let inside = descriptor.strip_prefix('(')?;
        let mut rest = inside;
        let (mut parameter_count, mut parameter_slots) = (0u16, 0u16);
        while !rest.starts_with(')') {
            let (parameter, after) = FieldType::parse_prefix(rest)?;
            parameter_count = parameter_count.checked_add(1)?;
            parameter_slots = parameter_slots.checked_add(parameter.slots())?;
            rest = after;
        }
        let parameters = &inside[..inside.len() - rest.len()];
        let return_type = match &rest[1..] {
            "V" => None,
            other => Some(FieldType::parse(other).ok()?),
        };
        Some(MethodDescriptor {
            parameters,
            return_type,
            parameter_count,
            parameter_slots,
        })
    }

    /// The types of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = FieldType<'a>> + Clone + use<'a> {
        let mut rest = self.parameters;
        std::iter::from_fn(move || {
            let (parameter, after) = FieldType::parse_prefix(rest)?;
            rest = after;
            Some(parameter)
        })
    }

    /// The slots of the return value: 0 for `void`.
    pub fn return_slots(&self) -> u16 {
        self.return_type.map_or(0, FieldType::slots)
    }

    /// The slots of all arguments: the receiver's too, unless the method is static.
    pub fn argument_slots(&self, is_static: bool) -> u16 {
        self.parameter_slots.saturating_add(u16::from(!is_static))
    }
}

/// The length of the class name that ends at the first `;`, if it is one. Class loading spends much
/// of its time on descriptors, so a single pass over the bytes.
fn binary_name_len(bytes: &[u8]) -> Option<usize> {
    let mut begin = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        if !PUNCTUATION[usize::from(byte)] {
            continue;
        }
        match byte {
            b';' => return (begin < i).then_some(i),
            b'/' if begin < i => begin = i + 1,
            b'/' | b'.' | b'[' => return None,
            _ => {}
        }
    }
    None
}

/// The bytes that end an unqualified name.
static PUNCTUATION: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b".;[/";
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
};

/// The letters of the parameters of a valid method descriptor; of others, something.
pub fn parameter_letters(descriptor: &str) -> impl Iterator<Item = u8> {
    parameters(descriptor).map(|parameter| parameter.as_bytes()[0])
}

/// The descriptors of the parameters of a valid method descriptor; of others, something.
pub fn parameters(descriptor: &str) -> impl Iterator<Item = &str> {
    let bytes = descriptor.as_bytes();
    let mut at = 1;
    std::iter::from_fn(move || {
        let start = at;
        bytes.get(at).filter(|&&byte| byte != b')')?;
        while bytes.get(at) == Some(&b'[') {
            at += 1;
        }
        if bytes.get(at) == Some(&b'L') {
            at += bytes[at..].iter().position(|&byte| byte == b';')?;
        }
        at += 1;
        descriptor.get(start..at)
    })
}

/// Whether `name` is the internal form of a class or interface name (JVMS 4.2.1): unqualified
/// names joined by `/`.
pub fn is_binary_name(name: &str) -> bool {
    name.split('/').all(is_unqualified_name)
}

/// Whether `name` can name a field, local variable or part of a class name (JVMS 4.2.2).
pub fn is_unqualified_name(name: &str) -> bool {
    !name.is_empty()
        && !name
            .bytes()
            .any(|byte| matches!(byte, b'.' | b';' | b'[' | b'/'))
}

/// Whether `name` can name a method: the two special names, or an unqualified one without `<`
/// and `>`.
pub fn is_method_name(name: &str) -> bool {
    matches!(name, "<init>" | "<clinit>") || is_unqualified_name(name) && !name.contains(['<', '>'])
}

/// Whether `name` can be in a `Class` constant: an internal name or an array descriptor.
pub fn is_class_constant(name: &str) -> bool {
    if name.starts_with('[') {
        FieldType::parse(name).is_ok()
    } else {
        is_binary_name(name)
    }
}

#[cold]
fn bad(kind: &str, descriptor: &str) -> Error {
    Error::rule(format_args!("Invalid {kind} descriptor \"{descriptor}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_types() {
        assert_eq!(FieldType::parse("J").unwrap().slots(), 2);
        assert_eq!(FieldType::parse("La/B;").unwrap(), FieldType::Object("a/B"));
        let array = FieldType::parse("[[La/B;").unwrap();
        assert_eq!(array, FieldType::Array("[[La/B;"));
        assert_eq!(
            array.component().unwrap().component().unwrap(),
            FieldType::Object("a/B")
        );
        assert_eq!(array.dimensions(), 2);
        assert_eq!(array.java().to_string(), "a.B[][]");
        assert_eq!(array.to_string(), "[[La/B;");
        let too_deep = "[".repeat(256) + "I";
        for bad in [
            "", "V", "II", "L;", "La", "La//b;", "La.b;", "[", "[V", "La[;", &too_deep,
        ] {
            assert!(FieldType::parse(bad).is_err(), "{bad}");
        }
        assert!(FieldType::parse(&too_deep[1..]).is_ok());
    }

    #[test]
    fn method_descriptors() {
        let m = MethodDescriptor::parse("(I[JDLjava/lang/String;)V").unwrap();
        assert_eq!(
            (m.parameter_count, m.parameter_slots, m.return_slots()),
            (4, 5, 0)
        );
        assert_eq!((m.argument_slots(true), m.argument_slots(false)), (5, 6));
        let types: Vec<_> = m.parameters().map(|t| t.to_string()).collect();
        assert_eq!(types, ["I", "[J", "D", "Ljava/lang/String;"]);
        let letters = |d| parameter_letters(d).collect::<Vec<u8>>();
        assert_eq!(letters("(I[J[[Ljava/lang/String;DLA;)LB;"), b"I[[DL");
        assert!(letters("()V").is_empty() && letters("").is_empty() && letters("(LA").is_empty());
        assert_eq!(MethodDescriptor::parse("()J").unwrap().return_slots(), 2);
        for bad in ["", "()", "(V)V", "()VV", "(I", "I)V", "(I)La;b", ")V"] {
            assert!(MethodDescriptor::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names() {
        assert!(is_binary_name("java/lang/Object") && !is_binary_name("java.lang.Object"));
        assert!(!is_binary_name("/a") && !is_binary_name("a/") && !is_binary_name(""));
        assert!(is_method_name("<init>") && !is_method_name("<x>") && is_unqualified_name("<x>"));
        assert!(is_class_constant("[I") && !is_class_constant("[V") && is_class_constant("I"));
    }
}
