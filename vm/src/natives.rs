//! The registry of native methods and the table macro with which `jdk-stubs` fills it.
//!
//! A native is a Rust function `fn(&mut Env, this: Ref, …) -> R<T>` (no `this` for static methods)
//! whose parameter types mirror the descriptor. Natives never see a collection happen: a collection
//! runs only between instructions, so a `Ref` held in a local variable stays valid until the
//! function returns. A native that needs Java code to run returns [`crate::throw::Throw::Upcall`].

mod env;

pub use env::Env;

use crate::ids::{MethodId, Ref};
use crate::jdk::Versions;
use crate::throw::R;
use crate::value::Value;
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_classfile::descriptor::parameters;
use std::sync::Arc;

/// A bound native: receives its argument slots (long and double take two).
///
/// # Safety
/// The slots hold arguments of the method's descriptor, references of this VM among them.
pub type NativeFn = unsafe fn(&mut Env, &[u64]) -> R<u64>;

/// One row of a class's table.
pub struct NativeRow {
    /// Method name.
    pub name: &'static str,
    /// Method descriptor.
    pub desc: &'static str,
    /// JDKs that have it.
    pub versions: Versions,
    /// Not all updates and builds of those have it.
    pub optional: bool,
    /// Function.
    pub f: NativeFn,
    /// Parameter and result types of the Rust function, for the test that compares them with `desc`.
    pub shape: fn() -> String,
}

/// The table of one Java class.
pub struct NativeClass {
    /// Internal name.
    pub class: &'static str,
    /// Its natives.
    pub rows: &'static [NativeRow],
}

/// The JDK's native libraries besides `libjava`, by the beginning of names of classes whose natives they
/// have. HotSpot looks for those natives through `ClassLoader.findNative`, which is counted.
const LIBRARIES: [(&str, &str); 18] = [
    ("com/sun/management/internal/", "management_ext"),
    ("com/sun/security/auth/module/", "jaas"),
    ("java/awt/", "awt"),
    ("java/net/", "net"),
    ("java/nio/MappedMemoryUtils", "nio"),
    ("java/util/prefs/", "prefs"),
    ("java/util/zip/", "zip"),
    ("jdk/internal/agent/", "management_agent"),
    ("jdk/internal/jimage/", "jimage"),
    ("jdk/net/", "extnet"),
    ("sun/awt/", "awt"),
    ("sun/java2d/", "awt"),
    ("sun/management/", "management"),
    ("sun/net/", "net"),
    ("sun/nio/ch/", "nio"),
    ("sun/nio/fs/", "nio"),
    ("sun/rmi/transport/", "rmi"),
    ("sun/tools/attach/", "attach"),
];

/// The library, other than `libjava`, that has the natives of a class of the JDK (internal name).
pub fn library_of(class: &str) -> Option<&'static str> {
    let row = LIBRARIES.iter().find(|l| class.starts_with(l.0));
    row.map(|l| l.1)
}

/// The library, other than `libjava`, that has a native with this symbol.
pub fn library_of_symbol(symbol: &str) -> Option<&'static str> {
    let name = symbol.strip_prefix("Java_")?;
    let row = LIBRARIES
        .iter()
        .find(|l| name.starts_with(&l.0.replace('/', "_")));
    row.map(|l| l.1)
}

/// The symbol of a native (Java Native Interface, Resolving Native Method Names).
pub fn symbol(class: &str, method: &str) -> String {
    let mut s = String::from("Java");
    for part in [class, method] {
        s.push('_');
        for c in part.chars() {
            match c {
                '/' => s.push('_'),
                '_' => s.push_str("_1"),
                ';' => s.push_str("_2"),
                '[' => s.push_str("_3"),
                c if c.is_ascii_alphanumeric() => s.push(c),
                c => c.encode_utf16(&mut [0; 2]).iter().for_each(|u| {
                    s.push_str(&format!("_0{u:04x}"));
                }),
            }
        }
    }
    s
}

