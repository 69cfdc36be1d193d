//! The attributes of a field (JVMS table 4.7-C, `field_info`).

use super::{AnnotationBytes, AttributeUse, Context, Place, RawAttribute, once, parse_table};
use crate::error::Result;
use crate::reader::Reader;
use std::ops::Deref;

/// The attributes of a field, of which most have none. Dereferences to [`FieldKinds`].
#[derive(Clone, Debug, Default)]
pub struct FieldAttributes(Option<Box<FieldKinds>>);

/// The attributes that a field can have.
#[derive(Clone, Debug, Default)]
pub struct FieldKinds {
    /// `ConstantValue`: `Integer`, `Long`, `Float`, `Double` or `String`.
    pub constant_value: Option<u16>,
    /// `Synthetic`.
    pub synthetic: bool,
    /// `Deprecated`.
    pub deprecated: bool,
    /// `Signature`: `Utf8`.
    pub signature: Option<u16>,
    /// The annotation attributes, raw.
    pub annotations: AnnotationBytes,
    /// Unknown attributes, in file order.
    pub other: Vec<RawAttribute>,
}

impl Deref for FieldAttributes {
    type Target = FieldKinds;

    fn deref(&self) -> &FieldKinds {
        static NONE: FieldKinds = FieldKinds {
            constant_value: None,
            synthetic: false,
            deprecated: false,
            signature: None,
            annotations: AnnotationBytes::NONE,
            other: Vec::new(),
        };
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl FieldAttributes {
    pub(crate) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<FieldAttributes> {
        let mut all = FieldAttributes::default();
        let mut other = Vec::new();
        parse_table(r, context, Place::Field, &mut other, |name, r| {
            let a = all.0.get_or_insert_default();
            match (name, context.major) {
                (b"ConstantValue", _) => once(&mut a.constant_value, r.u2()?),
                (b"Synthetic", _) => {
                    a.synthetic = true;
                    Ok(AttributeUse::Yes)
                }
                (b"Deprecated", _) => {
                    a.deprecated = true;
                    Ok(AttributeUse::Yes)
                }
                (b"Signature", 49..) => once(&mut a.signature, r.u2()?),
                (_, 49..) => a.annotations.take(name, r),
                _ => Ok(AttributeUse::Unknown),
            }
        })?;
        if !other.is_empty() {
            all.0.get_or_insert_default().other = other;
        }
        Ok(all)
    }
}
