//! `EnclosingMethod` (JVMS 4.7.7).

use crate::error::Result;
use crate::reader::Reader;

/// Where a local or anonymous class is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnclosingMethod {
    /// `Class`: the innermost class around it.
    pub class: u16,
    /// `NameAndType` of the method around it; 0 if it is in none.
    pub method: u16,
}

pub(super) fn parse(r: &mut Reader<'_>) -> Result<EnclosingMethod> {
    Ok(EnclosingMethod {
        class: r.u2()?,
        method: r.u2()?,
    })
}
