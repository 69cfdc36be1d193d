//! Linking of dynamic call sites, method handles, method types and dynamic constants through the
//! JDK's `java.lang.invoke.MethodHandleNatives` (JVMS 5.4.3.5, 5.4.3.6).
//!
//! Each function answers from resolved data or fails with an upcall after which the
//! instruction runs again and finds a little more resolved.

use crate::classes::failures::NESTED;
use crate::classes::resolved::CallSite;
use crate::classes::{PoolEntry, Resolved, ref_kind};
use crate::heap::units::UnitId;
use crate::ids::{ClassId, LoaderId, MethodId, Ref, Sym};
use crate::jdk::calls::method_handle_natives as mhn;
use crate::jdk::{self, JdkMethod, OptionalName};
use crate::natives::{Env, Ret};
use crate::throw::*;
use crate::vm::Vm;
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::{BootstrapMethod, ClassFile, Constant as Q};

impl Vm {
    /// An upcall of a static method of `MethodHandleNatives`, after which the instruction runs again.
    fn linker_call(
        &mut self,
        callee: JdkMethod,
        args: &[Ref],
        int_at: Option<(usize, i32)>,
        cont: Cont,
    ) -> Box<Throw> {
        let c = self.loaded.known.method_handle_natives;
        if let Err(t) = self.ensure_initialized(c) {
            return t;
        }
        let method = self.jdk_method(c, callee);
        let mut slots: smallvec::SmallVec<[u64; 6]> = args.iter().map(|r| r.0 as u64).collect();
        if let Some((at, v)) = int_at {
            slots.insert(at, v as u32 as u64);
        }
        Box::new(Throw::Upcall(Upcall {
            call: Some(Call {
                made: None,
                method,
                args: slots,
            }),
            cont: Some(cont),
            resume: Resume::Again,
        }))
    }
    /// The method of this JDK that links a call site or a constant, with the constant's index as its second argument if it takes that.
    fn with_constant(
        &self,
        cp: PoolEntry,
        with: OptionalName<JdkMethod>,
        without: OptionalName<JdkMethod>,
    ) -> (JdkMethod, Option<(usize, i32)>) {
        match (self.has_method(with), self.has_method(without)) {
            (Some(callee), _) => (callee, Some((1, cp.index.into()))),
            (None, Some(callee)) => (callee, None),
            (None, None) => unreachable!("each JDK has one of the two"),
        }
    }
    /// The mirror of a field type, loaded by `loader`.
    fn type_mirror(&mut self, loader: LoaderId, t: FieldType<'_>) -> R<Ref> {
        let c = match t.class_name() {
            Some(n) => {
                let n = n.to_string();
                self.load_class_for_link(loader, &n)?
            }
            None => self.primitive(t.letter()),
        };
        Ok(self.mirror(c))
    }
    /// The mirror of a field type that means the same to all loaders: a primitive type, or a public
    /// class of `java.lang` or `java.lang.invoke` (or arrays of them).
    fn common_mirror(&mut self, t: FieldType<'_>) -> R<Option<Ref>> {
        let Some(name) = t.class_name() else {
            return Ok(Some(self.mirror(self.primitive(t.letter()))));
        };
        let element = name.trim_start_matches('[');
        let class = match element
            .strip_prefix('L')
            .filter(|_| name.len() > element.len())
        {
            Some(e) => e.trim_end_matches(';'),
            None => element,
        };
        let package = class.rsplit_once('/').map_or("", |(p, _)| p);
        let array_of_primitives = name.len() > element.len() && element.len() == 1;
        if !array_of_primitives && !matches!(package, "java/lang" | "java/lang/invoke") {
            return Ok(None);
        }
        let name = name.to_string();
        if !array_of_primitives {
            let class = class.to_string();
            let c = match self.load_class(LoaderId::BOOT, &class) {
                Err(t) if matches!(*t, Throw::New { .. }) => return Ok(None),
                found => found?,
            };
            if self.class(c).access & crate::classes::acc::PUBLIC == 0 {
                return Ok(None);
            }
        }
        let c = self.load_class_for_link(LoaderId::BOOT, &name)?;
        Ok(Some(self.mirror(c)))
    }
    /// The `MethodType` of a descriptor as seen by a loader, or the upcall that makes it.
    ///
    /// One whose types mean the same to all loaders is kept for all of them; another until it is
    /// used (`Vm::method_type_used`).
    pub(crate) fn method_type(&mut self, loader: LoaderId, desc: &str) -> R<Ref> {
        let sym = self.syms.intern(desc);
        if let Some(&c) = self.loaded.method_types.get(&(None, sym)) {
            let t = self.heap.cell(c);
            if !t.is_null() {
                return Ok(t);
            }
        }
        let d = MethodDescriptor::parse(desc)
            .map_err(|e| Throw::msg("java/lang/ClassFormatError", e.to_string()))?;
        let ret = FieldType::parse(&desc[desc.rfind(')').expect("a parsed descriptor") + 1..]).ok();
        let mut mirrors = Vec::new();
        let mut common = true;
        for t in d.parameters().chain(ret) {
            if common && let Some(m) = self.common_mirror(t)? {
                mirrors.push(m);
                continue;
            }
            common = false;
            mirrors.push(self.type_mirror(loader, t)?);
        }
        let key = if common { None } else { Some(loader) };
        if let Some(&c) = self.loaded.method_types.get(&(key, sym))
            && let Some(t) = self.heap.cell(c).non_null()
        {
            return Ok(t);
        }
        let r = match ret {
            Some(_) => mirrors.pop().expect("a mirror for each type"),
            None => self.mirror(self.primitive(b'V')),
        };
        let class = self.loaded.known.class;
        let a = self.new_array_of(class, mirrors.len())?;
        for (i, m) in mirrors.iter().enumerate() {
            self.heap.set_elem_ref(a, i, *m);
        }
        let cont = Cont::own(
            |vm, c, input| match input {
                Ok(v) => {
                    let loader = (c.data[2] == 0).then_some(LoaderId(c.data[0] as u32));
                    let key = (loader, Sym(c.data[1] as u32));
                    match vm.loaded.method_types.get(&key) {
                        Some(&cell) => vm.heap.set_cell(cell, v.reference()),
                        None => {
                            let unit =
                                loader.map_or(UnitId::PERMANENT, |l| vm.heap.unit_of_loader(l));
                            let cell = vm.heap.new_cell_of(unit, v.reference());
                            vm.loaded.method_types.insert(key, cell);
                        }
                    }
                    Next::Return(crate::Value::Void)
                }
                Err(e) => Next::Throw(Throw::object(e)),
            },
            [loader.0 as u64, sym.0 as u64, common as u64],
            [Ref::NULL; 3],
        );
        Err(self.linker_call(mhn::FIND_METHOD_HANDLE_TYPE, &[r, a], None, cont))
    }
    /// Whether the `MethodType` of a descriptor is made and not used yet.
    pub(crate) fn has_method_type(&self, loader: LoaderId, desc: &str) -> bool {
        let Some(sym) = self.syms.find(desc) else {
            return false;
        };
        [None, Some(loader)].into_iter().any(|l| {
            let cell = self.loaded.method_types.get(&(l, sym));
            cell.is_some_and(|&c| !self.heap.cell(c).is_null())
        })
    }
    /// What a method type was made for is about to happen: the next user has one made again, unless
    /// it is for all loaders.
    fn method_type_used(&mut self, loader: LoaderId, desc: &str) {
        let sym = self.syms.intern(desc);
        if !self.loaded.method_types.contains_key(&(None, sym))
            && let Some(&c) = self.loaded.method_types.get(&(Some(loader), sym))
        {
            self.heap.set_cell(c, Ref::NULL);
        }
    }
    /// A `CONSTANT_MethodType`.
    pub(crate) fn resolve_method_type(
        &mut self,
        class: ClassId,
        cp: PoolEntry,
        desc: &str,
    ) -> R<Resolved> {
        let loader = self.class(class).loader;
        let t = self.method_type(loader, desc)?;
        self.method_type_used(loader, desc);
        let cell = self.heap.new_cell_of(self.heap.unit_of(class), t);
        let r = Resolved::Cell(cell);
        self.heap.class_mut(class).set_state(cp, r.clone());
        Ok(r)
    }
    /// Stores the object a continuation got into the constant-pool entry named by its data.
    fn constant_cont(class: ClassId, cp: PoolEntry) -> Cont {
        Cont::own(
            |vm, c, input| match input {
                Ok(v) => {
                    let class = ClassId(c.data[0] as u32);
                    let cell = vm.heap.new_cell_of(vm.heap.unit_of(class), v.reference());
                    let at = PoolEntry::unpack(c.data[1] as u32);
                    vm.heap.class_mut(class).set_state(at, Resolved::Cell(cell));
                    Next::Return(crate::Value::Void)
                }
                Err(e) => Next::Throw(Throw::object(e)),
            },
            [class.0 as u64, cp.pack() as u64, 0],
            [Ref::NULL; 3],
        )
    }
    /// A `CONSTANT_MethodHandle`.
    pub(crate) fn resolve_method_handle(&mut self, class: ClassId, cp: PoolEntry) -> R<Resolved> {
        let cf = self.file_with(class, cp);
        let Q::MethodHandle { kind, reference } = cf.constant_pool.entry(cp.index) else {
            panic!("constant {cp:?} is not a method handle");
        };
        let (kind, reference) = (kind as i32, reference);
        let m = cf
            .constant_pool
            .member_ref(reference)
            .expect("a checked constant");
        let class_index = match cf.constant_pool.entry(reference) {
            Q::Fieldref { class, .. }
            | Q::Methodref { class, .. }
            | Q::InterfaceMethodref { class, .. } => class,
            _ => unreachable!("a checked constant"),
        };
        let defc = self.resolve_class(class, cp.beside(class_index))?;
        let interface = match cf.constant_pool.entry(reference) {
            Q::Methodref { .. } => Some(false),
            Q::InterfaceMethodref { .. } => Some(true),
            _ => None,
        };
        if let Some(i) = interface
            && i != self.class(defc).is_interface()
        {
            return Err(self.inconsistent_handle(defc, m.name, m.descriptor, cp.index));
        }
        self.link_class(defc)?;
        let (name, desc) = (self.syms.intern(m.name), self.syms.intern(m.descriptor));
        // the member must be there before its type is looked at
        let holder = match self.class(defc).is_array() {
            true => self.loaded.known.object,
            false => defc,
        };
        if interface.is_none() {
            self.resolve_field_in(Some(class), holder, name, desc)?;
        } else if kind != ref_kind::INVOKE_VIRTUAL || self.polymorphic(holder, name).is_none() {
            self.resolve_method_for_handle(Some(class), holder, name, desc, kind)?;
        }
        let loader = self.class(class).loader;
        let name = self.new_string(m.name)?;
        let ty = if m.descriptor.starts_with('(') {
            self.method_type(loader, m.descriptor)?
        } else {
            let t = FieldType::parse(m.descriptor).expect("a checked descriptor");
            self.type_mirror(loader, t)?
        };
        if m.descriptor.starts_with('(') {
            self.method_type_used(loader, m.descriptor);
        }
        let args = [self.mirror(class), self.mirror(defc), name, ty];
        Err(self.linker_call(
            mhn::LINK_METHOD_HANDLE_CONSTANT,
            &args,
            Some((1, kind)),
            Self::constant_cont(class, cp),
        ))
    }
    /// The error of a method handle whose constant is of the wrong kind for the class it names.
    fn inconsistent_handle(
        &mut self,
        callee: ClassId,
        name: &str,
        desc: &str,
        cp: u16,
    ) -> Box<Throw> {
        let kinds = ["CONSTANT_InterfaceMethodRef", "CONSTANT_MethodRef"];
        let [should, is] = match self.class(callee).is_interface() {
            true => kinds,
            false => [kinds[1], kinds[0]],
        };
        let method = crate::classes::method_text("", name, desc).replacen(" .", " ", 1);
        let text = format!(
            "Inconsistent constant pool data in classfile for class {}. Method '{method}' at index {cp} is {is} and should be {should}",
            self.name(callee)
        );
        Throw::msg("java/lang/IncompatibleClassChangeError", text)
    }
    /// The entry of the bootstrap method table that an indy or condy constant names.
    fn bootstrap_entry(cf: &ClassFile, bsm: u16) -> R<&BootstrapMethod> {
        let table = cf.attributes.bootstrap_methods.as_deref().unwrap_or(&[]);
        table.get(bsm as usize).ok_or_else(|| {
            let name = cf.name().unwrap_or("?");
            Throw::msg(
                "java/lang/ClassFormatError",
                format!("Short length on BootstrapMethods in class file {name}"),
            )
        })
    }
    /// A resolved constant as an object.
    fn constant_object(&mut self, cf: &ClassFile, r: Resolved, i: u16) -> R<Ref> {
        match r {
            Resolved::Cell(c) => Ok(self.heap.cell(c)),
            Resolved::Class(c) => Ok(self.mirror(c)),
            Resolved::Prim(v) => {
                let t = match cf.constant_pool.entry(i) {
                    Q::Integer(_) => b'I',
                    Q::Float(_) => b'F',
                    Q::Long(_) => b'J',
                    Q::Double(_) => b'D',
                    Q::Dynamic { name_and_type, .. } => {
                        let (_, d) = cf
                            .constant_pool
                            .name_and_type(name_and_type)
                            .expect("a checked constant");
                        d.as_bytes()[0]
                    }
                    q => unreachable!("{q:?} is no primitive constant"),
                };
                self.box_value(t, v)
            }
            other => unreachable!("{other:?} is no constant"),
        }
    }
    /// The method handle of a bootstrap method.
    fn bootstrap_method(
        &mut self,
        class: ClassId,
        cf: &ClassFile,
        cp: PoolEntry,
        bsm: u16,
    ) -> R<Ref> {
        let b = Self::bootstrap_entry(cf, bsm)?;
        let r = self.constant(class, cp.beside(b.method))?;
        self.constant_object(cf, r, b.method)
    }
    /// Its static arguments: nothing, the only one, or an array of them.
    fn bootstrap_arguments(
        &mut self,
        class: ClassId,
        cf: &ClassFile,
        cp: PoolEntry,
        bsm: u16,
    ) -> R<Ref> {
        let b = Self::bootstrap_entry(cf, bsm)?;
        let mut values = Vec::new();
        for &i in b.arguments.iter() {
            let r = self.constant(class, cp.beside(i))?;
            values.push((r, i));
        }
        match values.len() {
            0 => Ok(Ref::NULL),
            1 => {
                let (r, i) = values.remove(0);
                self.constant_object(cf, r, i)
            }
            n => {
                let a = self.new_object_array(n)?;
                for (k, (r, i)) in values.into_iter().enumerate() {
                    let v = self.constant_object(cf, r, i)?;
                    self.heap.set_elem_ref(a, k, v);
                }
                Ok(a)
            }
        }
    }
    /// The class of boxes for a primitive type, by its descriptor character.
    pub(crate) fn box_class(&self, t: u8) -> ClassId {
        let k = &self.loaded.known;
        match t {
            b'Z' => k.boolean_box,
            b'B' => k.byte_box,
            b'C' => k.character_box,
            b'S' => k.short_box,
            b'I' => k.integer_box,
            b'J' => k.long_box,
            b'F' => k.float_box,
            _ => k.double_box,
        }
    }
    /// A box object made without running code (as the VM boxes static arguments).
    pub fn box_value(&mut self, t: u8, v: u64) -> R<Ref> {
        let r = self.alloc_object(self.box_class(t))?;
        match t {
            b'Z' => self.set(r, jdk::boolean_box::VALUE, v & 1 != 0),
            b'B' => self.set(r, jdk::byte_box::VALUE, v as i8),
            b'C' => self.set(r, jdk::character_box::VALUE, v as u16),
            b'S' => self.set(r, jdk::short_box::VALUE, v as i16),
            b'I' => self.set(r, jdk::integer_box::VALUE, v as i32),
            b'J' => self.set(r, jdk::long_box::VALUE, v as i64),
            b'F' => self.set(r, jdk::float_box::VALUE, f32::from_bits(v as u32)),
            _ => self.set(r, jdk::double_box::VALUE, f64::from_bits(v)),
        }
        Ok(r)
    }
    /// The primitive in a box object, as a slot, with its descriptor character.
    pub fn unbox_value(&mut self, r: Ref) -> Option<(u8, u64)> {
        let c = self.class_of(r);
        let k = &self.loaded.known;
        Some(match c {
            c if c == k.boolean_box => (b'Z', self.get(r, jdk::boolean_box::VALUE).into_slot()),
            c if c == k.byte_box => (b'B', self.get(r, jdk::byte_box::VALUE).into_slot()),
            c if c == k.character_box => (b'C', self.get(r, jdk::character_box::VALUE).into_slot()),
            c if c == k.short_box => (b'S', self.get(r, jdk::short_box::VALUE).into_slot()),
            c if c == k.integer_box => (b'I', self.get(r, jdk::integer_box::VALUE).into_slot()),
            c if c == k.long_box => (b'J', self.get(r, jdk::long_box::VALUE).into_slot()),
            c if c == k.float_box => (b'F', self.get(r, jdk::float_box::VALUE).into_slot()),
            c if c == k.double_box => (b'D', self.get(r, jdk::double_box::VALUE).into_slot()),
            _ => return None,
        })
    }
    /// A `CONSTANT_Dynamic`.
    pub(crate) fn resolve_dynamic(&mut self, class: ClassId, cp: PoolEntry) -> R<Resolved> {
        let cf = self.file_with(class, cp);
        let Q::Dynamic {
            bootstrap,
            name_and_type,
        } = cf.constant_pool.entry(cp.index)
        else {
            panic!("constant {cp:?} is not a dynamic constant");
        };
        let (name, desc) = cf
            .constant_pool
            .name_and_type(name_and_type)
            .expect("a checked constant");
        let handle = self.bootstrap_method(class, &cf, cp, bootstrap)?;
        let loader = self.class(class).loader;
        let ty = self.type_mirror(
            loader,
            FieldType::parse(desc).expect("a checked descriptor"),
        )?;
        self.loaded.linker.nested += 1;
        let args = match self.loaded.linker.nested > NESTED {
            true => Err(Throw::bare("java/lang/StackOverflowError")),
            false => self.bootstrap_arguments(class, &cf, cp, bootstrap),
        };
        self.loaded.linker.nested -= 1;
        let args = args?;
        let name = self.new_string(name)?;
        let mut cont = Self::constant_cont(class, cp);
        if desc.len() == 1 {
            cont.step = StepFn::own(|vm, c, input| match input {
                Ok(v) => {
                    let (_, v) = vm
                        .unbox_value(v.reference())
                        .expect("a box of the constant's type");
                    let class = vm.heap.class_mut(ClassId(c.data[0] as u32));
                    class.set_state(PoolEntry::unpack(c.data[1] as u32), Resolved::Prim(v));
                    Next::Return(crate::Value::Void)
                }
                Err(e) => Next::Throw(Throw::object(e)),
            });
        }
        let list = [self.mirror(class), handle, name, ty, args];
        let (callee, at) = self.with_constant(
            cp,
            mhn::LINK_DYNAMIC_CONSTANT_AT,
            mhn::LINK_DYNAMIC_CONSTANT,
        );
        Err(self.linker_call(callee, &list, at, cont))
    }
    /// The method that a `ResolvedMethodName` represents, if it represents one.
    pub(crate) fn resolved_method(&self, name: Ref) -> Option<MethodId> {
        let n = self.get(name, jdk::resolved_method_name::VMTARGET) as u32;
        n.checked_sub(1).map(MethodId)
    }
    /// Adapter method and appendix that a linker upcall has returned.
    fn adapter_of(&mut self, class: ClassId, member: Ref, appendix: Ref) -> CallSite {
        let rmn = self.get(member, jdk::member_name::METHOD);
        let a = self.heap.elem_ref(appendix, 0);
        let appendix = if a.is_null() {
            0
        } else {
            self.heap.new_cell_of(self.heap.unit_of(class), a)
        };
        let adapter = self.resolved_method(rmn).expect("a linked method");
        let holder = self.method(adapter).class;
        self.heap.depend(class, holder);
        CallSite { adapter, appendix }
    }
    /// Links an invokedynamic instruction.
    pub(crate) fn link_call_site(
        &mut self,
        class: ClassId,
        m: MethodId,
        bci: usize,
        cp: PoolEntry,
    ) -> R<CallSite> {
        let cf = self.file_with(class, cp);
        let slot = self.method(m).site_slot();
        let Q::InvokeDynamic {
            bootstrap,
            name_and_type,
        } = cf.constant_pool.entry(cp.index)
        else {
            panic!("constant {cp:?} is not a call site");
        };
        let (name, desc) = cf
            .constant_pool
            .name_and_type(name_and_type)
            .expect("a checked constant");
        let loader = self.class(class).loader;
        let handle = self.bootstrap_method(class, &cf, cp, bootstrap)?;
        let ty = self.method_type(loader, desc)?;
        let args = self.bootstrap_arguments(class, &cf, cp, bootstrap)?;
        let name = self.new_string(name)?;
        let appendix = self.new_object_array(1)?;
        self.method_type_used(loader, desc);
        let cont = Cont::own(
            |vm, c, input| {
                let class = ClassId(c.data[0] as u32);
                let key = ((c.data[1] >> 32) as u32, c.data[1] as u32);
                match input {
                    Ok(v) => {
                        let site = vm.adapter_of(class, v.reference(), c.refs[0]);
                        let rare = vm.heap.class_mut(class).rare.make();
                        rare.call_sites.entry(key).or_insert(Ok(site));
                        Next::Return(crate::Value::Void)
                    }
                    Err(e) => Next::Throw(Throw::object(e)),
                }
            },
            [class.0 as u64, (slot as u64) << 32 | bci as u64, 0],
            [appendix, Ref::NULL, Ref::NULL],
        );
        let list = [self.mirror(class), handle, name, ty, args, appendix];
        let (callee, at) = self.with_constant(cp, mhn::LINK_CALL_SITE_AT, mhn::LINK_CALL_SITE);
        Err(self.linker_call(callee, &list, at, cont))
    }
    /// Links a call of a signature-polymorphic method (`invoke`, `invokeExact`, the VarHandle accessors).
    pub(crate) fn link_method(
        &mut self,
        class: ClassId,
        cp: PoolEntry,
        m: MethodId,
    ) -> R<CallSite> {
        let cf = self.file_with(class, cp);
        let r = cf
            .constant_pool
            .member_ref(cp.index)
            .expect("a checked constant");
        let name = self.intern_str(r.name)?;
        let appendix = self.new_object_array(1)?;
        let loader = self.class(class).loader;
        let ty = self.method_type(loader, r.descriptor)?;
        self.method_type_used(loader, r.descriptor);
        let cont = Cont::own(
            |vm, c, input| match input {
                Ok(v) => {
                    let class = ClassId(c.data[0] as u32);
                    let site = vm.adapter_of(class, v.reference(), c.refs[0]);
                    let state = Resolved::Poly(site.adapter, site.appendix);
                    let at = PoolEntry::unpack(c.data[1] as u32);
                    vm.heap.class_mut(class).set_state(at, state);
                    Next::Return(crate::Value::Void)
                }
                Err(e) => Next::Throw(Throw::object(e)),
            },
            [class.0 as u64, cp.pack() as u64, 0],
            [appendix, Ref::NULL, Ref::NULL],
        );
        let defc = self.mirror(self.method(m).class);
        let list = [self.mirror(class), defc, name, ty, appendix];
        const REF_INVOKE_VIRTUAL: i32 = 5;
        Err(self.linker_call(mhn::LINK_METHOD, &list, Some((1, REF_INVOKE_VIRTUAL)), cont))
    }
    /// Loads a class named by a descriptor or constant: ClassNotFoundException becomes NoClassDefFoundError.
    fn load_class_for_link(&mut self, loader: LoaderId, name: &str) -> R<ClassId> {
        self.load_class_linked(loader, name)
    }
}

impl Env {
    /// A `ResolvedMethodName` for a method.
    pub fn new_resolved_method_name(&mut self, m: MethodId) -> R<Ref> {
        let r = self
            .0
            .alloc_object(self.0.loaded.known.resolved_method_name)?;
        self.0
            .set_number(r, jdk::resolved_method_name::VMTARGET, m.0 as i32 + 1);
        let holder = self.0.mirror(self.0.method(m).class);
        self.0.set(r, jdk::resolved_method_name::VMHOLDER, holder);
        if let Some(f) = self.0.has_field(jdk::resolved_method_name::HOLDER) {
            self.0.set(r, f, holder);
        }
        Ok(r)
    }
}
