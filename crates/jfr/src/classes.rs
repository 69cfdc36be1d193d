//! Classes and class loaders, described with everything that their constants name. Equal descriptions give one constant, for the
//! events of a run and for its profile.

use crate::{Chunk, ClassFacts, Id};
use std::rc::Rc;

/// A class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassDescription {
    /// Its name, with slashes.
    pub name: String,
    /// Its modifiers.
    pub modifiers: i32,
    /// Whether it is a hidden one.
    pub hidden: bool,
    /// The module of the JDK that it comes from, if it does.
    pub module: Option<String>,
    /// The loader that has defined it.
    pub loader: LoaderDescription,
}

/// A class loader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LoaderDescription {
    /// Not known.
    #[default]
    Unknown,
    /// Known by a name alone.
    Named(String),
    /// The boot loader.
    Boot,
    /// An object: its class, and the name of the loader if it has one.
    Object(Rc<ClassDescription>, Option<String>),
}

impl Chunk {
    /// The constant of a class loader.
    pub fn described_loader(&mut self, loader: &LoaderDescription) -> Id {
        match loader {
            LoaderDescription::Unknown => Id::NONE,
            LoaderDescription::Named(name) => self.loader(Id::NONE, name),
            LoaderDescription::Boot => self.loader(Id::NONE, "bootstrap"),
            LoaderDescription::Object(class, name) => {
                let class = self.described_class(class);
                self.loader(class, name.as_deref().unwrap_or_default())
            }
        }
    }
    /// The constant of a class.
    pub fn described_class(&mut self, class: &ClassDescription) -> Id {
        let loader = self.described_loader(&class.loader);
        let module = match &class.module {
            Some(module) => self.module(module, None, loader),
            None => Id::NONE,
        };
        let package = match class.name.rsplit_once('/') {
            Some((package, _)) if !class.name.starts_with('[') => {
                self.package(package, module, false)
            }
            _ => Id::NONE,
        };
        self.class(&ClassFacts {
            loader,
            name: &class.name,
            package,
            modifiers: class.modifiers,
            hidden: class.hidden,
        })
    }
}
