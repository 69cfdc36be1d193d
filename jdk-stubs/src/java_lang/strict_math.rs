//! Natives of `java.lang.StrictMath`.

use super::fdlibm;
use rjvm_vm::{Env, R, natives};

natives! { "java/lang/StrictMath";
    sin "(D)D" until 20 => sin;
    cos "(D)D" until 20 => cos;
    tan "(D)D" until 20 => tan;
    asin "(D)D" until 20 => asin;
    acos "(D)D" until 20 => acos;
    atan "(D)D" until 20 => atan;
    log "(D)D" until 20 => log;
    log10 "(D)D" until 20 => log10;
    sqrt "(D)D" until 20 => sqrt, inlined Root;
    IEEEremainder "(DD)D" until 20 => ieee_remainder;
    atan2 "(DD)D" until 20 => atan2;
    sinh "(D)D" until 20 => sinh;
    cosh "(D)D" until 20 => cosh;
    tanh "(D)D" until 20 => tanh;
    expm1 "(D)D" until 20 => expm1;
    log1p "(D)D" until 20 => log1p;
}

macro_rules! functions {
    ($($name:ident;)*) => { $(
        fn $name(_: &mut Env, x: f64) -> R<f64> {
            Ok(fdlibm::$name(x))
        }
    )* };
}
functions! { sin; cos; tan; asin; acos; atan; log; log10; sinh; cosh; tanh; expm1; log1p; }

fn sqrt(_: &mut Env, x: f64) -> R<f64> {
    Ok(x.sqrt())
}

fn ieee_remainder(_: &mut Env, x: f64, y: f64) -> R<f64> {
    Ok(fdlibm::remainder(x, y))
}

fn atan2(_: &mut Env, y: f64, x: f64) -> R<f64> {
    Ok(fdlibm::atan2(y, x))
}
