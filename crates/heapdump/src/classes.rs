//! Classes, types and fields.

use std::borrow::Cow;

/// A type of the format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Type {
    /// A reference.
    Object = 2,
    /// `boolean`
    Boolean = 4,
    /// `char`
    Char,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
}

impl Type {
    /// The primitive types.
    pub const PRIMITIVE: [Type; 8] = [
        Type::Boolean,
        Type::Char,
        Type::Float,
        Type::Double,
        Type::Byte,
        Type::Short,
        Type::Int,
        Type::Long,
    ];
    /// The type of a code of the format.
    pub fn new(code: u8) -> Option<Type> {
        match code {
            2 => Some(Type::Object),
            4..=11 => Some(Type::PRIMITIVE[usize::from(code) - 4]),
            _ => None,
        }
    }
    /// Bytes it takes in a dump whose references have `id` bytes.
    #[inline]
    pub fn width(self, id: u32) -> u32 {
        match self {
            Type::Object => id,
            Type::Boolean | Type::Byte => 1,
            Type::Char | Type::Short => 2,
            Type::Float | Type::Int => 4,
            Type::Double | Type::Long => 8,
        }
    }
    /// As in Java; `Object` for a reference.
    pub fn name(self) -> &'static str {
        match self {
            Type::Object => "Object",
            Type::Boolean => "boolean",
            Type::Char => "char",
            Type::Float => "float",
            Type::Double => "double",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Int => "int",
            Type::Long => "long",
        }
    }
}

/// A field of a class.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, by the dump's identifier of it.
    pub name: u64,
    /// Its type.
    pub ty: Type,
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A reference, by address.
    Object(u64),
    /// A number, as its bits.
    Bits(u64),
}

/// A class.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Its address; 0 for those of arrays of primitive types.
    pub id: u64,
    /// Its name as in Java sources, `java.lang.String[]`.
    pub name: String,
    /// Index of its super class.
    pub super_class: Option<u32>,
    /// Its loader's address; 0 for the boot loader.
    pub loader: u64,
    /// Its own instance fields, in the order of the dump.
    pub fields: Vec<Field>,
    /// Its static fields: name, type and value.
    pub statics: Vec<(u64, Type, u64)>,
    /// References among the class's own fields: where in its part of an instance's record.
    pub(crate) references: Vec<u32>,
    /// Bytes of the fields of this class in an instance's record.
    pub(crate) own_bytes: u32,
    /// References among all fields, those of super classes included.
    pub(crate) all_references: u32,
    /// Bytes of all fields in the dump.
    pub(crate) record_bytes: u32,
    /// Whether its instances do not keep alive what they refer to as their referent.
    pub(crate) weak: bool,
    /// Where `Reference.referent` is in its part of a record, for that class.
    pub(crate) referent: Option<u32>,
    /// Whether a record of the dump defines it.
    pub(crate) defined: bool,
    /// The object that it is, if it is one of the dump.
    pub(crate) object: Option<u32>,
}

/// A class's name as in Java sources, from the one in a dump: `[Ljava/lang/String;`, `java/util/Map$Entry`.
pub fn readable(name: &str) -> String {
    let dims = name.bytes().take_while(|&b| b == b'[').count();
    let element = &name[dims..];
    let element: Cow<str> = match (dims, element) {
        (0, e) => e.replace('/', ".").into(),
        (_, "Z") => "boolean".into(),
        (_, "C") => "char".into(),
        (_, "F") => "float".into(),
        (_, "D") => "double".into(),
        (_, "B") => "byte".into(),
        (_, "S") => "short".into(),
        (_, "I") => "int".into(),
        (_, "J") => "long".into(),
        (_, e) => match e.strip_prefix('L').and_then(|e| e.strip_suffix(';')) {
            Some(e) => e.replace('/', ".").into(),
            None => e.replace('/', ".").into(),
        },
    };
    format!("{element}{}", "[]".repeat(dims))
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_are_those_of_sources() {
        assert_eq!(readable("java/util/Map$Entry"), "java.util.Map$Entry");
        assert_eq!(readable("[Ljava/lang/String;"), "java.lang.String[]");
        assert_eq!(readable("[[I"), "int[][]");
        assert_eq!(readable("[["), "[][]");
    }
}
