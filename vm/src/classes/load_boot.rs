//! Classes of the boot loader, and class files that transformers of Java agents have seen.

use crate::classes::agents::Transformed;
use crate::classes::{DefineOptions, load, names};
use crate::classpath::{ClassOrigin, Error, Jar};
use crate::events::EventSet;
use crate::ids::{ClassId, LoaderId, Ref, Sym};
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

impl Vm {
    /// Finds and defines a class of the boot loader.
    pub(super) fn load_boot(&mut self, name: &str, sym: Sym) -> R<Option<ClassId>> {
        let fail = |e: Error| Throw::msg("java/lang/InternalError", e.to_string());
        let package = names::package_of(name);
        // modules other than java.base are seen once they are defined to this loader
        let defined = self
            .syms
            .find(package)
            .and_then(|p| self.loaded.loaders[0].packages.get(&p))
            .is_some_and(|&cell| cell != 0);
        let Some(path) = self.loaded.boot_path.take() else {
            return Ok(None);
        };
        let transforms = !self.loaded.linker.plain;
        let mut transformed = None;
        // as for HotSpot, what cannot be read in a jar is not there
        let mut unreadable = None;
        let mut read = |found: crate::classpath::Result<_>| match found {
            Err(Error::Malformed { path, format, what }) if format == Jar::FORMAT => {
                let path = path.canonicalize().unwrap_or(path);
                unreadable = Some(format!("{}: {what}\n", path.display()));
                Ok(None)
            }
            found => found.map_err(fail),
        };
        // the class file as it is kept of a class that is not the JDK's
        let mut light = None;
        let found = (|| -> R<Option<(Arc<ClassFile>, (String, bool), Option<Box<[u8]>>)>> {
            let found = match path.module_of_package(package).map_err(fail)? {
                Some(module) if module != "java.base" && !defined => {
                    read(path.find_appended(name))?
                }
                _ => read(path.find(name))?,
            };
            let Some(found) = found else {
                return Ok(None);
            };
            let source = found.origin.to_string();
            let given = matches!(found.origin, ClassOrigin::Path(_));
            let kept = self.options.keep_class_files;
            if self.loaded.agents.transform && transforms {
                let boot = (LoaderId::BOOT, Some(name));
                transformed = self.transformed(boot, Ref::NULL, &found.bytes)?;
            }
            if let Some(made) = &transformed {
                let cf = self.parse_class(&made.bytes, Some(name), !self.options.verify_app)?;
                light = ClassFile::parse_kept(&made.bytes).ok();
                let kept = kept.then(|| made.bytes.clone().into_boxed_slice());
                return Ok(Some((cf, (source, true), kept)));
            }
            if self.wants(EventSet::CLASS_FILES)
                && let Some(replaced) =
                    self.shown_class_file(Some(name), LoaderId::BOOT, name.as_bytes(), &found.bytes)
            {
                let cf = self.parse_class(&replaced, Some(name), false)?;
                let kept = kept.then(|| replaced.into_boxed_slice());
                return Ok(Some((cf, (source, true), kept)));
            }
            let bytes = kept.then(|| found.bytes.to_vec().into_boxed_slice());
            let cf = match (&found.origin, self.options.verify_boot) {
                (ClassOrigin::Module(_), false) => {
                    let bytes = path.system().share(found.bytes);
                    self.parse_image_class(&bytes, name)?
                }
                (_, verify) => {
                    let checked = verify || given && self.options.verify_app;
                    light = ClassFile::parse_kept(&found.bytes).ok();
                    self.parse_class(&found.bytes, Some(name), !checked)?
                }
            };
            Ok(Some((cf, (source, given), bytes)))
        })();
        self.loaded.boot_path = Some(path);
        if let Some(text) = unreadable {
            self.print_error(&text);
        }
        let Some((cf, (source, given), bytes)) = found? else {
            return Ok(None);
        };
        let actual = names::class_text(&cf.constant_pool, cf.this_class)?;
        if actual != name {
            return Err(load::wrong_name(name, &actual));
        }
        let name = self.syms.str(sym).clone();
        let o = DefineOptions {
            source: Some(source),
            given,
            ..DefineOptions::default()
        };
        let kept = light.map_or_else(|| cf.clone(), Arc::new);
        let own = (LoaderId::BOOT, &name);
        let kept = match self.event_class_file(own, Ref::NULL, &cf, None)? {
            Some(made) => self.parse_class(&made, Some(&name), true)?,
            None => kept,
        };
        let r = self.define_parsed(LoaderId::BOOT, name.clone(), kept, o);
        self.event_class_is_over(LoaderId::BOOT, &name, &r);
        if let Ok(id) = &r
            && given
        {
            self.loaded.linker.keep_unverified(*id, cf);
        }
        if !self.loaded.linker.shown.is_empty() {
            self.class_file_is_over(LoaderId::BOOT, name.as_bytes(), &r);
        }
        if self.loaded.agents.transform {
            self.transformed_is_over(LoaderId::BOOT, Some(&name), &r);
            self.keep_initial(&r, transformed);
        }
        let id = r?;
        if let Some(bytes) = bytes {
            self.keep_class_file(id, bytes);
        }
        Ok(Some(id))
    }
    /// Defines a class from what transformers make of bytes.
    pub(super) fn define_transformed(
        &mut self,
        loader: LoaderId,
        name: Option<&str>,
        bytes: &[u8],
        mut o: DefineOptions,
    ) -> R<ClassId> {
        let transformed = self.transformed((loader, name), o.protection_domain, bytes)?;
        o.given |= transformed.is_some();
        let made = transformed.as_ref().map_or(bytes, |t| &t.bytes);
        let r = self.define_shown(loader, name, made, o);
        self.transformed_is_over(loader, name, &r);
        self.keep_initial(&r, transformed);
        r
    }
    /// Keeps what transformers can transform again of a class.
    fn keep_initial(&mut self, r: &R<ClassId>, transformed: Option<Transformed>) {
        if let Ok(c) = r
            && let Some(initial) = transformed.and_then(|t| t.initial)
        {
            self.heap.class_mut(*c).set_initial_file(Some(initial));
        }
    }
}
