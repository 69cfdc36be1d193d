//! Natives of package `java.util` and the packages below it.

mod concurrent;
mod prefs;
mod time_zone;
mod zip;

use rjvm_vm::natives::NativeClass;

/// Adds these packages' tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &concurrent::atomic_long::NATIVES,
        &prefs::NATIVES,
        &time_zone::NATIVES,
        &zip::adler32::NATIVES,
        &zip::crc32::NATIVES,
        &zip::deflater::NATIVES,
        &zip::inflater::NATIVES,
    ]);
}
