//! The layout of a class's virtual method table (JVMS 5.4.5).

use crate::classes::method::vindex;
use crate::classes::{acc, names};
use crate::ids::{ClassId, LoaderId, MethodId, Sym};
use crate::throw::{R, Throw};
use crate::vm::Vm;

/// The source of a table entry.
#[derive(Clone, Copy)]
pub(super) enum VtableSlot {
    /// A method of a superclass.
    Inherited(MethodId),
    /// Method number of the class being made.
    Own(usize),
}

/// What the layout needs to know of a declared method.
pub(super) struct Decl {
    pub(super) name: Sym,
    pub(super) desc: Sym,
    pub(super) access: u16,
}

/// The class being made.
pub(super) struct VtableOwner<'a> {
    pub(super) name: &'a str,
    pub(super) loader: LoaderId,
    pub(super) package: Sym,
    pub(super) access: u16,
    pub(super) super_class: Option<ClassId>,
}

/// The finished layout.
pub(super) struct VtableLayout {
    pub(super) slots: Vec<VtableSlot>,
    /// By declared method: its [`crate::classes::Method::vindex`].
    pub(super) methods: Vec<i32>,
}

impl Vm {
    /// Whether a method declared in a class of this loader and package overrides the instance
    /// method `m` of a superclass with the same name and descriptor.
    fn overrides(&self, o: &VtableOwner, m: MethodId) -> bool {
        let k = self.method(m);
        if k.access & (acc::PUBLIC | acc::PROTECTED) != 0 {
            return true;
        }
        let holder = self.class(k.class);
        !k.is_private() && holder.loader == o.loader && holder.package == o.package
    }
    /// Lays out the table of a class. IncompatibleClassChangeError when a final method is overridden.
    pub(super) fn plan_vtable(&mut self, o: &VtableOwner, decls: &[Decl]) -> R<VtableLayout> {
        let (init, clinit) = (self.syms.intern("<init>"), self.syms.intern("<clinit>"));
        let interface = o.access & acc::INTERFACE != 0;
        let mut slots: Vec<VtableSlot> = match o.super_class {
            Some(s) if !interface => {
                let table = self.class(s).vtable().iter();
                table
                    .map(|fat| VtableSlot::Inherited(fat.method()))
                    .collect()
            }
            _ => Vec::new(),
        };
        let inherited = slots.len();
        let mut methods = Vec::with_capacity(decls.len());
        for (i, d) in decls.iter().enumerate() {
            let mut first = None;
            let never =
                d.access & (acc::STATIC | acc::PRIVATE) != 0 || d.name == init || d.name == clinit;
            if never || interface {
                let v = if never {
                    vindex::DIRECT
                } else {
                    vindex::INTERFACE
                };
                methods.push(v);
                continue;
            }
            if self.redeclares(o, d)? {
                for (at, slot) in slots[..inherited].iter_mut().enumerate() {
                    if let VtableSlot::Inherited(m) = *slot
                        && (self.method(m).name, self.method(m).desc) == (d.name, d.desc)
                        && self.overrides(o, m)
                    {
                        *slot = VtableSlot::Own(i);
                        first = first.or(Some(at));
                    }
                }
            }
            let last = (o.access | d.access) & acc::FINAL != 0;
            let v = match last {
                true => vindex::DIRECT,
                false => {
                    let next = slots.len();
                    first.unwrap_or_else(|| {
                        slots.push(VtableSlot::Own(i));
                        next
                    }) as i32
                }
            };
            methods.push(v);
        }
        Ok(VtableLayout { slots, methods })
    }
    /// Whether a superclass declares an instance method of that name and descriptor.
    fn redeclares(&self, o: &VtableOwner, d: &Decl) -> R<bool> {
        let mut found = false;
        let mut c = o.super_class;
        while let Some(k) = c {
            if let Some(m) = self.declared_method(k, d.name, d.desc)
                && self.method(m).access & (acc::STATIC | acc::PRIVATE) == 0
            {
                found = true;
                if self.method(m).is_final() && self.overrides(o, m) {
                    return Err(Throw::msg(
                        "java/lang/IncompatibleClassChangeError",
                        format!(
                            "class {} overrides final method {}.{}{}",
                            names::dotted(o.name),
                            self.external_class(k),
                            self.syms.str(d.name),
                            self.syms.str(d.desc)
                        ),
                    ));
                }
            }
            c = self.class(k).super_class;
        }
        Ok(found)
    }
}
