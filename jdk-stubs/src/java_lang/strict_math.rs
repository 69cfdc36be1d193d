//! Natives of `java.lang.StrictMath`.

use super::fdlibm;
use rjvm_vm::{Env, R, natives};

natives! { "java/lang/StrictMath";
    sin "(D)D" => sin;
    cos "(D)D" => cos;
    tan "(D)D" => tan;
    asin "(D)D" => asin;
    acos "(D)D" => acos;
    atan "(D)D" => atan;
    log "(D)D" => log;
    log10 "(D)D" => log10;
    sqrt "(D)D" => sqrt;
    IEEEremainder "(DD)D" => ieee_remainder;
    atan2 "(DD)D" => atan2;
    sinh "(D)D" => sinh;
    cosh "(D)D" => cosh;
    tanh "(D)D" => tanh;
    expm1 "(D)D" => expm1;
    log1p "(D)D" => log1p;
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
