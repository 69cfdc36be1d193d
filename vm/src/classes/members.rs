//! The methods of a class being made, and what their annotations and names make special in them.

use crate::classes::class::Rare;
use crate::classes::method::{intrinsic, vindex};
use crate::classes::tables::MethodIndex;
use crate::classes::vtable::Decl;
use crate::classes::{Method, NativeEntry, acc};
use crate::ids::{ClassId, LoaderId, MethodId, Sym};
use crate::natives::library_of;
use crate::vm::Vm;
use rjvm_classfile::{ClassFile, ConstantPool, MethodInfo};
use std::sync::Arc;

impl Vm {
    /// The method objects of a class, for those methods of its file that have none; `places` in its vtable, if there are any.
    pub(super) fn make_methods(
        &mut self,
        id: ClassId,
        cf: &Arc<ClassFile>,
        decls: &[Decl],
        places: &[i32],
    ) {
        let k = self.class(id);
        let (class_name, loader, all_hidden) = (k.name.clone(), k.loader, k.hidden);
        let boot = loader == LoaderId::BOOT;
        // the marks are the class library's privilege
        let privileged = boot || self.is_platform_loader(loader);
        let polymorphic = boot
            && matches!(
                &*class_name,
                "java/lang/invoke/MethodHandle" | "java/lang/invoke/VarHandle"
            );
        let pool = k.rare.get().map_or(0, Rare::current_pool);
        let mut methods = Vec::with_capacity(cf.methods.len());
        methods.extend_from_slice(&k.methods);
        let all = cf.methods.iter().zip(decls).enumerate();
        for (i, (info, d)) in all.skip(methods.len()) {
            let special = if polymorphic {
                intrinsic_of(self.syms.str(d.name), self.syms.str(d.desc), d.access)
            } else {
                intrinsic::NONE
            };
            let marks = if privileged || all_hidden {
                annotation_marks(&cf.constant_pool, info)
            } else {
                MethodMarks::default()
            };
            let file = info.attributes.has_code().then(|| cf.clone());
            let m = NewMethod {
                class: id,
                name: d.name,
                desc: d.desc,
                access: d.access,
                slot: i as u32,
                vindex: places.get(i).copied().unwrap_or(vindex::DIRECT),
                intrinsic: special,
                file,
                pool,
                marks: MethodMarks {
                    hidden: marks.hidden || all_hidden,
                    ..marks
                },
            };
            methods.push(self.add_method(m));
        }
        let named = |(d, &m): (&Decl, &MethodId)| (d.name, d.desc, m);
        let index = MethodIndex::new(decls.iter().zip(&methods).map(named));
        let class = self.heap.class_mut(id);
        class.methods = methods.into();
        class.method_index = index;
    }
    pub(crate) fn is_platform_loader(&self, l: LoaderId) -> bool {
        let o = self.loader_object(l);
        !o.is_null()
            && *self.class(self.class_of(o)).name
                == *"jdk/internal/loader/ClassLoaders$PlatformClassLoader"
    }
    pub(super) fn add_method(&mut self, n: NewMethod) -> MethodId {
        let id = self.loaded.methods.next();
        let native = match n.access & acc::NATIVE != 0 && n.intrinsic == intrinsic::NONE {
            true => {
                let (name, desc) = (self.syms.str(n.name), self.syms.str(n.desc));
                let class = &*self.class(n.class).name;
                match library_of(class) {
                    Some(_) => None,
                    None => {
                        let is_static = n.access & acc::STATIC != 0;
                        self.natives.find(class, name, desc, is_static)
                    }
                }
            }
            false => None,
        };
        let entry = self.entry_with(n.access);
        let entry = self.notified_entry(entry);
        let shape = self.syms.shape(n.desc);
        let arg_slots = shape.argument_slots(n.access & acc::STATIC != 0);
        self.loaded.methods.add(Method {
            entry,
            native: native.map(NativeEntry::new),
            frame_bytes: u32::from(arg_slots.max(1)) * 8,
            kid_slots: 0,
            kids: 0,
            id,
            class: n.class,
            vindex: n.vindex,
            access: n.access,
            arg_slots,
            ret: shape.ret,
            intrinsic: n.intrinsic,
            caller_sensitive: n.marks.caller_sensitive,
            hidden: n.marks.hidden,
            lambda_form: n.marks.lambda_form,
            name: n.name,
            desc: n.desc,
            slot: n.slot,
            file: n.file,
            body: 0,
            pool: n.pool,
            deleted: false,
            original: id,
            call: crate::interp::uncompiled(),
            xlat: None,
            in_profile: false,
        })
    }
    /// The stub by which methods with these flags are entered for the first time.
    fn entry_with(&self, access: u16) -> *const u8 {
        match (access & acc::NATIVE != 0, access & acc::ABSTRACT != 0) {
            (_, true) => self.code.stubs.abstract_,
            // natives of a VM under control are called by the one that asks
            (true, _) if self.options.explored.is_some() => self.code.stubs.native_asking,
            (true, _) => self.code.stubs.native,
            _ => self.code.stubs.translate,
        }
    }
    /// The stub by which a method is entered whose body is a new one.
    pub(crate) fn first_entry(&self, id: MethodId) -> *const u8 {
        self.entry_with(self.method(id).access)
    }
    /// A linker of method handles with this descriptor (JVMS 2.9.3): a copy of the declared
    /// `invokeBasic` or `linkTo…` method.
    pub(super) fn linker_method(&mut self, declared: MethodId, desc: Sym) -> MethodId {
        let k = self.method(declared);
        let (class, name) = (k.class, k.name);
        if k.desc == desc {
            return declared;
        }
        let n = NewMethod {
            class,
            name,
            desc,
            access: k.access,
            slot: k.slot,
            vindex: vindex::DIRECT,
            intrinsic: k.intrinsic,
            file: None,
            pool: 0,
            marks: MethodMarks {
                hidden: true,
                ..MethodMarks::default()
            },
        };
        let known = self.class(class).rare.get();
        if let Some(&m) = known.and_then(|r| r.linkers.get(&(name, desc))) {
            return m;
        }
        let m = self.add_method(n);
        let rare = self.heap.class_mut(class).rare.make();
        rare.linkers.insert((name, desc), m);
        m
    }
}

