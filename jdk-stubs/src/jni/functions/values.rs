//! Arguments of Java methods as C code passes them: arrays of `jvalue`, and lists of variable arguments.

use crate::jni::cx::Cx;
use rjvm_vm::Value;

/// A `va_list` of the System V ABI for x86-64 (3.5.7).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct VaList {
    /// Where the next general register, and the next vector register, is behind `registers`.
    general: u32,
    vector: u32,
    /// The next argument on the stack.
    stack: *const u64,
    registers: *const u8,
}

/// Where vector registers, and where the stack begins in `registers`.
const GENERAL_END: u32 = 48;
const VECTOR_END: u32 = 176;

/// Arguments of a call.
#[derive(Clone, Copy)]
pub enum Arguments {
    /// An array of `jvalue`.
    Array(*const u64),
    List(VaList),
}

impl Arguments {
    /// The next one.
    ///
    /// # Safety
    /// There is one, of this different type.
    unsafe fn next(&mut self, ty: u8) -> u64 {
        let list = match self {
            Arguments::Array(at) => {
                let v = **at;
                *at = at.add(1);
                return v;
            }
            Arguments::List(list) => list,
        };
        let is_vector = matches!(ty, b'F' | b'D');
        let bits = if is_vector && list.vector < VECTOR_END {
            let v = list.registers.add(list.vector as usize).cast::<u64>();
            list.vector += 16;
            *v
        } else if !is_vector && list.general < GENERAL_END {
            let v = list.registers.add(list.general as usize).cast::<u64>();
            list.general += 8;
            *v
        } else {
            let v = *list.stack;
            list.stack = list.stack.add(1);
            v
        };
        match ty {
            // passed as a double
            b'F' => u64::from((f64::from_bits(bits) as f32).to_bits()),
            _ => bits,
        }
    }
    /// Adds the arguments of a method's parameters, by first characters of their descriptors.
    ///
    /// # Safety
    /// They are what the C code passes.
    pub unsafe fn read(mut self, cx: &mut Cx<'_>, parameters: &[u8], to: &mut Vec<Value>) {
        for &ty in parameters {
            let bits = self.next(ty);
            to.push(match ty {
                b'L' | b'[' => Value::Ref(cx.object(bits as usize)),
                _ => primitive(ty, bits),
            });
        }
    }
}

/// A primitive value that C code passes.
pub fn primitive(ty: u8, bits: u64) -> Value {
    match ty {
        b'Z' => Value::from(bits as u8 != 0),
        b'B' => Value::Int((bits as i8).into()),
        b'C' => Value::Int((bits as u16).into()),
        b'S' => Value::Int((bits as i16).into()),
        b'J' => Value::Long(bits as i64),
        b'F' => Value::Float(f32::from_bits(bits as u32)),
        b'D' => Value::Double(f64::from_bits(bits)),
        _ => Value::Int(bits as i32),
    }
}

/// A type of a `jvalue`, as C code receives it.
pub trait JniValue: Default + Copy {
    /// From the register of a value of the type.
    fn of(bits: u64) -> Self;
    /// To it.
    fn bits(self) -> u64;
}

macro_rules! jni {
    ($($t:ty)*) => { $(
        impl JniValue for $t {
            fn of(bits: u64) -> Self {
                bits as $t
            }
            fn bits(self) -> u64 {
                self as u64
            }
        }
    )* };
}
jni!(u8 i8 u16 i16 i32 i64 usize);

impl JniValue for () {
    fn of(_: u64) -> Self {}
    fn bits(self) -> u64 {
        0
    }
}
impl JniValue for f32 {
    fn of(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}
impl JniValue for f64 {
    fn of(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}
