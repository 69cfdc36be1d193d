//! Natives of `java.lang.Double`.

use rjvm_vm::{Env, R, natives};

natives! { "java/lang/Double";
    doubleToRawLongBits "(D)J" => double_to_raw_long_bits, inlined Bits;
    longBitsToDouble "(J)D" => long_bits_to_double, inlined OfBits;
}

fn double_to_raw_long_bits(_: &mut Env, v: f64) -> R<i64> {
    Ok(v.to_bits() as i64)
}

fn long_bits_to_double(_: &mut Env, bits: i64) -> R<f64> {
    Ok(f64::from_bits(bits as u64))
}
