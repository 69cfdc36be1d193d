//! The sources from which a class is defined.

use crate::ids::{ClassId, LoaderId, Ref};
use std::sync::Arc;

/// How a class is defined.
#[derive(Default)]
pub struct DefineOptions {
    /// The `ClassLoader` object that defines it, if that is another than the loader's own: a copy of it.
    pub loader: Ref,
    /// `ProtectionDomain` object.
    pub protection_domain: Ref,
    /// Where the bytes came from (for `-verbose:class`).
    pub source: Option<String>,
    /// Hidden class: not entered in the loader's table, name gets a suffix.
    pub hidden: bool,
    /// A hidden class that lives as long as its loader.
    pub strong: bool,
    /// Nest host of a hidden class defined as nest mate.
    pub nest_host: Option<ClassId>,
    /// Class data of a hidden class.
    pub class_data: Ref,
    /// Not the JDK's own: checked and verified even if the boot loader defines it.
    pub given: bool,
}

/// The bytes a class was defined from.
pub struct ClassFileOf {
    /// Internal name of the class.
    pub name: Arc<str>,
    /// Its defining loader, which may be gone.
    pub loader: LoaderId,
    /// [`crate::vm::Loader::serial`] of the loader.
    pub serial: u32,
    /// The class file.
    pub bytes: Box<[u8]>,
}
