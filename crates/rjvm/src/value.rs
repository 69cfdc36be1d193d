//! Rust values as arguments and results of Java code.

use super::error::Error;
use super::handle::{Class, Object};
use rjvm_vm::boot::primitive_name;

/// A Java value as owned Rust data. Collections do not affect it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// What a method without a result returns.
    Void,
    /// `null`
    Null,
    /// `boolean`
    Bool(bool),
    /// `byte`
    Byte(i8),
    /// `char`: a unit of UTF-16
    Char(u16),
    /// `short`
    Short(i16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// `java.lang.String`
    String(String),
    /// `boolean[]`
    Bools(Vec<bool>),
    /// `byte[]`
    Bytes(Vec<u8>),
    /// `char[]`
    Chars(Vec<u16>),
    /// `short[]`
    Shorts(Vec<i16>),
    /// `int[]`
    Ints(Vec<i32>),
    /// `long[]`
    Longs(Vec<i64>),
    /// `float[]`
    Floats(Vec<f32>),
    /// `double[]`
    Doubles(Vec<f64>),
    /// `String[]`, in which some may be null
    Strings(Vec<Option<String>>),
    /// An array of other objects, in which some may be null
    Objects(Vec<Option<Object>>),
    /// Any object
    Object(Object),
}

/// The type requested of a Java value.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Nothing: whatever there is, is passed over.
    Void,
    /// A primitive type by its descriptor, or its box.
    Primitive(u8),
    /// A string.
    String,
    /// An array of primitives.
    Array(u8),
    /// An array of strings.
    Strings,
    /// An array of objects.
    Objects,
    /// An object as a handle.
    Object,
    /// Whatever it is: strings as strings, other objects as handles.
    Any,
}

impl Type {
    /// Whether a value with this field descriptor (or `V`) may be of the type.
    pub(super) fn fits(self, desc: &str) -> bool {
        let reference = desc.starts_with(['L', '[']);
        match self {
            Type::Void | Type::Any => true,
            Type::Primitive(c) => desc.as_bytes() == [c] || desc.starts_with('L'),
            Type::String => desc.starts_with('L'),
            Type::Array(c) => desc.as_bytes() == [b'[', c] || desc.starts_with('L'),
            Type::Strings | Type::Objects => desc.starts_with("[L") || desc.starts_with('L'),
            Type::Object => reference,
        }
    }
    /// Descriptor of the type it has by itself; `None` where the value decides.
    pub(super) fn descriptor(self) -> Option<&'static str> {
        Some(match self {
            Type::Void => "V",
            Type::Primitive(c) => of_letter(c, 1),
            Type::String => "Ljava/lang/String;",
            Type::Array(c) => of_letter(c, 2),
            Type::Strings => "[Ljava/lang/String;",
            Type::Objects | Type::Object | Type::Any => return None,
        })
    }
    pub(super) fn describe(self) -> String {
        match self {
            Type::Void => "nothing".into(),
            Type::Primitive(c) => primitive(c).into(),
            Type::String => "java.lang.String".into(),
            Type::Array(c) => format!("{}[]", primitive(c)),
            Type::Strings => "java.lang.String[]".into(),
            Type::Objects => "an array of objects".into(),
            Type::Object => "an object".into(),
            Type::Any => "anything".into(),
        }
    }
}

/// Descriptor of a primitive type (its letter: one byte), or of an array of it (two).
fn of_letter(c: u8, bytes: usize) -> &'static str {
    const ALL: &str = "[Z[B[C[S[I[J[F[D";
    let at = ALL.find(char::from(c)).expect("a primitive type");
    &ALL[at + 1 - bytes..=at]
}

fn primitive(c: u8) -> &'static str {
    primitive_name(c).unwrap_or("double")
}

impl Value {
    /// Descriptor of the type it has by itself; empty for null.
    pub(super) fn descriptor(&self) -> &'static str {
        match self {
            Value::Void => "V",
            Value::Null => "",
            Value::Bool(_) => "Z",
            Value::Byte(_) => "B",
            Value::Char(_) => "C",
            Value::Short(_) => "S",
            Value::Int(_) => "I",
            Value::Long(_) => "J",
            Value::Float(_) => "F",
            Value::Double(_) => "D",
            Value::String(_) => "Ljava/lang/String;",
            Value::Bools(_) => "[Z",
            Value::Bytes(_) => "[B",
            Value::Chars(_) => "[C",
            Value::Shorts(_) => "[S",
            Value::Ints(_) => "[I",
            Value::Longs(_) => "[J",
            Value::Floats(_) => "[F",
            Value::Doubles(_) => "[D",
            Value::Strings(_) => "[Ljava/lang/String;",
            Value::Objects(_) => "[Ljava/lang/Object;",
            Value::Object(_) => "Ljava/lang/Object;",
        }
    }
    fn is_not(&self, ty: Type) -> Error {
        let what = match self {
            Value::Void => "nothing".into(),
            Value::Null => "null".into(),
            other => rjvm_vm::classes::type_text(other.descriptor()),
        };
        Error::Type(format!("{what} is not {}", ty.describe()))
    }
}

