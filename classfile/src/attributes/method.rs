//! The attributes of a method (JVMS table 4.7-C, `method_info`).

use super::{
    AnnotationBytes, AttributeUse, CodeAttribute, Context, MethodParameter, Place, RawAttribute,
    method_parameters, once, parse_table,
};
use crate::error::Result;
use crate::reader::Reader;

/// The attributes of a method.
#[derive(Clone, Debug, Default)]
pub struct MethodAttributes {
    /// `Code`.
    pub code: Option<Box<CodeAttribute>>,
    /// `Exceptions`: `Class` entries of the `throws` clause.
    pub exceptions: Option<Vec<u16>>,
    /// `Synthetic`.
    pub synthetic: bool,
    /// `Deprecated`.
    pub deprecated: bool,
    /// `Signature`: `Utf8`.
    pub signature: Option<u16>,
    /// `MethodParameters`.
    pub method_parameters: Option<Vec<MethodParameter>>,
    /// The annotation attributes, raw.
    pub annotations: AnnotationBytes,
    /// `RuntimeVisibleParameterAnnotations`, raw.
    pub visible_parameter_annotations: Option<Box<[u8]>>,
    /// `RuntimeInvisibleParameterAnnotations`, raw.
    pub invisible_parameter_annotations: Option<Box<[u8]>>,
    /// `AnnotationDefault`, raw: an `element_value`.
    pub annotation_default: Option<Box<[u8]>>,
    /// Unknown attributes, in file order.
    pub other: Vec<RawAttribute>,
}

impl MethodAttributes {
    pub(crate) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<MethodAttributes> {
        let mut a = MethodAttributes::default();
        let mut other = Vec::new();
        parse_table(r, context, Place::Method, &mut other, |name, r| {
            match (name, context.major) {
                (b"Code", _) => once(&mut a.code, Box::new(CodeAttribute::parse(r, context)?)),
                (b"Exceptions", _) => {
                    let count = r.u2()?;
                    once(&mut a.exceptions, r.u2_vec(count)?)
                }
                (b"Synthetic", _) => {
                    a.synthetic = true;
                    Ok(AttributeUse::Yes)
                }
                (b"Deprecated", _) => {
                    a.deprecated = true;
                    Ok(AttributeUse::Yes)
                }
                (b"Signature", 49..) => once(&mut a.signature, r.u2()?),
                (b"MethodParameters", 52..) => {
                    let value = method_parameters::parse(r)?;
                    once(&mut a.method_parameters, value)
                }
                (b"RuntimeVisibleParameterAnnotations", 49..) => {
                    once(&mut a.visible_parameter_annotations, r.rest().into())
                }
                (b"RuntimeInvisibleParameterAnnotations", 49..) => {
                    once(&mut a.invisible_parameter_annotations, r.rest().into())
                }
                (b"AnnotationDefault", 49..) => once(&mut a.annotation_default, r.rest().into()),
                (_, 49..) => a.annotations.take(name, r),
                _ => Ok(AttributeUse::Unknown),
            }
        })?;
        a.other = other;
        Ok(a)
    }
}
