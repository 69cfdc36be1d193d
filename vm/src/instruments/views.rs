//! Classes, methods and what instructions name, as filters of instruments see them.

use super::shown::{ClassView, MemberView, MethodView};
use crate::classes::{ClassKind, InitState, Method, acc};
use crate::ids::{ClassId, LoaderId, MethodId, ThreadId};
use crate::vm::Vm;
use rjvm_classfile::ConstantPool;
use rjvm_classfile::attributes::annotations;

impl<'a> ClassView<'a> {
    /// A class of a VM.
    pub fn new(vm: &'a Vm, id: ClassId) -> ClassView<'a> {
        ClassView { vm, id }
    }
    /// Its number.
    pub fn id(&self) -> ClassId {
        self.id
    }
    /// Its name as in sources, with dots: `java.lang.String`, `int[][]`.
    pub fn name(&self) -> String {
        let (mut c, mut dimensions) = (self.id, 0);
        while let ClassKind::Array(element) = self.vm.class(c).kind {
            (c, dimensions) = (element, dimensions + 1);
        }
        self.vm.class(c).dotted() + &"[]".repeat(dimensions)
    }
    /// All classes that it extends and interfaces that it implements, directly or not, without itself: superclasses
    /// first, from the nearest on.
    pub fn supertypes(&self) -> impl Iterator<Item = ClassView<'a>> + use<'a> {
        let (vm, class) = (self.vm, self.vm.class(self.id));
        let supers = std::iter::successors(class.super_class, |&k| vm.class(k).super_class);
        let all = supers.chain(class.all_interfaces.iter().copied());
        all.map(move |id| ClassView { vm, id })
    }
    /// Names of the types of its annotations that are stored for run time, with dots.
    pub fn annotations(&self) -> Vec<String> {
        let Some(cf) = &self.vm.class(self.id).cf else {
            return Vec::new();
        };
        let visible = cf.attributes.annotations.visible.as_deref();
        visible.map_or_else(Vec::new, |bytes| annotation_types(bytes, &cf.constant_pool))
    }
    /// Whether it is one of the JDK's own, that the boot or platform loader has.
    pub fn is_library(&self) -> bool {
        let loader = self.vm.class(self.id).loader;
        loader == LoaderId::BOOT || self.vm.is_platform_loader(loader)
    }
    /// Whether it is hidden (JVMS 5.3.5 has it without a name): of a lambda, for instance.
    pub fn is_hidden(&self) -> bool {
        self.vm.class(self.id).hidden
    }
    /// Whether its initializer has ended without an exception.
    pub fn is_initialized(&self) -> bool {
        self.vm.init_state(self.id) == InitState::Initialized
    }
    /// The thread that is initializing it.
    pub fn initializer(&self) -> Option<ThreadId> {
        self.vm.initializer_of(self.id)
    }
    /// Its loader.
    pub fn loader(&self) -> LoaderId {
        self.vm.class(self.id).loader
    }
}

impl<'a> MethodView<'a> {
    /// A method of a VM.
    pub fn new(vm: &'a Vm, id: MethodId) -> MethodView<'a> {
        MethodView { vm, id }
    }
    fn method(&self) -> &'a Method {
        self.vm.method(self.id)
    }
    /// Its number.
    pub fn id(&self) -> MethodId {
        self.id
    }
    /// The class that declares it.
    pub fn class(&self) -> ClassView<'a> {
        ClassView::new(self.vm, self.method().class)
    }
    /// Its name.
    pub fn name(&self) -> &'a str {
        self.vm.symbols().str(self.method().name)
    }
    /// Its descriptor (JVMS 4.3.3).
    pub fn descriptor(&self) -> &'a str {
        self.vm.symbols().str(self.method().desc)
    }
    /// Whether it is native.
    pub fn is_native(&self) -> bool {
        self.method().is_native()
    }
    /// Whether it is static.
    pub fn is_static(&self) -> bool {
        self.method().access & acc::STATIC != 0
    }
    /// Names of the types of its annotations that are stored for run time, with dots.
    pub fn annotations(&self) -> Vec<String> {
        let Some(code) = self.method().code() else {
            return Vec::new();
        };
        let visible = code.cf.methods[code.index].attributes.visible_annotations();
        visible.map_or_else(Vec::new, |bytes| {
            annotation_types(bytes, &code.cf.constant_pool)
        })
    }
    /// Source file and line of a bytecode; the line is 0 where the class file does not report.
    pub fn line(&self, bci: u16) -> u16 {
        let code = self.method().code();
        code.and_then(|c| c.attr().line_of(bci)).unwrap_or(0)
    }
    /// The source file, where the class file reports.
    pub fn source_file(&self) -> Option<&'a str> {
        self.method().code()?.source_file()
    }
}

impl<'a> MemberView<'a> {
    /// The class that the instruction names, with dots.
    pub fn class_name(&self) -> String {
        match self.class() {
            Some(class) => class.name(),
            None => self.class.replace('/', "."),
        }
    }
    /// That class, if it is loaded already.
    pub fn class(&self) -> Option<ClassView<'a>> {
        let name = self.vm.syms.find(self.class)?;
        let loader = &self.vm.loaded.loaders[self.loader.0 as usize];
        let id = *loader.classes.get(&name)?;
        Some(ClassView::new(self.vm, id))
    }
    /// The name.
    pub fn name(&self) -> &'a str {
        self.name
    }
    /// The descriptor (JVMS 4.3).
    pub fn descriptor(&self) -> &'a str {
        self.descriptor
    }
}

/// Names of the types of annotations, with dots.
fn annotation_types(bytes: &[u8], pool: &ConstantPool) -> Vec<String> {
    let all = annotations::decode(bytes).unwrap_or_default();
    let name = |a: annotations::Annotation| {
        let name = pool.str(a.type_index).ok()?;
        let name = name.strip_prefix('L')?.strip_suffix(';')?;
        Some(name.replace('/', "."))
    };
    all.into_iter().filter_map(name).collect()
}
