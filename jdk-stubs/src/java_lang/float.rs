//! Natives of `java.lang.Float`.

use rjvm_vm::{Env, R, natives};

natives! { "java/lang/Float";
    floatToRawIntBits "(F)I" => float_to_raw_int_bits, inlined FloatBits;
    intBitsToFloat "(I)F" => int_bits_to_float, inlined OfBits;
}

fn float_to_raw_int_bits(_: &mut Env, v: f32) -> R<i32> {
    Ok(v.to_bits() as i32)
}

fn int_bits_to_float(_: &mut Env, bits: i32) -> R<f32> {
    Ok(f32::from_bits(bits as u32))
}
