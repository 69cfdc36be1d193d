//! Functions with variable arguments: each makes a `va_list` of its arguments and continues in the function that takes a
//! `va_list`. Rust cannot define such functions, so these are machine code for the System V ABI of x86-64.

use super::functions;
#[cfg(target_arch = "x86_64")]
use super::{calls, objects};

/// `$v(env, object, id, list)`, and `$v(env, object, class, id, list)` with `direct`. The registers of arguments are stored where a
/// `va_list` expects them; `$skip` bytes of them are those of named parameters.
macro_rules! variadic {
    (@code $name:ident $v:path, $skip:literal, $list:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "push rbp",
                "mov rbp, rsp",
                "sub rsp, 208",
                $crate::jni::functions::store_arguments!(whole),
                "test al, al",
                "je 2f",
                $crate::jni::functions::store_arguments!(float),
                "2:",
                concat!("mov dword ptr [rsp + 176], ", $skip),
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rbp + 16]",
                "mov [rsp + 184], rax",
                "mov [rsp + 192], rsp",
                concat!("lea ", $list, ", [rsp + 176]"),
                "call {v}",
                "leave",
                "ret",
                v = sym $v,
            )
        }
        #[cfg(not(target_arch = "x86_64"))]
        unsafe extern "C" fn $name() {
            crate::jni::ends::die("functions with variable arguments need an x86-64 processor")
        }
    };
    ($($at:literal $name:ident $v:path;)* direct $($direct_at:literal $direct:ident $direct_v:path;)*) => {
        $( variadic!(@code $name $v, "24", "rcx"); )*
        $( variadic!(@code $direct $direct_v, "32", "r8"); )*
        functions! {
            $( $at $name; )*
            $( $direct_at $direct; )*
        }
    };
}

pub(in crate::jni) use variadic;

variadic! {
    28 new_object objects::new_object_v;
    34 object calls::object_v;
    37 boolean calls::boolean_v;
    40 byte calls::byte_v;
    43 char calls::char_v;
    46 short calls::short_v;
    49 int calls::int_v;
    52 long calls::long_v;
    55 float calls::float_v;
    58 double calls::double_v;
    61 void calls::void_v;
    114 static_object calls::static_object_v;
    117 static_boolean calls::static_boolean_v;
    120 static_byte calls::static_byte_v;
    123 static_char calls::static_char_v;
    126 static_short calls::static_short_v;
    129 static_int calls::static_int_v;
    132 static_long calls::static_long_v;
    135 static_float calls::static_float_v;
    138 static_double calls::static_double_v;
    141 static_void calls::static_void_v;
    direct
    64 direct_object calls::direct_object_v;
    67 direct_boolean calls::direct_boolean_v;
    70 direct_byte calls::direct_byte_v;
    73 direct_char calls::direct_char_v;
    76 direct_short calls::direct_short_v;
    79 direct_int calls::direct_int_v;
    82 direct_long calls::direct_long_v;
    85 direct_float calls::direct_float_v;
    88 direct_double calls::direct_double_v;
    91 direct_void calls::direct_void_v;
}