/// All natives of a VM.
#[derive(Clone, Default)]
pub struct Natives {
    classes: Vec<&'static NativeClass>,
    /// Those of the VM's JDK.
    map: HashMap<(&'static str, &'static str, &'static str), NativeFn>,
    hosted: Option<Arc<dyn Hosted>>,
}

/// Natives that are no functions known when the VM is built, but values: an embedder's closures.
///
/// They belong to the host, not to the program's library, and are given what the host has, the [`Vm`]: a closure may ask for
/// whatever its embedder may, and what it asks for is done by continuations of the host ([`Cont::of_host`](crate::throw::Cont::of_host)).
pub trait Hosted: Send + Sync {
    /// Whether there is one for this method of a class (internal name).
    fn has(&self, class: &str, name: &str, desc: &str) -> bool;
    /// Calls it with the method's arguments, `this` first if it has one.
    fn call(&self, vm: &mut Vm, method: MethodId, args: &[Value]) -> R<Value>;
}

/// The native method under way is one of [`Hosted`].
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
    let result = natives
        .expect("a method is bound to natives that are there")
        .call(vm, id, &args)?;
    Ok(vm.result_slot(id, result))
}

impl Natives {
    /// Adds the tables of `classes`. Which of their rows count is settled when the VM has its JDK.
    pub fn add(&mut self, classes: &[&'static NativeClass]) {
        self.classes.extend(classes);
    }
    /// Settles on the rows for a JDK of this feature version.
    ///
    /// # Panics
    /// If there are two of them for one method.
    pub(crate) fn settle(&mut self, feature: u32) {
        self.map.clear();
        for c in &self.classes {
            for r in c.rows.iter().filter(|r| r.versions.contains(feature)) {
                let old = self.map.insert((c.class, r.name, r.desc), r.f);
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
    /// The function of `class.name desc`.
    pub fn find(&self, class: &str, name: &str, desc: &str) -> Option<NativeFn> {
        let fixed = self.map.get(&(class, name, desc) as &(&str, &str, &str));
        fixed.copied().or_else(|| {
            let more = self.hosted.as_ref()?;
            more.has(class, name, desc).then_some(hosted as NativeFn)
        })
    }
    /// Adds natives for methods that no table has.
    pub fn host(&mut self, natives: Arc<dyn Hosted>) {
        self.hosted = Some(natives);
    }
}

/// A type a native may take.
pub trait Arg: Sized {
    /// Slots it takes.
    const SLOTS: usize;
    /// Descriptor characters it stands for.
    const SHAPE: &'static str;
    /// From its slot.
    ///
    /// # Safety
    /// The slot holds a value of this type: see [`Ref::from_slot`].
    unsafe fn from_slot(v: u64) -> Self;
}
/// A type a native may return.
pub trait Ret {
    /// Descriptor characters it stands for.
    const SHAPE: &'static str;
    /// To a slot: ints sign-extended to 32 and then zero-extended to 64 bits, floats as their bits.
    fn into_slot(self) -> u64;
}
macro_rules! prim {
    ($($t:ty, $slots:expr, $shape:expr, |$v:ident| $from:expr, |$w:ident| $to:expr;)*) => { $(
        impl Arg for $t {
            const SLOTS: usize = $slots;
            const SHAPE: &'static str = $shape;
            #[inline(always)]
            unsafe fn from_slot($v: u64) -> Self { $from }
        }
        impl Ret for $t {
            const SHAPE: &'static str = $shape;
            #[inline(always)]
            fn into_slot(self) -> u64 { let $w = self; $to }
        }
    )* }
}
prim! {
    i32, 1, "I", |v| v as i32, |w| w as u32 as u64;
    bool, 1, "Z", |v| v as i32 != 0, |w| w as u64;
    i8, 1, "B", |v| v as i8, |w| w as i32 as u32 as u64;
    i16, 1, "S", |v| v as i16, |w| w as i32 as u32 as u64;
    u16, 1, "C", |v| v as u16, |w| w as u64;
    i64, 2, "J", |v| v as i64, |w| w as u64;
    f32, 1, "F", |v| f32::from_bits(v as u32), |w| w.to_bits() as u64;
    f64, 2, "D", |v| f64::from_bits(v), |w| w.to_bits();
    Ref, 1, "L", |v| Ref(v as u32), |w| w.0 as u64;
}
impl Ret for () {
    const SHAPE: &'static str = "V";
    fn into_slot(self) -> u64 {
        0
    }
}

/// A Rust function that can serve as a native.
pub trait NativeImpl<A> {
    /// Calls it with raw slots.
    ///
    /// # Safety
    /// As [`NativeFn`].
    unsafe fn call(self, env: &mut Env, a: &[u64]) -> R<u64>;
    /// Its parameter and result types.
    fn shape() -> String;
}
macro_rules! arity {
    ($($p:ident)*) => {
        impl<F, T: Ret, $($p: Arg),*> NativeImpl<($($p,)* T,)> for F where F: FnOnce(&mut Env, $($p),*) -> R<T> {
            #[allow(unused_variables, unused_mut, unused_assignments, non_snake_case, reason = "made for 0 to n parameters, named by their types")]
            #[inline(always)]
            unsafe fn call(self, env: &mut Env, a: &[u64]) -> R<u64> {
                let mut i = 0;
                $( let $p = $p::from_slot(a[i]); i += $p::SLOTS; )*
                self(env, $($p),*).map(Ret::into_slot)
            }
            fn shape() -> String {
                let mut s = String::new();
                $( s.push_str($p::SHAPE); )*
                s.push(')');
                s.push_str(T::SHAPE);
                s
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

/// Names the shape of a function (helper of [`natives!`](crate::natives!)).
pub fn shape_of<A, F: NativeImpl<A>>(_: F) -> String {
    F::shape()
}

/// Declares the native table of one Java class as `pub static NATIVES: NativeClass`:
/// `natives! { "java/lang/Runtime"; availableProcessors "()I" => available_processors; }`
/// A row that not every JDK has says so behind the descriptor: `since 21`, `until 20`, or both;
/// `optional`, if updates or builds of one version differ.
#[macro_export]
macro_rules! natives {
    (@optional) => { false };
    (@optional optional) => { true };
    ($class:literal; $($name:ident $desc:literal $(since $since:literal)? $(until $until:literal)? $(optional $(@$never:tt)?)? => $f:path;)*) => {
        /// The natives of this class.
        pub static NATIVES: $crate::natives::NativeClass = $crate::natives::NativeClass {
            class: $class,
            rows: &[ $( $crate::natives::NativeRow {
                name: stringify!($name),
                desc: $desc,
                versions: $crate::jdk::Versions::of(&[$($since)?], &[$($until)?]),
                optional: $crate::natives!(@optional $(optional $($never)?)?),
                // SAFETY: the caller's
                f: |env, a| unsafe { $crate::natives::NativeImpl::call($f, env, a) },
                shape: || $crate::natives::shape_of($f),
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
        natives.add(&[&NATIVES]);
        let has = |natives: &Natives, name| natives.find("a/B", name, "()I").is_some();
        for (feature, between) in [(17, false), (18, true), (20, true), (21, false)] {
            natives.settle(feature);
            assert!(has(&natives, "always") && has(&natives, "changed"));
            assert_eq!(has(&natives, "between"), between, "{feature}");
            assert!(has(&natives, "sometimes"));
            assert_eq!(has(&natives, "rarely"), feature > 17);
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
        natives.add(&[&NATIVES, &NATIVES]);
        natives.settle(17);
    }

    #[test]
    fn symbols_are_those_of_the_native_interface() {
        assert_eq!(
            symbol("java/util/zip/Inflater", "initIDs"),
            "Java_java_util_zip_Inflater_initIDs"
        );
        assert_eq!(symbol("p/A$B", "m_é"), "Java_p_A_00024B_m_1_000e9");
        for class in ["java/util/zip/CRC32", "sun/nio/ch/Net", "java/lang/Object"] {
            let symbol = symbol(class, "m");
            assert_eq!(library_of_symbol(&symbol), library_of(class));
        }
        assert_eq!(library_of("java/util/zip/CRC32"), Some("zip"));
    }
}