/// The parts of a new method.
pub(super) struct NewMethod {
    class: ClassId,
    name: Sym,
    desc: Sym,
    access: u16,
    slot: u32,
    vindex: i32,
    intrinsic: u8,
    file: Option<Arc<ClassFile>>,
    pool: u16,
    marks: MethodMarks,
}

/// What a method's annotations say to the VM.
#[derive(Clone, Copy, Default)]
pub(super) struct MethodMarks {
    caller_sensitive: bool,
    hidden: bool,
    lambda_form: bool,
}

/// The intrinsic of a method of MethodHandle or VarHandle (JVMS 2.9.3).
fn intrinsic_of(name: &str, desc: &str, access: u16) -> u8 {
    if access & (acc::NATIVE | acc::VARARGS) != acc::NATIVE | acc::VARARGS
        || !desc.starts_with("([Ljava/lang/Object;)")
    {
        return intrinsic::NONE;
    }
    match name {
        "invokeBasic" => intrinsic::INVOKE_BASIC,
        "linkToVirtual" => intrinsic::LINK_TO_VIRTUAL,
        "linkToStatic" => intrinsic::LINK_TO_STATIC,
        "linkToSpecial" => intrinsic::LINK_TO_SPECIAL,
        "linkToInterface" => intrinsic::LINK_TO_INTERFACE,
        "linkToNative" => intrinsic::NONE,
        _ => intrinsic::INVOKE_GENERIC,
    }
}

fn annotation_marks(cp: &ConstantPool, m: &MethodInfo) -> MethodMarks {
    let mut marks = MethodMarks::default();
    if let Some(bytes) = m.attributes.visible_annotations() {
        let mut a = Annotations { bytes, at: 0 };
        let _ = a.types(|i| match cp.utf8(i) {
            Ok(b"Ljdk/internal/reflect/CallerSensitive;") => marks.caller_sensitive = true,
            Ok(
                b"Ljdk/internal/vm/annotation/Hidden;" | b"Ljava/lang/invoke/LambdaForm$Hidden;",
            ) => marks.hidden = true,
            Ok(b"Ljava/lang/invoke/LambdaForm$Compiled;") => marks.lambda_form = true,
            _ => {}
        });
    }
    marks
}

/// A reader that skips over annotations (JVMS 4.7.16); `None` when the bytes end too early.
struct Annotations<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Annotations<'_> {
    fn u1(&mut self) -> Option<u8> {
        self.at += 1;
        self.bytes.get(self.at - 1).copied()
    }
    fn u2(&mut self) -> Option<u16> {
        Some(u16::from(self.u1()?) << 8 | u16::from(self.u1()?))
    }
    fn types(&mut self, mut f: impl FnMut(u16)) -> Option<()> {
        for _ in 0..self.u2()? {
            f(self.annotation(0)?);
        }
        Some(())
    }
    fn annotation(&mut self, depth: u8) -> Option<u16> {
        let ty = self.u2()?;
        for _ in 0..self.u2()? {
            self.u2()?;
            self.value(depth)?;
        }
        Some(ty)
    }
    fn value(&mut self, depth: u8) -> Option<()> {
        if depth > 30 {
            return None;
        }
        match self.u1()? {
            b'e' => {
                self.u2()?;
                self.u2()?;
            }
            b'@' => {
                self.annotation(depth + 1)?;
            }
            b'[' => {
                for _ in 0..self.u2()? {
                    self.value(depth + 1)?;
                }
            }
            _ => {
                self.u2()?;
            }
        }
        Some(())
    }
}
