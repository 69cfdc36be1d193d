//! `BootstrapMethods` (JVMS 4.7.23).

use crate::error::Result;
use crate::reader::Reader;

/// A bootstrap method with its static arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// `MethodHandle`: the method.
    pub method: u16,
    /// Loadable constants.
    pub arguments: Vec<u16>,
}

pub(super) fn parse(r: &mut Reader<'_>) -> Result<Vec<BootstrapMethod>> {
    r.table(4, |r| {
        let method = r.u2()?;
        let count = r.u2()?;
        Ok(BootstrapMethod {
            method,
            arguments: r.u2_vec(count)?,
        })
    })
}
