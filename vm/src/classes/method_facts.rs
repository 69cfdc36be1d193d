//! What profiles say of methods, also of unloaded classes.

use crate::ids::MethodId;
use crate::vm::Vm;
use rjvm_profiler::MethodInfo;

impl Vm {
    /// Class, name, descriptor, place in the sources and origin of a method, also of one whose class is unloaded.
    pub fn method_info(&self, m: MethodId) -> MethodInfo {
        let mut info = self.method_identity(m);
        let own;
        let source = match self.loaded.methods.retired(m) {
            Some(retired) => {
                info.origin = retired.origin.clone();
                retired.source.as_ref()
            }
            None => {
                info.origin = self.origin(m);
                let method = self.method(m);
                own = self.class(method.class).source_of(method);
                own.as_ref()
            }
        };
        match source {
            Some(source) => info.with_source(&source.file, &source.lines),
            None => info,
        }
    }
    /// The methods that a profile names, without places and origins.
    pub fn profiled_methods(&self) -> impl Iterator<Item = MethodInfo> {
        let ids = (0..self.loaded.methods.len() as u32).map(MethodId);
        let named = ids.filter(|&m| match self.loaded.methods.retired(m) {
            Some(_) => true,
            None => self.loaded.methods.find(m).is_some_and(|m| m.in_profile),
        });
        named.map(|m| self.method_identity(m))
    }
    /// The same without the place in the sources and the origin.
    pub fn method_identity(&self, m: MethodId) -> MethodInfo {
        if let Some(m) = self.loaded.methods.retired(m) {
            let info = MethodInfo::new(&m.class, &m.name, &m.desc, m.native, m.hidden);
            return info.of_variant(m.variant);
        }
        let m = self.method(m);
        let class = self.class(m.class);
        MethodInfo::new(
            &class.name,
            self.syms.str(m.name),
            self.syms.str(m.desc),
            m.is_native(),
            class.hidden,
        )
        .of_variant(self.variant(m.class))
    }
}
