//! Memory outside the heap whose addresses Java code holds as `long` values: direct buffers, mapped
//! files, `Unsafe.allocateMemory`. The Java library vouches for address and length, as it does to
//! any JVM; nothing here can check them.

/// `len` bytes at `address`. The caller must not keep them over anything that frees or writes memory.
pub fn bytes<'a>(address: i64, len: usize) -> &'a [u8] {
    if len == 0 {
        return &[];
    }
    // SAFETY: the Java library hands out only addresses of live blocks with at least `len` bytes.
    unsafe { std::slice::from_raw_parts(address as usize as *const u8, len) }
}

/// `len` bytes at `address`, mutable. As [`bytes`].
pub fn bytes_mut<'a>(address: i64, len: usize) -> &'a mut [u8] {
    if len == 0 {
        return &mut [];
    }
    // SAFETY: the Java library hands out only addresses of live blocks with at least `len` bytes, and
    // one OS thread runs all Java threads of a VM.
    unsafe { std::slice::from_raw_parts_mut(address as usize as *mut u8, len) }
}

/// The zero-terminated string at `address`, without the zero.
pub fn c_string<'a>(address: i64) -> &'a [u8] {
    if address == 0 {
        return &[];
    }
    // SAFETY: the Java library terminates what it passes as a C string.
    unsafe { std::ffi::CStr::from_ptr(address as usize as *const libc::c_char) }.to_bytes()
}

/// The `i32` at `address`.
pub fn get_i32(address: i64) -> i32 {
    i32::from_ne_bytes(bytes(address, 4).try_into().expect("four bytes"))
}

/// The `i64` at `address`.
pub fn get_i64(address: i64) -> i64 {
    i64::from_ne_bytes(bytes(address, 8).try_into().expect("eight bytes"))
}
