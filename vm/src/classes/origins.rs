//! Looks up where numbered methods come from, and keeps that for classes which are unloaded.

use super::numbered::{DEPTH, DeclaredNumbers, Origins, body, inner, made, number_of, unordered};
use crate::classes::Class;
use crate::classes::bodies::stem;
use crate::ids::{ClassId, LoaderId, MethodId};
use crate::vm::Vm;
use rjvm_classfile::ClassFile;
use rjvm_profiler::origin::{Body, Origin, Scope, Step};
use std::sync::Arc;

impl Vm {
    /// Where a method comes from, if its name or its class's is a number of a compiler's.
    pub(crate) fn origin(&self, m: MethodId) -> Option<Origin> {
        let method = self.method(m);
        let class = self.class(method.class);
        let cf = match method.code() {
            Some(code) => code.cf,
            None => class.cf.as_ref()?,
        };
        let (name, desc) = (self.syms.str(method.name), self.syms.str(method.desc));
        let around = self.origin_of_class(class, DEPTH);
        if method.access & rjvm_classfile::access::SYNTHETIC == 0 || stem(name).is_none() {
            return around;
        }
        let map = self.map(class, cf, around.is_none());
        let Some(own) = map.methods.get(&(name.to_string(), desc.to_string())) else {
            return around;
        };
        let around = around.iter().flat_map(|steps| steps.iter());
        Some(around.chain([own]).cloned().collect())
    }

    /// Classes are going to be unloaded: a profile may name their methods.
    pub(super) fn keep_origins(&mut self, classes: &[ClassId]) {
        for &c in classes {
            for &m in self.class(c).methods.clone().iter() {
                if self.method(m).in_profile
                    && let Some(origin) = self.origin(m)
                {
                    self.loaded.origins.retiring.insert(m.0, origin);
                }
            }
        }
    }

    /// The origin of a method of a class that is being unloaded.
    pub(super) fn kept_origin(&mut self, m: MethodId) -> Option<Origin> {
        self.loaded.origins.retiring.remove(&m.0)
    }

    /// They have been unloaded.
    pub(super) fn forget_origins(&mut self) {
        self.loaded.origins = Origins::default();
    }

    fn map(&self, class: &Class, cf: &Arc<ClassFile>, is_named: bool) -> Arc<DeclaredNumbers> {
        let mut known = self.loaded.origins.known.borrow_mut();
        match known.maps.get(&class.id.0) {
            Some((of, map)) if Arc::ptr_eq(of, cf) => map.clone(),
            _ => {
                let root = match is_named {
                    true => format!("{}.", class.name.replace('/', ".")),
                    false => String::new(),
                };
                let map = Arc::new(DeclaredNumbers::of(cf, &root));
                known.maps.insert(class.id.0, (cf.clone(), map.clone()));
                map
            }
        }
    }

    fn origin_of_class(&self, class: &Class, depth: usize) -> Option<Origin> {
        let cf = class.cf.as_ref()?;
        if class.hidden || !class.name.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        if let Some((of, origin)) = self.loaded.origins.known.borrow().classes.get(&class.id.0)
            && Arc::ptr_eq(of, cf)
        {
            return origin.clone();
        }
        let found = self.found(class, cf, depth.checked_sub(1)?);
        let mut known = self.loaded.origins.known.borrow_mut();
        let entry = (cf.clone(), found.clone());
        known.classes.insert(class.id.0, entry);
        found
    }

    fn found(&self, class: &Class, cf: &ClassFile, depth: usize) -> Option<Origin> {
        let pool = &cf.constant_pool;
        let inner = inner(cf, &class.name);
        if let Some(enclosing) = cf.attributes.enclosing_method {
            let outer_name = pool.class_name(enclosing.class).ok()?;
            let outer = self.loaded(class.loader, outer_name);
            let around = outer.and_then(|outer| self.origin_of_class(outer, depth));
            let map =
                outer.and_then(|outer| Some(self.map(outer, outer.cf.as_ref()?, around.is_none())));
            let placed = map.and_then(|map| map.classes.get(&*class.name).cloned());
            let (scope, at) = placed.unwrap_or_else(|| {
                let root = match around {
                    None => format!("{}.", outer_name.replace('/', ".")),
                    Some(_) => String::new(),
                };
                let method = pool.name_and_type(enclosing.method).map(|(name, _)| name);
                let simple = inner.and_then(|i| pool.str(i.name).ok()).unwrap_or("");
                // the table that a switch over an enum goes through, most likely
                let kind = match cf.access_flags & rjvm_classfile::access::SYNTHETIC {
                    0 => "class",
                    _ => "synthetic class",
                };
                let place = format!("{root}{} {kind} {simple}", method.unwrap_or(""));
                unordered(place, number_of(&class.name))
            });
            let step = Step {
                scope,
                at,
                body: body(cf),
            };
            let around = around.iter().flat_map(|steps| steps.iter().cloned());
            return Some(around.chain([step]).collect());
        }
        if let Some(outer) = inner.filter(|i| i.outer_class != 0) {
            // a member of something numbered
            let outer = pool.class_name(outer.outer_class).ok()?;
            let around = self.origin_of_class(self.loaded(class.loader, outer)?, depth)?;
            let place = class
                .name
                .strip_prefix(outer)
                .unwrap_or(&class.name)
                .to_owned();
            let scope = Scope {
                place,
                methods: false,
                members: vec![Body::default()],
            };
            let step = Step {
                scope: scope.into(),
                at: 0,
                body: body(cf),
            };
            return Some(around.iter().cloned().chain([step]).collect());
        }
        let place = made(cf, &class.name)?;
        let (scope, at) = unordered(place, number_of(&class.name));
        let body = body(cf);
        Some([Step { scope, at, body }].into())
    }

    fn loaded(&self, loader: LoaderId, name: &str) -> Option<&Class> {
        let symbol = self.syms.find(name)?;
        let class = self.loaded.loaders[loader.0 as usize]
            .classes
            .get(&symbol)?;
        Some(self.class(*class))
    }
}
