//! `MethodParameters` (JVMS 4.7.24).

use crate::error::Result;
use crate::reader::Reader;

/// A formal parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodParameter {
    /// `Utf8`: the name; 0 if it has none.
    pub name: u16,
    /// `FINAL`, `SYNTHETIC`, `MANDATED`.
    pub access_flags: u16,
}

pub(super) fn parse(r: &mut Reader<'_>) -> Result<Vec<MethodParameter>> {
    let count = r.u1()?;
    r.rows(count.into(), 4, |r| {
        Ok(MethodParameter {
            name: r.u2()?,
            access_flags: r.u2()?,
        })
    })
}
