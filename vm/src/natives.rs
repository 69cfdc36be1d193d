//! The registry of native methods and the table macro with which `jdk-stubs` fills it.
//!
//! A native is a Rust function `fn(&mut Env, this: Ref, …) -> R<T>` (no `this` for static methods)
//! whose parameter types mirror the descriptor, which the compiler checks. Natives never see a collection happen: a
//! collection runs only between instructions, so a `Ref` held in a local variable stays valid until the
//! function returns. A native that needs Java code to run returns [`crate::throw::Throw::Upcall`].
//!
//! Natives are trusted: nothing looks whether a `Ref` that they hand over still names an object, as for hosts
//! (`heap/starts.rs`), and nothing compares an object that they return with the class in the descriptor. Such tests would
//! cost each call. So [`Natives::add`] is `unsafe`, and its contract is what natives have to keep to. With debug assertions
//! their results are tested.

mod env;
mod foreign;
mod inlined;
mod results;
mod symbols;

use crate::classes::NativeEntry;
use crate::ids::{ClassId, MethodId, Ref};
use crate::jdk::Versions;
use crate::throw::{R, Throw};
use crate::value::Value;
pub use crate::vm::Env;
use crate::vm::Vm;
pub use foreign::{Foreign, NativeThreadHooks};
use hashbrown::HashMap;
pub use inlined::InlinedNative;
pub use results::{ResultFn, ResultRow};
use rjvm_classfile::descriptor::parameters;
use std::mem::transmute;
use std::sync::Arc;
pub use symbols::{AWT, library_of, library_of_symbol, symbol};

/// A bound native: receives its argument slots (long and double take two).
///
/// # Safety
/// The slots hold arguments of the method's descriptor, references of this VM among them.
pub type NativeFn = unsafe fn(&mut Env, &[u64]) -> R<u64>;

