//! Natives of `java.lang.ref.PhantomReference`.

use super::reference::{clear, refers_to};
use rjvm_vm::natives;

natives! { "java/lang/ref/PhantomReference";
    refersTo0 "(Ljava/lang/Object;)Z" => refers_to;
    clear0 "()V" since 22 => clear;
}
