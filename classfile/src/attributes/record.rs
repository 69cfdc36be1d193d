//! `Record` (JVMS 4.7.30).

use super::{AnnotationBytes, Context, Place, RawAttribute, once, parse_table};
use crate::error::Result;
use crate::reader::Reader;

/// A record component.
#[derive(Clone, Debug)]
pub struct RecordComponent {
    /// `Utf8`: the name.
    pub name: u16,
    /// `Utf8`: the field descriptor.
    pub descriptor: u16,
    /// `Signature`: `Utf8`.
    pub signature: Option<u16>,
    /// The annotation attributes, raw.
    pub annotations: AnnotationBytes,
    /// Unknown attributes, in file order.
    pub other: Vec<RawAttribute>,
}

pub(super) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<Vec<RecordComponent>> {
    r.table(6, |r| {
        let (name, descriptor) = (r.u2()?, r.u2()?);
        let mut signature = None;
        let mut annotations = AnnotationBytes::default();
        let mut other = Vec::new();
        parse_table(
            r,
            context,
            Place::RecordComponent,
            &mut other,
            |name, r| match name {
                b"Signature" => once(&mut signature, r.u2()?),
                _ => annotations.take(name, r),
            },
        )?;
        Ok(RecordComponent {
            name,
            descriptor,
            signature,
            annotations,
            other,
        })
    })
}
