//! Redefinition of classes: their transformers, the checks, and all new class files at once.

use super::work::{Item, ItemState, NewClassFile, Redefinition};
use super::{compare, deleted};
use crate::classes::verification;
use crate::ids::ClassId;
use crate::natives::Env;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

impl Vm {
    /// Gives classes other class files; a class without one has its own transformed again. It runs again after each
    /// upcall, with the number it has left in `state`, 0 in the beginning.
    pub(crate) fn redefine(
        &mut self,
        state: &mut u64,
        classes: &[(ClassId, Option<Vec<u8>>)],
    ) -> R<()> {
        if classes.iter().any(|(c, _)| !self.is_modifiable(*c)) {
            let class = "java/lang/instrument/UnmodifiableClassException";
            return Err(Throw::bare(class));
        }
        if *state == 0 {
            let agents = &mut self.loaded.agents;
            agents.next_redefinition += 1;
            let item = |(class, given): &(ClassId, Option<Vec<u8>>)| Item {
                class: *class,
                given: given.as_deref().map(Into::into),
                state: ItemState::New,
            };
            *state = agents.next_redefinition;
            agents.redefinitions.push(Redefinition {
                id: *state,
                items: classes.iter().map(item).collect(),
            });
        }
        let id = *state;
        let at = |vm: &Vm| {
            vm.loaded
                .agents
                .redefinitions
                .iter()
                .position(|r| r.id == id)
        };
        let Some(place) = at(self) else {
            return Ok(());
        };
        // the list may grow and shrink meanwhile
        let mut redefinition = self.loaded.agents.redefinitions.swap_remove(place);
        let done = self.redefine_all(&mut redefinition.items);
        if let Err(t) = &done
            && matches!(**t, Throw::Upcall(_) | Throw::Block | Throw::Collect(_))
        {
            self.loaded.agents.redefinitions.push(redefinition);
        }
        done
    }
    fn redefine_all(&mut self, items: &mut [Item]) -> R<()> {
        for item in items.iter_mut() {
            self.transform_item(item)?;
        }
        for item in items.iter_mut() {
            self.check_item(item)?;
        }
        let mut all = Vec::new();
        for item in items.iter() {
            if let ItemState::Made(made) = &item.state
                && let Some(file) = &made.file
            {
                all.push((item.class, made.clone(), file.clone()));
            }
        }
        for (class, made, file) in all {
            self.put_in_place(class, made, file)?;
        }
        Ok(())
    }
    /// Has all transformers see the future class file.
    fn transform_item(&mut self, item: &mut Item) -> R<()> {
        loop {
            match item.state {
                ItemState::New => {
                    // as with HotSpot the class is linked first
                    self.link_class(item.class)?;
                    let bytes = match &item.given {
                        Some(bytes) => bytes.clone(),
                        None => self.bytes_to_transform(item.class)?,
                    };
                    let all = item.given.is_some();
                    item.state = ItemState::Shown(self.begin_transforming(item.class, bytes, all));
                }
                ItemState::Shown(id) => {
                    let domain = self.protection_domain(item.class);
                    self.transform_on(id, domain)?;
                    let Some((bytes, initial)) = self.end_transforming(id) else {
                        return Err(Throw::bare("java/lang/InternalError"));
                    };
                    item.state = ItemState::Made(NewClassFile {
                        bytes,
                        initial,
                        file: None,
                        deleted: Vec::new(),
                    });
                }
                ItemState::Made(_) => return Ok(()),
            }
        }
    }
    fn bytes_to_transform(&mut self, c: ClassId) -> R<Arc<[u8]>> {
        let initial = self.class(c).initial_file();
        let bytes = initial.or_else(|| Some(self.class_file_bytes(c)?.into()));
        bytes.ok_or_else(|| Throw::bare("java/lang/instrument/UnmodifiableClassException"))
    }
    /// Reads, compares and verifies the future class file.
    fn check_item(&mut self, item: &mut Item) -> R<()> {
        let ItemState::Made(made) = &mut item.state else {
            return Ok(());
        };
        if made.file.is_some() {
            return Ok(());
        }
        let class = item.class;
        let unchecked = !self.options.verify_app;
        let name = self.class(class).name.clone();
        let file = self.parse_class(&made.bytes, Some(&name), unchecked);
        let file = file.map_err(without_words)?;
        let own = file.name().unwrap_or("");
        if *own != *name {
            return Err(other_name());
        }
        let old = self.class(class).cf.clone().expect("it can be redefined");
        let mut file = (*file).clone();
        if self.options.add_methods
            && let Some((bytes, deleted)) = deleted::put_back(&old, &file, &made.bytes)
        {
            let read = self.parse_class(&bytes, Some(&name), unchecked);
            file = (*read.map_err(without_words)?).clone();
            (made.bytes, made.deleted) = (bytes.into(), deleted);
        }
        if let Err(what) = compare::settle(&old, &mut file, self.options.add_methods) {
            if what == compare::SUPERS {
                self.load_other_supers(class, &file)?;
            }
            let text = format!("class redefinition failed: attempted to {what}");
            return Err(Throw::msg("java/lang/UnsupportedOperationException", text));
        }
        if self.options.verify_app {
            verification::verify_file(self, class, &file).map_err(without_words)?;
        }
        made.file = Some(Arc::new(file));
        Ok(())
    }
    /// Supertypes that a new class file must not have are loaded all the same.
    fn load_other_supers(&mut self, class: ClassId, file: &ClassFile) -> R<()> {
        let loader = self.class(class).loader;
        let names = file.interface_names().chain(file.super_name().transpose());
        let names: Vec<String> = names.flatten().map(str::to_owned).collect();
        for name in names {
            self.load_class_linked(loader, &name)
                .map_err(without_words)?;
        }
        Ok(())
    }
    fn put_in_place(&mut self, class: ClassId, made: NewClassFile, file: Arc<ClassFile>) -> R<()> {
        // most of what was read to be checked is not needed again
        let kept = ClassFile::parse_kept(&made.bytes)
            .ok()
            .and_then(|mut kept| {
                let old = self.class(class).cf.clone()?;
                compare::settle(&old, &mut kept, self.options.add_methods).ok()?;
                Some(Arc::new(kept))
            });
        self.give_file(class, kept.unwrap_or(file))?;
        for (i, m) in self.class(class).methods.clone().iter().enumerate() {
            self.method_mut(*m).deleted = made.deleted.contains(&i);
        }
        let initial = (made.initial != made.bytes).then_some(made.initial);
        self.heap.class_mut(class).set_initial_file(initial);
        Ok(())
    }
}

const NOT_FOUND: &str = "java/lang/NoClassDefFoundError";

/// The error of a class file that is not of the class it is for, which HotSpot throws, too, if a supertype is not found.
fn other_name() -> Box<Throw> {
    Throw::msg(NOT_FOUND, "class names don't match")
}

/// Errors of the new class file itself, of which HotSpot keeps the class alone.
fn without_words(t: Box<Throw>) -> Box<Throw> {
    match *t {
        Throw::New {
            class: NOT_FOUND, ..
        } => other_name(),
        Throw::New { class, .. } => Throw::bare(class),
        _ => t,
    }
}

impl Env {
    /// Gives classes other class files; a class without one has its own transformed again.
    pub fn redefine_classes(&mut self, classes: &[(ClassId, Option<Vec<u8>>)]) -> R<()> {
        let mut state = self.native_state()[0];
        let done = self.0.redefine(&mut state, classes);
        self.native_state()[0] = state;
        done
    }
}
