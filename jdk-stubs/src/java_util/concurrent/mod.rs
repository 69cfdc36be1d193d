//! Natives of package `java.util.concurrent` and the packages below it.

pub mod atomic_long;
