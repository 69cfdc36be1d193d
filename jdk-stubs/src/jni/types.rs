//! Types and numbers of the Java Native Interface as C code sees them (JNI specification, chapters 3 and 4).

use std::ffi::c_void;

/// `jobject` and what C derives from it: a handle, never an address.
pub type JObject = usize;
/// `jmethodID` and `jfieldID`: see [`super::ids`].
pub type JId = u64;

pub const JNI_OK: i32 = 0;
pub const JNI_ERR: i32 = -1;
pub const JNI_EDETACHED: i32 = -2;
pub const JNI_EVERSION: i32 = -3;
pub const JNI_EEXIST: i32 = -5;
pub const JNI_COMMIT: i32 = 1;
pub const JNI_ABORT: i32 = 2;
/// The version of a library without `JNI_OnLoad`.
pub const VERSION_1_1: i32 = 0x0001_0001;

/// Versions of the interface, each with the first JDK that has it.
const VERSIONS: [(i32, u32); 10] = [
    (0x0001_0001, 1),
    (0x0001_0002, 1),
    (0x0001_0004, 1),
    (0x0001_0006, 1),
    (0x0001_0008, 8),
    (0x0009_0000, 9),
    (0x000a_0000, 10),
    (0x0013_0000, 19),
    (0x0014_0000, 20),
    (0x0015_0000, 21),
];
/// The version that JDK 24 brought.
const VERSION_24: i32 = 0x0018_0000;

/// Whether a JDK has a version of the interface.
pub fn has_version(version: i32, feature: u32) -> bool {
    let known = |v: &(i32, u32)| v.0 == version && v.1 <= feature;
    VERSIONS.iter().any(known) || (version == VERSION_24 && feature >= 24)
}

/// The newest version that a JDK has.
pub fn version_of(feature: u32) -> i32 {
    match feature {
        24.. => VERSION_24,
        _ => {
            let newest = VERSIONS.iter().rfind(|v| v.1 <= feature);
            newest.map_or(VERSION_1_1, |v| v.0)
        }
    }
}

/// `JNINativeMethod`
#[repr(C)]
pub struct NativeMethod {
    pub name: *const i8,
    pub signature: *const i8,
    pub function: *const c_void,
}
