//! `InnerClasses` (JVMS 4.7.6).

use crate::error::Result;
use crate::reader::Reader;

/// A class that isn't a member of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerClass {
    /// `Class`: the nested class.
    pub inner_class: u16,
    /// `Class` it is a member of; 0 for local and anonymous classes.
    pub outer_class: u16,
    /// `Utf8`: its simple name; 0 for anonymous classes.
    pub name: u16,
    /// The flags it was declared with.
    pub access_flags: u16,
}

pub(super) fn parse(r: &mut Reader<'_>) -> Result<Vec<InnerClass>> {
    r.table(8, |r| {
        Ok(InnerClass {
            inner_class: r.u2()?,
            outer_class: r.u2()?,
            name: r.u2()?,
            access_flags: r.u2()?,
        })
    })
}