/// A Rust type that becomes a Java value: as an argument, the value of a field, or the result of a host function.
///
/// Implemented for `bool` (`boolean`), `i8` (`byte`), `u16` (`char`), `i16`, `i32`, `i64`, `f32`, `f64`; `&str` and
/// `String`; vectors and slices of primitives (`u8` or `i8` for `byte`) and of strings; vectors of [`Object`]s;
/// [`Object`] and [`Class`]; [`Value`]; and `Option` of any of these. Where Java wants an object, primitives are
/// boxed.
pub trait IntoJava {
    #[doc(hidden)]
    const TYPE: Type;
    /// The value.
    fn into_java(self) -> Value;
}

/// A Rust type that a Java value can become: as a result, the value of a field, or an argument of a host function.
///
/// Implemented for the types of [`IntoJava`] except references, and for `()`, which ignores the value. Boxes are
/// unboxed. `null` is `None` of an `Option`, and an [`Error::Type`] for everything else.
pub trait FromJava: Sized {
    #[doc(hidden)]
    const TYPE: Type;
    /// Takes the value.
    fn from_java(value: Value) -> Result<Self, Error>;
}

macro_rules! values {
    ($($t:ty, $ty:expr, $variant:ident;)*) => { $(
        impl IntoJava for $t {
            const TYPE: Type = $ty;
            fn into_java(self) -> Value {
                Value::$variant(self)
            }
        }
        impl FromJava for $t {
            const TYPE: Type = $ty;
            fn from_java(value: Value) -> Result<Self, Error> {
                match value {
                    Value::$variant(v) => Ok(v),
                    other => Err(other.is_not($ty)),
                }
            }
        }
    )* };
}

values! {
    bool, Type::Primitive(b'Z'), Bool;
    i8, Type::Primitive(b'B'), Byte;
    u16, Type::Primitive(b'C'), Char;
    i16, Type::Primitive(b'S'), Short;
    i32, Type::Primitive(b'I'), Int;
    i64, Type::Primitive(b'J'), Long;
    f32, Type::Primitive(b'F'), Float;
    f64, Type::Primitive(b'D'), Double;
    String, Type::String, String;
    Vec<bool>, Type::Array(b'Z'), Bools;
    Vec<u8>, Type::Array(b'B'), Bytes;
    Vec<u16>, Type::Array(b'C'), Chars;
    Vec<i16>, Type::Array(b'S'), Shorts;
    Vec<i32>, Type::Array(b'I'), Ints;
    Vec<i64>, Type::Array(b'J'), Longs;
    Vec<f32>, Type::Array(b'F'), Floats;
    Vec<f64>, Type::Array(b'D'), Doubles;
    Vec<Option<String>>, Type::Strings, Strings;
    Vec<Option<Object>>, Type::Objects, Objects;
    Object, Type::Object, Object;
}

macro_rules! slices {
    ($($t:ty)*) => { $(
        impl IntoJava for &[$t] {
            const TYPE: Type = <Vec<$t> as IntoJava>::TYPE;
            fn into_java(self) -> Value {
                self.to_vec().into_java()
            }
        }
        impl<const N: usize> IntoJava for [$t; N] {
            const TYPE: Type = <Vec<$t> as IntoJava>::TYPE;
            fn into_java(self) -> Value {
                self.to_vec().into_java()
            }
        }
    )* };
}

slices! { bool u8 u16 i8 i16 i32 i64 f32 f64 }

impl IntoJava for Vec<i8> {
    const TYPE: Type = Type::Array(b'B');
    fn into_java(self) -> Value {
        Value::Bytes(self.into_iter().map(|b| b as u8).collect())
    }
}

impl FromJava for Vec<i8> {
    const TYPE: Type = Type::Array(b'B');
    fn from_java(value: Value) -> Result<Self, Error> {
        let bytes = Vec::<u8>::from_java(value)?;
        Ok(bytes.into_iter().map(|b| b as i8).collect())
    }
}

