//! C functions as native methods: how they are called by libffi.

use libffi_sys as ffi;
use rjvm_vm::{Ref, Value};
use std::ffi::c_void;

/// A C function with the types of a native method, or of one that the VM calls at a library.
pub struct Bound {
    function: usize,
    cif: ffi::ffi_cif,
    /// What the description of the call points to.
    _types: Box<[*mut ffi::ffi_type]>,
    /// First characters of the descriptors of the parameters that Java code knows.
    pub parameters: Box<[u8]>,
    /// First character of the descriptor of the result.
    pub result: u8,
    pub is_static: bool,
    /// Its library is one of the JDK's.
    pub of_jdk: bool,
}

// SAFETY: libffi only reads its description of a call, and what that points to are its own constants.
unsafe impl Send for Bound {}
// SAFETY: in the same way.
unsafe impl Sync for Bound {}

fn type_of(c: u8) -> *mut ffi::ffi_type {
    match c {
        b'V' => &raw mut ffi::ffi_type_void,
        b'Z' => &raw mut ffi::ffi_type_uint8,
        b'B' => &raw mut ffi::ffi_type_sint8,
        b'C' => &raw mut ffi::ffi_type_uint16,
        b'S' => &raw mut ffi::ffi_type_sint16,
        b'I' => &raw mut ffi::ffi_type_sint32,
        b'J' => &raw mut ffi::ffi_type_sint64,
        b'F' => &raw mut ffi::ffi_type_float,
        b'D' => &raw mut ffi::ffi_type_double,
        _ => &raw mut ffi::ffi_type_pointer,
    }
}

impl Bound {
    /// The function at an address. `leading` pointers come before the parameters: the environment, and the class or object.
    pub fn new(
        function: usize,
        leading: usize,
        parameters: Vec<u8>,
        result: u8,
        is_static: bool,
    ) -> Bound {
        let pointers = std::iter::repeat_n(b'L', leading);
        let types = pointers.chain(parameters.iter().copied()).map(type_of);
        let mut types: Box<[_]> = types.collect();
        // SAFETY: libffi fills a description that is all zeros; the types are its own, in a box that lives as long.
        let cif = unsafe {
            let mut cif: ffi::ffi_cif = std::mem::zeroed();
            let (abi, all) = (ffi::ffi_abi_FFI_DEFAULT_ABI, types.len() as u32);
            let status = ffi::ffi_prep_cif(&mut cif, abi, all, type_of(result), types.as_mut_ptr());
            assert!(status == ffi::ffi_status_FFI_OK, "libffi knows these types");
            cif
        };
        Bound {
            function,
            cif,
            _types: types,
            parameters: parameters.into(),
            result,
            is_static,
            of_jdk: false,
        }
    }
    /// The same, with whether its library is one of the JDK's.
    pub fn of_jdk(self, of_jdk: bool) -> Bound {
        Bound { of_jdk, ..self }
    }
    /// Calls it.
    ///
    /// # Safety
    /// The arguments are as the types say, there is room for a register as the result, and the function is what it has been
    /// bound as, which the program has been granted to say.
    pub unsafe fn call(&self, result: *mut c_void, arguments: *mut *mut c_void) {
        let function: *const c_void = std::ptr::with_exposed_provenance(self.function);
        let function =
            std::mem::transmute::<*const c_void, Option<unsafe extern "C" fn()>>(function);
        ffi::ffi_call(
            (&raw const self.cif).cast_mut(),
            function,
            result,
            arguments,
        );
    }
    /// The value in the register of the result.
    pub fn result(&self, register: u64, object: impl FnOnce(usize) -> Ref) -> Value {
        match self.result {
            b'V' => Value::Void,
            b'Z' => Value::from(register as u8 != 0),
            b'B' => Value::Int((register as i8).into()),
            b'C' => Value::Int((register as u16).into()),
            b'S' => Value::Int((register as i16).into()),
            b'I' => Value::Int(register as i32),
            b'J' => Value::Long(register as i64),
            b'F' => Value::Float(f32::from_bits(register as u32)),
            b'D' => Value::Double(f64::from_bits(register)),
            _ => Value::Ref(object(register as usize)),
        }
    }
}
