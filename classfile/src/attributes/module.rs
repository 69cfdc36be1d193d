//! `Module` (JVMS 4.7.25).

use crate::error::Result;
use crate::reader::Reader;

/// A module declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// `Module`: its name.
    pub name: u16,
    /// `OPEN`, `SYNTHETIC`, `MANDATED`.
    pub flags: u16,
    /// `Utf8`: its version; 0 if it has none.
    pub version: u16,
    /// The modules it needs.
    pub requires: Vec<Requires>,
    /// The packages it exports.
    pub exports: Vec<Exports>,
    /// The packages it opens.
    pub opens: Vec<Exports>,
    /// `Class` entries: the services it uses.
    pub uses: Vec<u16>,
    /// The services it provides.
    pub provides: Vec<Provides>,
}

/// A `requires` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requires {
    /// `Module`.
    pub module: u16,
    /// `TRANSITIVE`, `STATIC_PHASE`, `SYNTHETIC`, `MANDATED`.
    pub flags: u16,
    /// `Utf8`: the version compiled against; 0 if unknown.
    pub version: u16,
}

/// An `exports` or `opens` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exports {
    /// `Package`.
    pub package: u16,
    /// `SYNTHETIC`, `MANDATED`.
    pub flags: u16,
    /// `Module` entries: to whom; empty means to all.
    pub to: Vec<u16>,
}

/// A `provides` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provides {
    /// `Class`: the service.
    pub service: u16,
    /// `Class` entries: the implementations.
    pub with: Vec<u16>,
}

impl Module {
    pub(super) fn parse(r: &mut Reader<'_>) -> Result<Module> {
        Ok(Module {
            name: r.u2()?,
            flags: r.u2()?,
            version: r.u2()?,
            requires: r.table(6, |r| {
                Ok(Requires {
                    module: r.u2()?,
                    flags: r.u2()?,
                    version: r.u2()?,
                })
            })?,
            exports: r.table(6, exports)?,
            opens: r.table(6, exports)?,
            uses: indices(r)?,
            provides: r.table(4, |r| {
                Ok(Provides {
                    service: r.u2()?,
                    with: indices(r)?,
                })
            })?,
        })
    }
}

fn exports(r: &mut Reader<'_>) -> Result<Exports> {
    Ok(Exports {
        package: r.u2()?,
        flags: r.u2()?,
        to: indices(r)?,
    })
}

fn indices(r: &mut Reader<'_>) -> Result<Vec<u16>> {
    let count = r.u2()?;
    r.u2_vec(count)
}
