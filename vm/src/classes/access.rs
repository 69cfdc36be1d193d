//! Access control (JVMS 5.4.4), nest mates included.

use crate::classes::load::Mode;
use crate::classes::{ClassKind, acc, names};
use crate::ids::ClassId;
use crate::jdk;
use crate::throw::{R, Throw};
use crate::vm::Vm;

impl Vm {
    /// Whether two classes are in the same run-time package (JVMS 5.3).
    pub(crate) fn same_package(&self, a: ClassId, b: ClassId) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        a.loader == b.loader && a.package == b.package
    }
    /// Superclass of the accessors that reflection generates: may access anything.
    pub(super) fn is_magic(&mut self, c: ClassId) -> bool {
        let magic = "jdk/internal/reflect/MagicAccessorImpl";
        self.find_loaded(crate::LoaderId::BOOT, magic)
            .is_some_and(|m| self.is_subclass(c, m))
    }
    /// Whether `to` is accessible to `from`.
    pub(crate) fn class_accessible(&mut self, from: ClassId, to: ClassId) -> bool {
        let mut to = to;
        while let ClassKind::Array(e) = self.class(to).kind {
            to = e;
        }
        let k = self.class(to);
        from == to
            || k.is_primitive()
            || k.access & acc::PUBLIC != 0 && self.module_access(from, to).is_ok()
            || self.same_package(from, to)
            || self.is_magic(from)
    }
    /// Whether a member with these flags, declared in `holder` and found through a reference to
    /// `named`, is accessible to `from`. May have to load a nest host.
    pub(crate) fn member_accessible(
        &mut self,
        from: ClassId,
        named: ClassId,
        holder: ClassId,
        access: u16,
    ) -> R<bool> {
        if from == holder || access & acc::PUBLIC != 0 {
            return Ok(true);
        }
        if access & acc::PRIVATE != 0 {
            return Ok(self.nest_mates(from, holder)? || self.is_magic(from));
        }
        if self.same_package(from, holder) {
            return Ok(true);
        }
        if access & acc::PROTECTED != 0 && self.is_subclass(from, holder) {
            let related = access & acc::STATIC != 0
                || named == holder
                || self.is_subtype(from, named)
                || self.is_subtype(named, from);
            if related {
                return Ok(true);
            }
        }
        Ok(self.is_magic(from))
    }
    /// Whether two classes belong to the same nest.
    pub(crate) fn nest_mates(&mut self, a: ClassId, b: ClassId) -> R<bool> {
        if a == b {
            return Ok(true);
        }
        let (ha, hb) = (self.nest_host(a)?, self.nest_host(b)?);
        Ok(ha == hb)
    }
    /// The host of the nest (JVMS 5.4.4); a class whose claim fails is its own host.
    pub(crate) fn nest_host(&mut self, c: ClassId) -> R<ClassId> {
        let k = self.class(c);
        if let Some(h) = k.nest_host {
            return Ok(h);
        }
        let host = match k
            .cf
            .as_ref()
            .and_then(|cf| Some((cf.clone(), cf.attributes.nest_host?)))
        {
            None => c,
            Some((cf, i)) => {
                let loader = k.loader;
                let name = names::class_text(&cf.constant_pool, i)?;
                match self.load_class_as(loader, &name, Mode::Host(c)) {
                    Ok(h) => match self.no_nest_host(h, c) {
                        None => h,
                        Some(why) => {
                            let text = format!(
                                "Type {} (loader: {}) is not a nest member of type {} (loader: {}): {why}",
                                self.external_class(c),
                                self.loader_name(loader),
                                self.external_class(h),
                                self.loader_name(self.class(h).loader),
                            );
                            self.heap.class_mut(c).rare.make().nest_error = Some(text.into());
                            c
                        }
                    },
                    Err(t) if !matches!(*t, Throw::New { .. }) => return Err(t),
                    Err(t) => {
                        self.nest_host_failed(c, &t);
                        c
                    }
                }
            }
        };
        self.heap.depend(c, host);
        self.heap.class_mut(c).nest_host = Some(host);
        Ok(host)
    }
    /// The nest host that a class names could not be loaded.
    pub(super) fn nest_host_failed(&mut self, c: ClassId, t: &Throw) {
        let (class, message) = match t {
            Throw::New { class, message, .. } => (names::dotted(class), message.clone()),
            Throw::Object(e) => {
                let message = self.get(*e, jdk::throwable::DETAIL_MESSAGE);
                let message = message.non_null().map(|m| self.string(m));
                (self.external_class(self.class_of(*e)), message)
            }
            _ => return,
        };
        let message = message.map_or(String::new(), |m| format!(": {m}"));
        let cf = self.class(c).cf.clone();
        let named = cf.as_ref().and_then(|cf| {
            let host = cf.attributes.nest_host?;
            names::class_text(&cf.constant_pool, host).ok()
        });
        let text = format!(
            "Nest host resolution of {} with host {} failed: {class}{message}",
            self.external_class(c),
            named.unwrap_or_default()
        );
        let k = self.heap.class_mut(c);
        k.nest_host = Some(c);
        k.rare.make().nest_error = Some(text.into());
    }
    /// What the message of a refused access to a private member says of the nests.
    pub(super) fn nest_errors(&self, from: ClassId, holder: ClassId, access: u16) -> String {
        let errors = [from, holder].map(|c| self.class(c).rare.get()?.nest_error.as_deref());
        let errors: Vec<&str> = errors.into_iter().flatten().collect();
        match access & acc::PRIVATE != 0 && !errors.is_empty() {
            true => format!(", ({})", errors.join(", ")),
            false => String::new(),
        }
    }
    /// Why `host` is not the host of `member`.
    fn no_nest_host(&self, host: ClassId, member: ClassId) -> Option<&'static str> {
        if !self.same_package(host, member) {
            Some("types are in different packages")
        } else if self.class(host).is_array() {
            Some("host is not an instance class")
        } else if !self.lists_member(host, member) {
            Some("current type is not listed as a nest member")
        } else {
            None
        }
    }
    fn lists_member(&self, host: ClassId, member: ClassId) -> bool {
        let Some(cf) = &self.class(host).cf else {
            return false;
        };
        let name = &*self.class(member).name;
        cf.attributes.nest_members.as_ref().is_some_and(|v| {
            v.iter()
                .any(|&i| names::class_text(&cf.constant_pool, i).is_ok_and(|n| n == name))
        })
    }
}
