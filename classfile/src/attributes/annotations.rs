//! The annotation attributes (JVMS 4.7.16 to 4.7.22), kept raw: `Class.getRawAnnotations` and its
//! like hand these bytes to Java. Decoders for those who want to look inside.

use super::{AttributeUse, once};
use crate::error::{Error, Result};
use crate::reader::Reader;
use std::ops::Deref;

/// The annotation attributes of something, most of which have none. Dereferences to [`AnnotationKinds`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnnotationBytes(Option<Box<AnnotationKinds>>);

/// The contents of the four annotation attributes that anything can have: each from its
/// `num_annotations` on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnnotationKinds {
    /// `RuntimeVisibleAnnotations`.
    pub visible: Option<Box<[u8]>>,
    /// `RuntimeInvisibleAnnotations`.
    pub invisible: Option<Box<[u8]>>,
    /// `RuntimeVisibleTypeAnnotations`.
    pub visible_type: Option<Box<[u8]>>,
    /// `RuntimeInvisibleTypeAnnotations`.
    pub invisible_type: Option<Box<[u8]>>,
}

impl AnnotationBytes {
    /// No annotations.
    pub const NONE: AnnotationBytes = AnnotationBytes(None);

    /// Takes an annotation attribute, and no other one.
    pub(crate) fn take(&mut self, name: &[u8], r: &mut Reader<'_>) -> Result<AttributeUse> {
        let kind: fn(&mut AnnotationKinds) -> &mut Option<Box<[u8]>> = match name {
            b"RuntimeVisibleAnnotations" => |all| &mut all.visible,
            b"RuntimeInvisibleAnnotations" => |all| &mut all.invisible,
            b"RuntimeVisibleTypeAnnotations" => |all| &mut all.visible_type,
            b"RuntimeInvisibleTypeAnnotations" => |all| &mut all.invisible_type,
            _ => return Ok(AttributeUse::Unknown),
        };
        once(kind(self.0.get_or_insert_default()), r.rest().into())
    }
}

impl Deref for AnnotationBytes {
    type Target = AnnotationKinds;

    fn deref(&self) -> &AnnotationKinds {
        static NONE: AnnotationKinds = AnnotationKinds {
            visible: None,
            invisible: None,
            visible_type: None,
            invisible_type: None,
        };
        self.0.as_deref().unwrap_or(&NONE)
    }
}

/// Annotations in annotations in arrays: deeper than anyone writes, and no stack overflows.
const MAX_DEPTH: u32 = 128;

/// An annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// `Utf8`: the field descriptor of the annotation interface.
    pub type_index: u16,
    /// `Utf8` name and value of each element.
    pub elements: Vec<(u16, ElementValue)>,
}

/// The value of an annotation's element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementValue {
    /// A primitive value or a string.
    Constant {
        /// `B C D F I J S Z` or `s`.
        tag: u8,
        /// `Integer`, `Long`, `Float`, `Double` or, for a string, `Utf8`.
        index: u16,
    },
    /// An enum constant.
    Enum {
        /// `Utf8`: the enum's field descriptor.
        type_index: u16,
        /// `Utf8`: the constant's name.
        name: u16,
    },
    /// A class literal; `Utf8`: a return descriptor.
    Class(u16),
    /// An annotation.
    Annotation(Annotation),
    /// An array.
    Array(Vec<ElementValue>),
}

/// Decodes `RuntimeVisibleAnnotations` and `RuntimeInvisibleAnnotations`.
pub fn decode(bytes: &[u8]) -> Result<Vec<Annotation>> {
    whole(bytes, |r| r.table(4, |r| annotation(r, 0)))
}

/// Decodes `RuntimeVisibleParameterAnnotations` and `RuntimeInvisibleParameterAnnotations`: for
/// each parameter its annotations.
pub fn decode_parameters(bytes: &[u8]) -> Result<Vec<Vec<Annotation>>> {
    whole(bytes, |r| {
        let count = r.u1()?;
        r.rows(count.into(), 2, |r| r.table(4, |r| annotation(r, 0)))
    })
}

/// Decodes `AnnotationDefault`.
pub fn decode_element(bytes: &[u8]) -> Result<ElementValue> {
    whole(bytes, |r| element(r, 0))
}

/// Decodes all of `bytes`, or fails.
pub(super) fn whole<'a, T>(
    bytes: &'a [u8],
    decode: impl FnOnce(&mut Reader<'a>) -> Result<T>,
) -> Result<T> {
    let mut r = Reader::new(bytes);
    let value = decode(&mut r)?;
    match r.is_empty() {
        true => Ok(value),
        false => Err(Error::format(
            r.offset(),
            "Annotation attribute has wrong length",
        )),
    }
}

pub(super) fn annotation(r: &mut Reader<'_>, depth: u32) -> Result<Annotation> {
    let type_index = r.u2()?;
    let elements = r.table(5, |r| Ok((r.u2()?, element(r, depth + 1)?)))?;
    Ok(Annotation {
        type_index,
        elements,
    })
}

fn element(r: &mut Reader<'_>, depth: u32) -> Result<ElementValue> {
    let at = r.offset();
    if depth > MAX_DEPTH {
        return Err(Error::format(at, "Annotation nested too deeply"));
    }
    Ok(match r.u1()? {
        tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's') => {
            ElementValue::Constant {
                tag,
                index: r.u2()?,
            }
        }
        b'e' => ElementValue::Enum {
            type_index: r.u2()?,
            name: r.u2()?,
        },
        b'c' => ElementValue::Class(r.u2()?),
        b'@' => ElementValue::Annotation(annotation(r, depth)?),
        b'[' => ElementValue::Array(r.table(3, |r| element(r, depth + 1))?),
        tag => {
            return Err(Error::format(
                at,
                format_args!("Unknown annotation element tag {tag}"),
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_nested_values() {
        // @T(a = {1, E.X}, b = @U)
        let bytes = [
            0, 1, 0, 7, 0, 2, 0, 8, b'[', 0, 2, b'I', 0, 9, b'e', 0, 10, 0, 11, 0, 12, b'@', 0, 13,
            0, 0,
        ];
        let array = ElementValue::Array(vec![
            ElementValue::Constant {
                tag: b'I',
                index: 9,
            },
            ElementValue::Enum {
                type_index: 10,
                name: 11,
            },
        ]);
        let inner = Annotation {
            type_index: 13,
            elements: vec![],
        };
        let elements = vec![(8, array), (12, ElementValue::Annotation(inner))];
        assert_eq!(
            decode(&bytes).unwrap(),
            [Annotation {
                type_index: 7,
                elements
            }]
        );
        for len in 0..bytes.len() {
            assert!(decode(&bytes[..len]).is_err());
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let bytes = [b'[', 0, 1].repeat(100_000);
        assert!(decode_element(&bytes).is_err());
    }
}
