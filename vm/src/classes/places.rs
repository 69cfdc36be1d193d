//! Which JDK's class library a VM runs, and where its known classes and fields are.

use crate::ids::ClassId;
use crate::jdk::{CLASSES, FIELDS};
use std::cell::Cell;
use std::path::PathBuf;

/// Where a field lies.
#[derive(Clone, Copy, Default)]
pub(super) struct FieldLocation {
    /// The class that declares it.
    pub(super) class: ClassId,
    /// Byte offset in the instance, or in the mirror if it is static; 0: not known yet.
    pub(super) offset: u32,
    /// Class of the last object that was found to fit its type, if it is one that stays; none is for all objects.
    pub(super) held: ClassId,
}

/// The class library that a VM runs: which JDK's it is, and where its known classes and fields are.
pub struct Library {
    pub(super) feature: u32,
    version: String,
    home: PathBuf,
    pub(super) classes: [Cell<ClassId>; CLASSES.len()],
    pub(super) fields: [Cell<FieldLocation>; FIELDS.len()],
}

impl Library {
    /// Of an installed JDK; nothing is looked up yet.
    pub fn new(jdk: &crate::classpath::Jdk) -> Library {
        Library {
            feature: jdk.feature(),
            version: jdk.version(),
            home: jdk.home().to_path_buf(),
            classes: [const { Cell::new(ClassId::NONE) }; CLASSES.len()],
            fields: [const {
                Cell::new(FieldLocation {
                    class: ClassId::NONE,
                    offset: 0,
                    held: ClassId::NONE,
                })
            }; FIELDS.len()],
        }
    }
    /// The JDK's version, for instance 17.0.2.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }
    /// The JDK's feature version, for instance 17.
    pub fn feature(&self) -> u32 {
        self.feature
    }
    /// `this JDK (17.0.19, /usr/lib/jvm/…) has no …, which rjvm needs`
    pub(super) fn lacks(&self, what: &str) -> String {
        let (version, home) = (&self.version, self.home.display());
        format!("this JDK ({version}, {home}) has no {what}, which rjvm needs")
    }
}