impl NativeEntry {
    /// Of a native.
    pub(crate) fn new(native: NativeFn) -> NativeEntry {
        // SAFETY: a pointer to a function is one whatever its type is; `function` gives this one its own back.
        NativeEntry(unsafe { transmute::<NativeFn, unsafe fn()>(native) })
    }
    /// The native.
    #[inline(always)]
    pub(crate) fn function(self) -> NativeFn {
        // SAFETY: `new` has made it, of this type.
        unsafe { transmute::<unsafe fn(), NativeFn>(self.0) }
    }
    /// Whether both are the same function.
    #[cfg(tier)]
    fn is(self, other: NativeEntry) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

/// One row of a class's table, made by [`natives!`](crate::natives!).
pub struct NativeRow {
    /// Method name.
    pub name: &'static str,
    /// Method descriptor.
    pub desc: &'static str,
    /// JDKs that have it.
    pub versions: Versions,
    /// Not all updates and builds of those have it.
    pub optional: bool,
    f: NativeFn,
    parameters: usize,
    #[cfg_attr(not(tier), allow(dead_code, reason = "for compiled code alone"))]
    inlined: Option<InlinedNative>,
}

impl NativeRow {
    /// A row (helper of [`natives!`](crate::natives!)).
    ///
    /// # Safety
    /// `f` takes the slots of this many parameters, `this` among them, and returns a slot, as the descriptor says.
    pub const unsafe fn new(
        (name, desc): (&'static str, &'static str),
        versions: Versions,
        optional: bool,
        f: NativeFn,
        parameters: usize,
    ) -> NativeRow {
        NativeRow {
            name,
            desc,
            versions,
            optional,
            f,
            parameters,
            inlined: None,
        }
    }
    /// The same with machine code that compiled code may have instead of a call.
    ///
    /// # Safety
    /// The function does what [`InlinedNative`] says.
    pub const unsafe fn with_code(self, code: InlinedNative) -> NativeRow {
        NativeRow {
            inlined: Some(code),
            ..self
        }
    }
    /// Whether its Rust function takes `this`: it has one parameter more than the descriptor.
    pub fn takes_this(&self) -> bool {
        self.parameters > parameters(self.desc).count()
    }
}

/// The table of one Java class.
pub struct NativeClass {
    /// Internal name.
    pub class: &'static str,
    /// Its natives.
    pub rows: &'static [NativeRow],
}

/// All natives of a VM.
#[derive(Clone, Default)]
pub struct Natives {
    classes: Vec<&'static NativeClass>,
    /// Those of the VM's JDK.
    map: HashMap<(&'static str, &'static str, &'static str), &'static NativeRow>,
    hosted: Option<Arc<dyn HostNatives>>,
    foreign: Option<Foreign>,
    /// Whether libraries are searched for natives.
    foreign_open: bool,
    hearing: Option<NativeThreadHooks>,
    results: results::Results,
}

/// Why one of [`HostNatives`] is not a native method of its class. Each names the method, as `Class.method`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsuitableNative {
    /// No method of the class has its name.
    #[error("{0}: the host function has no matching method")]
    NoMethod(String),
    /// Methods of its name take or return other types.
    #[error("{0}: the types of the host function do not match")]
    Types(String),
    /// The method has code.
    #[error("{0}: the method of the host function is not native")]
    NotNative(String),
}

/// Natives that are not functions known when the VM is built, but values: an embedder's closures.
///
/// They belong to the host, not to the program's library, and receive the host's [`Vm`]: a closure may request the same as its
/// embedder, and continuations of the host do the work ([`Cont::of_host`](crate::throw::Cont::of_host)).
pub trait HostNatives: Send + Sync {
    /// Whether there is one for this method of a class (internal name).
    fn has(&self, class: &str, name: &str, desc: &str) -> bool;
    /// Why one of them is not a native method of a class that is about to be linked: its first use throws an
    /// `UnsatisfiedLinkError` that says so.
    fn suits(&self, vm: &Vm, class: ClassId) -> Result<(), UnsuitableNative> {
        let _ = (vm, class);
        Ok(())
    }
    /// Calls it with the method's arguments, `this` first if it has one.
    fn call(&self, vm: &mut Vm, method: MethodId, args: &[Value]) -> R<Value>;
}

/// The native method under way is one of [`HostNatives`].
///
/// # Safety
/// As [`NativeFn`].
unsafe fn hosted(env: &mut Env, slots: &[u64]) -> R<u64> {
    let vm = &mut env.0;
    let id = vm.native_under_way();
    let natives = vm.natives.hosted.clone();
    let method = vm.method(id);
    let (desc, instance) = (vm.syms.str(method.desc).clone(), !method.is_static());
    let mut args = Vec::new();
    let mut at = 0;
    if instance {
        args.push(Value::of(b'L', slots[0]));
        at = 1;
    }
    for ty in parameters(&desc) {
        args.push(Value::of(ty.as_bytes()[0], slots[at]));
        at += if matches!(ty, "J" | "D") { 2 } else { 1 };
    }
    let natives = natives.expect("a method is bound to natives that are there");
    vm.as_host(|vm| match natives.call(vm, id, &args) {
        Ok(result) => Ok(vm.result_slot(id, result)),
        Err(t) => {
            t.check(vm);
            Err(t)
        }
    })
}

impl Natives {
    /// Adds the tables of `classes`. Which of their rows count is settled when the VM has its JDK.
    ///
    /// # Safety
    /// What the functions of the tables return, throw, store and hand to other code are objects of the VM that calls them, as they
    /// are named since its last collection: a [`Ref`] comes from the arguments or from the VM's answers since the
    /// native was entered. It is kept longer only as [`Env::native_refs`], in a [`Cont`](crate::throw::Cont) or in a root cell. An
    /// object that they return is an instance of the class in the descriptor. A function that a row calls `inlined` has the
    /// parameters and the effect of that [`InlinedNative`].
    pub unsafe fn add(&mut self, classes: &[&'static NativeClass]) {
        self.classes.extend(classes);
    }
    /// Settles on the rows for a JDK of this feature version.
    ///
    /// # Panics
    /// If there are two of them for one method.
    pub(crate) fn settle(&mut self, feature: u32) {
        self.settle_results(feature);
        self.map.clear();
        for c in &self.classes {
            for r in c.rows.iter().filter(|r| r.versions.contains(feature)) {
                let old = self.map.insert((c.class, r.name, r.desc), r);
                assert!(
                    old.is_none(),
                    "two natives for {}.{}{}",
                    c.class,
                    r.name,
                    r.desc
                );
            }
        }
    }
    /// The function of `class.name desc`, a static method or one with `this`; one of the other kind is none.
    pub fn find(&self, class: &str, name: &str, desc: &str, is_static: bool) -> Option<NativeFn> {
        let row = self.map.get(&(class, name, desc) as &(&str, &str, &str));
        let fixed = row.filter(|r| r.takes_this() != is_static);
        fixed.map(|r| r.f).or_else(|| {
            let more = self.hosted.as_ref()?;
            more.has(class, name, desc).then_some(hosted as NativeFn)
        })
    }
    /// What compiled code may do instead of a call of that method, if its function is `bound`.
    #[cfg(tier)]
    pub(crate) fn inlined(
        &self,
        (class, name, desc): (&str, &str, &str),
        is_static: bool,
        bound: NativeEntry,
    ) -> Option<InlinedNative> {
        let row = self.map.get(&(class, name, desc) as &(&str, &str, &str))?;
        let same = row.takes_this() != is_static && bound.is(NativeEntry::new(row.f));
        row.inlined.filter(|_| same)
    }
    /// Asks the host for its own natives of a class: see [`HostNatives::suits`].
    #[inline]
    pub(crate) fn suit(&self, vm: &Vm, class: ClassId) -> R<()> {
        let Some(hosted) = self.hosted.as_ref().filter(|_| vm.booted) else {
            return Ok(());
        };
        let thrown =
            |why: UnsuitableNative| Throw::msg("java/lang/UnsatisfiedLinkError", why.to_string());
        hosted.suits(vm, class).map_err(thrown)
    }
    /// Adds natives for methods that no table has.
    pub fn host(&mut self, natives: Arc<dyn HostNatives>) {
        self.hosted = Some(natives);
    }
}

/// A type a native may take.
///
/// # Safety
/// Slots of this shape hold a value of the type.
pub unsafe trait Arg: Sized {
    /// Slots it takes.
    const SLOTS: usize;
    /// Descriptor character it represents, `L` for all references.
    const SHAPE: u8;
    /// From its slot.
    ///
    /// # Safety
    /// The slot holds a value of this type: see [`Ref::from_slot`].
    unsafe fn from_slot(v: u64) -> Self;
}
/// A type a native may return.
///
/// # Safety
/// The slot of a value is one of this shape.
pub unsafe trait Ret {
    /// Descriptor character it represents, `L` for all references.
    const SHAPE: u8;
    /// To a slot: ints sign-extended to 32 and then zero-extended to 64 bits, floats as their bits.
    fn into_slot(self) -> u64;
}
macro_rules! prim {
    ($($t:ty, $slots:expr, $shape:expr, |$v:ident| $from:expr, |$w:ident| $to:expr;)*) => { $(
        // SAFETY: the rows of the table say so.
        unsafe impl Arg for $t {
            const SLOTS: usize = $slots;
            const SHAPE: u8 = $shape;
            #[inline(always)]
            unsafe fn from_slot($v: u64) -> Self { $from }
        }
        // SAFETY: in the same way.
        unsafe impl Ret for $t {
            const SHAPE: u8 = $shape;
            #[inline(always)]
            fn into_slot(self) -> u64 { let $w = self; $to }
        }
    )* }
}
prim! {
    i32, 1, b'I', |v| v as i32, |w| w as u32 as u64;
    bool, 1, b'Z', |v| v as i32 != 0, |w| w as u64;
    i8, 1, b'B', |v| v as i8, |w| w as i32 as u32 as u64;
    i16, 1, b'S', |v| v as i16, |w| w as i32 as u32 as u64;
    u16, 1, b'C', |v| v as u16, |w| w as u64;
    i64, 2, b'J', |v| v as i64, |w| w as u64;
    f32, 1, b'F', |v| f32::from_bits(v as u32), |w| w.to_bits() as u64;
    f64, 2, b'D', |v| f64::from_bits(v), |w| w.to_bits();
    Ref, 1, b'L', |v| Ref(v as u32), |w| w.0 as u64;
}
// SAFETY: nobody reads the slot.
unsafe impl Ret for () {
    const SHAPE: u8 = b'V';
    fn into_slot(self) -> u64 {
        0
    }
}

/// A Rust function that can serve as a native.
///
/// # Safety
/// `call` takes slots of the shapes `TAKES` and returns one of the shape `GIVES`.
pub unsafe trait NativeImpl<A> {
    /// Shapes of its parameters.
    const TAKES: &'static [u8];
    /// Shape of its result.
    const GIVES: u8;
    /// Calls it with raw slots.
    ///
    /// # Safety
    /// As [`NativeFn`].
    unsafe fn call(self, env: &mut Env, a: &[u64]) -> R<u64>;
}
macro_rules! arity {
    ($($p:ident)*) => {
        // SAFETY: the slots are read and made as the types say.
        unsafe impl<F, T: Ret, $($p: Arg),*> NativeImpl<($($p,)* T,)> for F where F: FnOnce(&mut Env, $($p),*) -> R<T> {
            const TAKES: &'static [u8] = &[$($p::SHAPE),*];
            const GIVES: u8 = T::SHAPE;
            #[allow(unused_variables, unused_mut, unused_assignments, non_snake_case, reason = "made for 0 to n parameters, named by their types")]
            #[inline(always)]
            unsafe fn call(self, env: &mut Env, a: &[u64]) -> R<u64> {
                let mut i = 0;
                $( let $p = $p::from_slot(a[i]); i += $p::SLOTS; )*
                self(env, $($p),*).map(Ret::into_slot)
            }
        }
    };
}
arity!();
arity!(A);
arity!(A B);
arity!(A B C);
arity!(A B C D);
arity!(A B C D E);
arity!(A B C D E G);
arity!(A B C D E G H);
arity!(A B C D E G H I);
arity!(A B C D E G H I J);
arity!(A B C D E G H I J K);
arity!(A B C D E G H I J K L);
arity!(A B C D E G H I J K L M);
arity!(A B C D E G H I J K L M N);

/// How many parameters a function has that can be the native with this descriptor (helper of [`natives!`](crate::natives!)):
/// its parameters and its result are of the descriptor's types, but that an `i32` represents the smaller ones, too, and
/// that a reference more comes first for `this`.
///
/// # Panics
/// If it cannot be that native, and so the program is not compiled.
pub const fn parameters_of<A, F: NativeImpl<A>>(_: &F, desc: &str) -> usize {
    let (desc, takes) = (desc.as_bytes(), F::TAKES);
    // types that are left of the descriptor, counted first
    let (mut at, mut left) = (1, 0);
    while desc[at] != b')' {
        at = end_of_type(desc, at);
        left += 1;
    }
    let result = desc[at + 1];
    let wrong = "the result is not of the descriptor's type";
    assert!(shape_of(result) == F::GIVES, "{}", wrong);
    let instance = takes.len() == left + 1;
    let wrong = "the descriptor has another number of parameters";
    assert!(takes.len() == left || instance, "{}", wrong);
    let mut i = 0;
    if instance {
        assert!(takes[0] == b'L', "`this` is a reference");
        i = 1;
    }
    at = 1;
    while i < takes.len() {
        let want = shape_of(desc[at]);
        let small = takes[i] == b'I' && matches!(want, b'Z' | b'B' | b'C' | b'S');
        let wrong = "a parameter is not of the descriptor's type";
        assert!(takes[i] == want || small, "{}", wrong);
        at = end_of_type(desc, at);
        i += 1;
    }
    takes.len()
}

/// What a type that begins with this character is to a native.
const fn shape_of(first: u8) -> u8 {
    match first {
        b'[' => b'L',
        c => c,
    }
}

/// Where the type that begins at `at` of a descriptor ends.
const fn end_of_type(desc: &[u8], mut at: usize) -> usize {
    while desc[at] == b'[' {
        at += 1;
    }
    if desc[at] == b'L' {
        while desc[at] != b';' {
            at += 1;
        }
    }
    at + 1
}

/// Declares the native table of one Java class as `pub static NATIVES: NativeClass`:
/// `natives! { "java/lang/Runtime"; availableProcessors "()I" => available_processors; }`
/// A row that not every JDK has says so behind the descriptor: `since 21`, `until 20`, or both;
/// `optional`, if updates or builds of one version differ. Behind the function, `inlined` names the [`InlinedNative`] that does the
/// same.
///
/// A function whose types are not those of the descriptor is not compiled:
///
/// ```compile_fail,E0080
/// rjvm_vm::natives! { "p/A"; text "(I)Ljava/lang/String;" => same; }
/// fn same(_: &mut rjvm_vm::Env, r: rjvm_vm::Ref) -> rjvm_vm::R<rjvm_vm::Ref> {
///     Ok(r)
/// }
/// ```
/// Nor can code without `unsafe` add natives to a VM: see [`Natives::add`].
///
/// ```compile_fail,E0133
/// rjvm_vm::natives! { "p/A"; same "(Ljava/lang/Object;)Ljava/lang/Object;" => same; }
/// fn same(_: &mut rjvm_vm::Env, r: rjvm_vm::Ref) -> rjvm_vm::R<rjvm_vm::Ref> {
///     Ok(r)
/// }
/// rjvm_vm::natives::Natives::default().add(&[&NATIVES]);
/// ```
#[macro_export]
macro_rules! natives {
    (@optional) => { false };
    (@optional optional) => { true };
    ($class:literal; $($name:ident $desc:literal $(since $since:literal)? $(until $until:literal)? $(optional $(@$never:tt)?)? => $f:path $(, inlined $code:ident)?;)*) => {
        /// The natives of this class.
        pub static NATIVES: $crate::natives::NativeClass = $crate::natives::NativeClass {
            class: $class,
            rows: &[ $( {
                let name = (stringify!($name), $desc);
                let versions = $crate::jdk::Versions::of(&[$($since)?], &[$($until)?]);
                let optional = $crate::natives!(@optional $(optional $($never)?)?);
                let parameters = $crate::natives::parameters_of(&$f, $desc);
                let f: $crate::natives::NativeFn = |env, a| {
                    let native = $f;
                    // SAFETY: the caller's.
                    unsafe { $crate::natives::NativeImpl::call(native, env, a) }
                };
                // SAFETY: what `call` takes and returns is of the types that the function has, and it has the descriptor's.
                let row = unsafe { $crate::natives::NativeRow::new(name, versions, optional, f, parameters) };
                // SAFETY: nothing uses the row before it is added to a VM, and who adds it answers for this.
                $( let row = unsafe { row.with_code($crate::natives::InlinedNative::$code) }; )?
                row
            } ),* ],
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    natives! { "a/B";
        always "()I" => one;
        changed "()I" until 20 => one;
        changed "()I" since 21 => two;
        between "()I" since 18 until 20 => one;
        sometimes "()I" optional => two;
        rarely "()I" since 18 optional => two;
    }

    fn one(_: &mut Env) -> R<i32> {
        Ok(1)
    }

    fn two(_: &mut Env) -> R<i32> {
        Ok(2)
    }

    #[test]
    fn rows_count_for_their_jdks() {
        let mut natives = Natives::default();
        // SAFETY: nothing calls them.
        unsafe { natives.add(&[&NATIVES]) };
        let has = |natives: &Natives, name| natives.find("a/B", name, "()I", true).is_some();
        for (feature, between) in [(17, false), (18, true), (20, true), (21, false)] {
            natives.settle(feature);
            assert!(has(&natives, "always") && has(&natives, "changed"));
            let with_this = natives.find("a/B", "always", "()I", false);
            assert!(with_this.is_none(), "the function takes none");
            assert_eq!(has(&natives, "between"), between, "{feature}");
            assert!(has(&natives, "sometimes"));
            assert_eq!(has(&natives, "rarely"), feature > 17);
        }
    }

    #[test]
    fn descriptors_give_types() {
        fn many(_: &mut Env, _: Ref, _: i64, _: i32, _: Ref, _: bool) -> R<Ref> {
            Ok(Ref::NULL)
        }
        let takes = |desc| parameters_of(&many, desc);
        assert_eq!(takes("(Ljava/lang/String;JI[[IZ)[J"), 5);
        assert_eq!(takes("(JS[Ljava/lang/Object;Z)Ljava/lang/Object;"), 5);
        for desc in [
            "(Ljava/lang/String;JI[[IZ)J",
            "(Ljava/lang/String;JI[[IZ)V",
            "(IJI[[IZ)[J",
            "(Ljava/lang/String;IJ[[IZ)[J",
            "(Ljava/lang/String;JI[[II)[J",
            "(Ljava/lang/String;JJ[[IZ)[J",
            "(I[[IZ)[J",
            "(Ljava/lang/String;JI[[IZI)[J",
        ] {
            assert!(std::panic::catch_unwind(|| takes(desc)).is_err(), "{desc}");
        }
    }

    #[test]
    fn rows_that_may_lack_their_native() {
        let optional = NATIVES.rows.iter().filter(|r| r.optional);
        let names: Vec<&str> = optional.map(|r| r.name).collect();
        assert_eq!(names, ["sometimes", "rarely"]);
    }

    #[test]
    #[should_panic(expected = "two natives for a/B.always()I")]
    fn two_rows_for_one_method() {
        let mut natives = Natives::default();
        // SAFETY: nothing calls them.
        unsafe { natives.add(&[&NATIVES, &NATIVES]) };
        natives.settle(17);
    }
}