impl IntoJava for &str {
    const TYPE: Type = Type::String;
    fn into_java(self) -> Value {
        Value::String(self.into())
    }
}

impl IntoJava for &String {
    const TYPE: Type = Type::String;
    fn into_java(self) -> Value {
        Value::String(self.clone())
    }
}

impl IntoJava for Vec<String> {
    const TYPE: Type = Type::Strings;
    fn into_java(self) -> Value {
        Value::Strings(self.into_iter().map(Some).collect())
    }
}

impl FromJava for Vec<String> {
    const TYPE: Type = Type::Strings;
    fn from_java(value: Value) -> Result<Self, Error> {
        let strings = Vec::<Option<String>>::from_java(value)?;
        let all: Option<Vec<String>> = strings.into_iter().collect();
        all.ok_or_else(|| Error::Type("a string of the array is null".into()))
    }
}

impl IntoJava for &[&str] {
    const TYPE: Type = Type::Strings;
    fn into_java(self) -> Value {
        Value::Strings(self.iter().map(|s| Some((*s).into())).collect())
    }
}

impl<const N: usize> IntoJava for [&str; N] {
    const TYPE: Type = Type::Strings;
    fn into_java(self) -> Value {
        self.as_slice().into_java()
    }
}

impl IntoJava for Vec<Object> {
    const TYPE: Type = Type::Objects;
    fn into_java(self) -> Value {
        Value::Objects(self.into_iter().map(Some).collect())
    }
}

impl FromJava for Vec<Object> {
    const TYPE: Type = Type::Objects;
    fn from_java(value: Value) -> Result<Self, Error> {
        let objects = Vec::<Option<Object>>::from_java(value)?;
        let all: Option<Vec<Object>> = objects.into_iter().collect();
        all.ok_or_else(|| Error::Type("an object of the array is null".into()))
    }
}

impl IntoJava for &Object {
    const TYPE: Type = Type::Object;
    fn into_java(self) -> Value {
        Value::Object(self.clone())
    }
}

impl IntoJava for &Class {
    const TYPE: Type = Type::Object;
    fn into_java(self) -> Value {
        Value::Object(self.object())
    }
}

impl IntoJava for Value {
    const TYPE: Type = Type::Any;
    fn into_java(self) -> Value {
        self
    }
}

impl FromJava for Value {
    const TYPE: Type = Type::Any;
    fn from_java(value: Value) -> Result<Self, Error> {
        Ok(value)
    }
}

impl IntoJava for () {
    const TYPE: Type = Type::Void;
    fn into_java(self) -> Value {
        Value::Void
    }
}

impl FromJava for () {
    const TYPE: Type = Type::Void;
    fn from_java(_: Value) -> Result<Self, Error> {
        Ok(())
    }
}

impl<T: IntoJava> IntoJava for Option<T> {
    const TYPE: Type = T::TYPE;
    fn into_java(self) -> Value {
        self.map_or(Value::Null, T::into_java)
    }
}

impl<T: FromJava> FromJava for Option<T> {
    const TYPE: Type = T::TYPE;
    fn from_java(value: Value) -> Result<Self, Error> {
        match value {
            Value::Null => Ok(None),
            other => T::from_java(other).map(Some),
        }
    }
}

/// The arguments of a call: a tuple of types with [`IntoJava`], `()` for none, or a vector of [`Value`]s built at run
/// time.
pub trait Args {
    /// The arguments in their order.
    fn into_values(self) -> Vec<Value>;
}

/// Arguments whose types are known when the method is looked up: the tuples of [`Args`].
pub trait Params: Args {
    #[doc(hidden)]
    const TYPES: &'static [Type];
}

impl Args for Vec<Value> {
    fn into_values(self) -> Vec<Value> {
        self
    }
}

macro_rules! args {
    ($($t:ident)*) => {
        impl<$($t: IntoJava),*> Args for ($($t,)*) {
            #[allow(non_snake_case, reason = "named by their types")]
            fn into_values(self) -> Vec<Value> {
                let ($($t,)*) = self;
                vec![$($t.into_java()),*]
            }
        }
        impl<$($t: IntoJava),*> Params for ($($t,)*) {
            const TYPES: &'static [Type] = &[$($t::TYPE),*];
        }
    };
}

args!();
args!(A);
args!(A B);
args!(A B C);
args!(A B C D);
args!(A B C D E);
args!(A B C D E F);
args!(A B C D E F G);
args!(A B C D E F G H);
args!(A B C D E F G H I);
args!(A B C D E F G H I J);
