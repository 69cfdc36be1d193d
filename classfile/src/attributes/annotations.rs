//! The annotation attributes (JVMS 4.7.16 to 4.7.22), kept raw: `Class.getRawAnnotations` and its
//! like hand these bytes to Java.

use crate::attributes::once;
use crate::error::Result;
use crate::reader::Reader;

/// The contents of the four annotation attributes that anything can have: each from its
/// `num_annotations` on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnnotationBytes {
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
    /// Takes an annotation attribute; false for any other one.
    pub(crate) fn take(&mut self, name: &[u8], r: &mut Reader<'_>) -> Result<bool> {
        let at = r.offset();
        match name {
            b"RuntimeVisibleAnnotations" => once(
                &mut self.visible,
                "RuntimeVisibleAnnotations",
                at,
                r.rest().into(),
            ),
            b"RuntimeInvisibleAnnotations" => once(
                &mut self.invisible,
                "RuntimeInvisibleAnnotations",
                at,
                r.rest().into(),
            ),
            b"RuntimeVisibleTypeAnnotations" => once(
                &mut self.visible_type,
                "RuntimeVisibleTypeAnnotations",
                at,
                r.rest().into(),
            ),
            b"RuntimeInvisibleTypeAnnotations" => once(
                &mut self.invisible_type,
                "RuntimeInvisibleTypeAnnotations",
                at,
                r.rest().into(),
            ),
            _ => Ok(false),
        }
    }
}
