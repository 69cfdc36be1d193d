//! The functions that C code calls, and the table of them (JNI specification, chapter 4).

/// Machine code that stores the registers of whole arguments, and those of floating-point ones, on the stack.
#[cfg(target_arch = "x86_64")]
macro_rules! store_arguments {
    (whole) => {
        "mov [rsp], rdi
         mov [rsp + 8], rsi
         mov [rsp + 16], rdx
         mov [rsp + 24], rcx
         mov [rsp + 32], r8
         mov [rsp + 40], r9"
    };
    (float) => {
        "movaps [rsp + 48], xmm0
         movaps [rsp + 64], xmm1
         movaps [rsp + 80], xmm2
         movaps [rsp + 96], xmm3
         movaps [rsp + 112], xmm4
         movaps [rsp + 128], xmm5
         movaps [rsp + 144], xmm6
         movaps [rsp + 160], xmm7"
    };
}

mod arrays;
mod calls;
pub(in crate::jni) mod checked;
mod classes;
mod exceptions;
mod fields;
mod invocation;
mod natives;
mod objects;
mod references;
mod strings;
mod values;
mod variadic;

#[cfg(target_arch = "x86_64")]
pub(in crate::jni) use store_arguments;
pub(in crate::jni) use variadic::variadic;

use super::env::{FUNCTIONS, FunctionTable, INVOCATION};
use std::ffi::c_void;
use std::sync::OnceLock;

type FunctionPointer = *const c_void;

/// The tables of functions of an environment and of a VM. They are the same in all VMs.
pub struct Tables {
    pub functions: FunctionTable,
    pub invocation: [FunctionPointer; INVOCATION],
    /// The functions for `-Xcheck:jni`.
    pub checked: FunctionTable,
}

// SAFETY: addresses of functions.
unsafe impl Send for Tables {}
// SAFETY: in the same way.
unsafe impl Sync for Tables {}

/// The tables, made when the first library is loaded.
pub fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut table: [FunctionPointer; FUNCTIONS] = [std::ptr::null(); FUNCTIONS];
        let groups: [&dyn Fn(&mut dyn FnMut(usize, FunctionPointer)); 10] = [
            &classes::table,
            &exceptions::table,
            &references::table,
            &objects::table,
            &calls::table,
            &fields::table,
            &strings::table,
            &arrays::table,
            &natives::table,
            &variadic::table,
        ];
        for group in groups {
            group(&mut |at, function| {
                assert!(table[at].is_null(), "two functions at {at}");
                table[at] = function;
            });
        }
        let lacking: Vec<usize> = (4..FUNCTIONS).filter(|&i| table[i].is_null()).collect();
        assert!(lacking.is_empty(), "no functions at {lacking:?}");
        let functions = FunctionTable(table);
        Tables {
            checked: checked::table(&functions),
            functions,
            invocation: invocation::table(),
        }
    })
}

/// A group's part of the table: numbers and functions.
macro_rules! functions {
    ($($at:literal $f:path;)*) => {
        /// Fills this group's part of the table.
        pub fn table(put: &mut dyn FnMut(usize, *const std::ffi::c_void)) {
            $( put($at, $f as *const std::ffi::c_void); )*
        }
    };
}
use functions;

/// Functions that find a member of a class by name and descriptor, a static one or not, with the file's `find`.
macro_rules! finders {
    ($($name:ident $is_static:literal;)*) => { $(
        unsafe extern "C" fn $name(
            env: *mut JniEnv,
            class: JObject,
            name: *const i8,
            desc: *const i8,
        ) -> JId {
            // SAFETY: the environment is the caller's, and the strings end.
            unsafe { find(env, class, name, desc, $is_static) }
        }
    )* };
}
use finders;

#[cfg(test)]
mod tests {
    #[test]
    fn every_function_is_there() {
        let tables = super::tables();
        assert!(tables.functions.0[..4].iter().all(|f| f.is_null()));
        assert!(tables.functions.0[4..].iter().all(|f| !f.is_null()));
        assert!(tables.checked.0[..4].iter().all(|f| f.is_null()));
        assert!(tables.checked.0[4..].iter().all(|f| !f.is_null()));
        assert!(tables.invocation[3..].iter().all(|f| !f.is_null()));
    }
}
