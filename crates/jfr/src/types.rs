//! Types of fields, and the meaning of the numbers in them.

use crate::pools::{Id, Pool};

/// The type of a field's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// `boolean`
    Bool,
    /// `int`
    Int,
    /// `long`
    Long,
    /// Text, in place.
    Text,
    /// The number of a constant.
    Constant(Pool),
    /// Five numbers that report where memory is (`jdk.types.VirtualSpace`).
    Space,
    /// Stack frames in place (`jdk.types.StackFrame`), any number of them; in constants only.
    Frames,
}

impl Type {
    /// The type's name in metadata.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "boolean",
            Type::Int => "int",
            Type::Long => "long",
            Type::Text => "java.lang.String",
            Type::Constant(pool) => pool.name(),
            Type::Space => "jdk.types.VirtualSpace",
            Type::Frames => "jdk.types.StackFrame",
        }
    }
}

/// What the number in a field means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A plain number.
    Plain,
    /// A point in time, in ticks.
    At,
    /// A point in time, in milliseconds since 1970.
    AtMillis,
    /// A span of time, in ticks.
    Ticks,
    /// A span of time in nanoseconds.
    Nanos,
    /// A span of time in milliseconds.
    Millis,
    /// Bytes.
    Bytes,
    /// Not negative.
    Unsigned,
    /// Bytes, not negative.
    UnsignedBytes,
    /// An address.
    Address,
    /// A number that names a collection.
    Collection,
}

impl Content {
    /// The annotations that say so: type and value.
    pub fn annotations(self) -> &'static [(&'static str, Option<&'static str>)] {
        const UNSIGNED: (&str, Option<&str>) = ("jdk.jfr.Unsigned", None);
        match self {
            Content::Plain => &[],
            Content::At => &[("jdk.jfr.Timestamp", Some("TICKS"))],
            Content::AtMillis => &[("jdk.jfr.Timestamp", Some("MILLISECONDS_SINCE_EPOCH"))],
            Content::Ticks => &[("jdk.jfr.Timespan", Some("TICKS"))],
            Content::Nanos => &[("jdk.jfr.Timespan", Some("NANOSECONDS"))],
            Content::Millis => &[("jdk.jfr.Timespan", Some("MILLISECONDS"))],
            Content::Bytes => &[("jdk.jfr.DataAmount", Some("BYTES"))],
            Content::Unsigned => &[UNSIGNED],
            Content::UnsignedBytes => &[UNSIGNED, ("jdk.jfr.DataAmount", Some("BYTES"))],
            Content::Address => &[UNSIGNED, ("jdk.jfr.MemoryAddress", None)],
            Content::Collection => &[UNSIGNED, ("jdk.types.GcId", None)],
        }
    }
}

/// A field.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What people are shown.
    pub label: &'static str,
    /// The type of its value.
    pub is: Type,
    /// What it means.
    pub means: Content,
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    /// [`Type::Bool`]
    Bool(bool),
    /// [`Type::Int`]
    Int(i32),
    /// [`Type::Long`]
    Long(i64),
    /// [`Type::Text`]
    Text(Option<&'a str>),
    /// [`Type::Constant`] of the same pool, or none.
    Constant(Id),
    /// [`Type::Space`]: start, and bytes that are in use by it and that are its own.
    Space(i64, i64, i64),
}

impl Value<'_> {
    /// Whether a field of that type can have it.
    pub(crate) fn is(&self, of: Type) -> bool {
        match (self, of) {
            (Value::Bool(_), Type::Bool)
            | (Value::Int(_), Type::Int)
            | (Value::Long(_), Type::Long)
            | (Value::Text(_), Type::Text)
            | (Value::Space(..), Type::Space) => true,
            (Value::Constant(id), Type::Constant(pool)) => id.is_of(pool),
            _ => false,
        }
    }
}
