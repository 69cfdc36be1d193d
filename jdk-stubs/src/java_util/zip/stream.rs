//! zlib streams as values.

use libz_sys as z;
use rjvm_vm::interp::fold_crc32;
use rjvm_vm::{Env, R};
use std::ffi::CStr;

/// Outcome of a step of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// zlib's return code.
    pub code: i32,
    /// Bytes taken from the input.
    pub read: usize,
    /// Bytes put to the output.
    pub written: usize,
}

/// zlib's return codes.
pub mod code {
    pub use libz_sys::{
        Z_BUF_ERROR, Z_DATA_ERROR, Z_MEM_ERROR, Z_NEED_DICT, Z_NO_FLUSH, Z_OK, Z_STREAM_END,
        Z_STREAM_ERROR,
    };
}

/// A zlib stream. It lies in a box because zlib keeps a pointer back to it.
struct RawStream(Box<z::z_stream>);

// SAFETY: the stream owns its memory and is not tied to a thread.
unsafe impl Send for RawStream {}

impl RawStream {
    fn new() -> RawStream {
        RawStream(Box::new(z::z_stream {
            next_in: std::ptr::null_mut(),
            avail_in: 0,
            total_in: 0,
            next_out: std::ptr::null_mut(),
            avail_out: 0,
            total_out: 0,
            msg: std::ptr::null_mut(),
            state: std::ptr::null_mut(),
            zalloc: alloc,
            zfree: free,
            opaque: std::ptr::null_mut(),
            data_type: 0,
            adler: 0,
            reserved: 0,
        }))
    }
    fn message(&self) -> Option<String> {
        let m = self.0.msg;
        if m.is_null() {
            return None;
        }
        // SAFETY: zlib's messages are constant strings.
        Some(unsafe { CStr::from_ptr(m) }.to_string_lossy().into_owned())
    }
    /// Runs `f` between these buffers.
    fn step(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        f: impl FnOnce(*mut z::z_stream) -> i32,
    ) -> Step {
        let s = &mut *self.0;
        s.next_in = input.as_ptr().cast_mut();
        s.avail_in = input.len() as u32;
        s.next_out = output.as_mut_ptr();
        s.avail_out = output.len() as u32;
        let code = f(s);
        let step = Step {
            code,
            read: input.len() - s.avail_in as usize,
            written: output.len() - s.avail_out as usize,
        };
        // nothing of the buffers is kept
        s.next_in = std::ptr::null_mut();
        s.avail_in = 0;
        s.next_out = std::ptr::null_mut();
        s.avail_out = 0;
        step
    }
}

extern "C" fn alloc(_: *mut libc::c_void, items: u32, size: u32) -> *mut libc::c_void {
    // SAFETY: calloc checks the product and returns null when it cannot.
    unsafe { libc::calloc(items as usize, size as usize) }
}

extern "C" fn free(_: *mut libc::c_void, p: *mut libc::c_void) {
    // SAFETY: comes from `alloc`.
    unsafe { libc::free(p) }
}

const WINDOW: i32 = 15;
const MEMORY_LEVEL: i32 = 8;

fn window(raw: bool) -> i32 {
    if raw { -WINDOW } else { WINDOW }
}

/// What both kinds of streams have.
pub trait Zip: Send + 'static {
    /// Under which name the VM keeps those of the Java class.
    const KEY: &'static str;
    /// Bytes that zlib takes for one, its window and tables for the most part.
    const MEMORY: usize;
    /// It is made with a level and a strategy, which may be wrong.
    const HAS_LEVELS: bool;
    /// The codes that say a dictionary is not the right one.
    const REFUSES: &'static [i32];
    /// Sets the dictionary.
    fn set_dictionary(&mut self, d: &[u8]) -> i32;
    /// Starts again.
    fn reset(&mut self) -> i32;
    /// Checksum of the uncompressed bytes so far, or of the dictionary requested.
    fn adler(&self) -> i32;
    /// The last error's text.
    fn message(&self) -> Option<String>;
}

/// A compressing stream.
pub struct Deflate {
    raw: RawStream,
    level: i32,
}

impl Deflate {
    /// With this level (-1: default) and strategy; `raw` without header and checksum. Fails with zlib's code and message.
    pub fn new(level: i32, strategy: i32, raw: bool) -> Result<Deflate, (i32, Option<String>)> {
        let mut r = RawStream::new();
        // SAFETY: a fresh stream with allocation functions.
        let code = unsafe {
            z::deflateInit2_(
                &mut *r.0,
                level,
                z::Z_DEFLATED,
                window(raw),
                MEMORY_LEVEL,
                strategy,
                z::zlibVersion(),
                size_of::<z::z_stream>() as i32,
            )
        };
        if code == z::Z_OK {
            Ok(Deflate { raw: r, level })
        } else {
            Err((code, r.message()))
        }
    }
    /// Whether it stores bytes as they are: then its blocks are as long as each input.
    pub fn stores(&self) -> bool {
        self.level == 0
    }
    /// Compresses.
    pub fn run(&mut self, input: &[u8], output: &mut [u8], flush: i32) -> Step {
        // SAFETY: an initialized stream; the buffers live through the call.
        self.raw
            .step(input, output, |s| unsafe { z::deflate(s, flush) })
    }
    /// Changes level and strategy, compressing what came before with the old ones.
    pub fn set_params(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        level: i32,
        strategy: i32,
    ) -> Step {
        // SAFETY: an initialized stream; the buffers live through the call.
        let step = self.raw.step(input, output, |s| unsafe {
            z::deflateParams(s, level, strategy)
        });
        if step.code == code::Z_OK {
            self.level = level;
        }
        step
    }
}

impl Zip for Deflate {
    const KEY: &'static str = "java.util.zip.Deflater";
    const MEMORY: usize = 264 << 10;
    const HAS_LEVELS: bool = true;
    const REFUSES: &'static [i32] = &[code::Z_STREAM_ERROR];
    fn set_dictionary(&mut self, d: &[u8]) -> i32 {
        // SAFETY: an initialized stream; `d` is readable for its length.
        unsafe { z::deflateSetDictionary(&mut *self.raw.0, d.as_ptr(), d.len() as u32) }
    }
    fn reset(&mut self) -> i32 {
        // SAFETY: an initialized stream.
        unsafe { z::deflateReset(&mut *self.raw.0) }
    }
    fn adler(&self) -> i32 {
        self.raw.0.adler as i32
    }
    fn message(&self) -> Option<String> {
        self.raw.message()
    }
}

impl Drop for Deflate {
    fn drop(&mut self) {
        // SAFETY: an initialized stream, ended once.
        unsafe { z::deflateEnd(&mut *self.raw.0) };
    }
}

/// A decompressing stream.
pub struct Inflate(RawStream);

impl Inflate {
    /// `raw`: without header and checksum. Fails with zlib's code and message.
    pub fn new(raw: bool) -> Result<Inflate, (i32, Option<String>)> {
        let mut r = RawStream::new();
        let size = size_of::<z::z_stream>() as i32;
        // SAFETY: a fresh stream with allocation functions.
        let code = unsafe { z::inflateInit2_(&mut *r.0, window(raw), z::zlibVersion(), size) };
        if code == z::Z_OK {
            Ok(Inflate(r))
        } else {
            Err((code, r.message()))
        }
    }
    /// Decompresses.
    pub fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        // SAFETY: an initialized stream; the buffers live through the call.
        self.0
            .step(input, output, |s| unsafe { z::inflate(s, z::Z_SYNC_FLUSH) })
    }
}

impl Zip for Inflate {
    const KEY: &'static str = "java.util.zip.Inflater";
    const MEMORY: usize = 48 << 10;
    const HAS_LEVELS: bool = false;
    const REFUSES: &'static [i32] = &[code::Z_STREAM_ERROR, code::Z_DATA_ERROR];
    fn set_dictionary(&mut self, d: &[u8]) -> i32 {
        // SAFETY: an initialized stream; `d` is readable for its length.
        unsafe { z::inflateSetDictionary(&mut *self.0.0, d.as_ptr(), d.len() as u32) }
    }
    fn reset(&mut self) -> i32 {
        // SAFETY: an initialized stream.
        unsafe { z::inflateReset(&mut *self.0.0) }
    }
    fn adler(&self) -> i32 {
        self.0.0.adler as i32
    }
    fn message(&self) -> Option<String> {
        self.0.message()
    }
}

impl Drop for Inflate {
    fn drop(&mut self) {
        // SAFETY: an initialized stream, ended once.
        unsafe { z::inflateEnd(&mut *self.0.0) };
    }
}

/// Bytes of a checksum that are gone through at once.
const PIECE: usize = 1 << 20;

/// A checksum of `n` bytes, continued from `start` by `f`, which gets the place and the number: a request to stop
/// need not wait for all of it.
pub fn in_pieces(
    vm: &mut Env,
    start: i32,
    n: usize,
    mut f: impl FnMut(&mut Env, i32, usize, usize) -> R<i32>,
) -> R<i32> {
    let mut sum = start;
    vm.in_pieces(n, PIECE, |vm, at, n| {
        let before = match at {
            0 => start,
            _ => vm.native_state()[1] as i32,
        };
        sum = f(vm, before, at, n)?;
        vm.native_state()[1] = sum as u32 as u64;
        Ok(())
    })?;
    Ok(sum)
}

/// CRC-32, continued from `start`.
pub fn crc32(start: i32, bytes: &[u8]) -> i32 {
    // between calls, sums are inverted
    let Some((block, rest)) = fold_crc32(!start as u32, bytes) else {
        return zlib_rs::crc32::crc32(start as u32, bytes) as i32;
    };
    zlib_rs::crc32::crc32(zlib_rs::crc32::crc32(!0, &block), rest) as i32
}

/// Adler-32, continued from `start`.
pub fn adler32(start: i32, bytes: &[u8]) -> i32 {
    zlib_rs::adler32::adler32(start as u32, bytes) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let text = b"hello hello hello hello, hello".repeat(100);
        let mut packed = vec![0; 1000];
        let mut d = Deflate::new(6, 0, false).unwrap();
        let s = d.run(&text, &mut packed, 4);
        assert_eq!((s.code, s.read), (code::Z_STREAM_END, text.len()));
        let mut out = vec![0; text.len()];
        let mut i = Inflate::new(false).unwrap();
        let t = i.run(&packed[..s.written], &mut out);
        assert_eq!(
            (t.code, t.read, t.written),
            (code::Z_STREAM_END, s.written, text.len())
        );
        assert_eq!(out, text);
        assert_eq!(i.adler(), adler32(1, &text));
    }

    #[test]
    fn damage_has_a_message() {
        let mut i = Inflate::new(false).unwrap();
        let s = i.run(&[1, 2, 3], &mut [0; 8]);
        assert_eq!(s.code, code::Z_DATA_ERROR);
        assert_eq!(i.message().as_deref(), Some("incorrect header check"));
    }

    #[test]
    fn checksums() {
        assert_eq!(crc32(0, b"123456789"), 0xCBF43926u32 as i32);
        assert_eq!(adler32(1, b"123456789"), 0x091E01DE);
        // as zlib has them
        let bytes: Vec<u8> = (0..20_000_u32)
            .map(|i| ((i * i) >> 3) as u8 | 0x81)
            .collect();
        for n in (0..300).chain([1023, 5551, 5552, 5553, 20_000]) {
            let (at, len) = (bytes.as_ptr(), n as u32);
            for start in [0, 1, 0xfff0_fff0_u32, 0x1234_5678] {
                // SAFETY: there are as many bytes.
                let crc = unsafe { z::crc32(start.into(), at, len) };
                assert_eq!(crc32(start as i32, &bytes[..n]) as u32, crc as u32, "{n}");
                // SAFETY: there are as many bytes.
                let adler = unsafe { z::adler32(start.into(), at, len) };
                assert_eq!(
                    adler32(start as i32, &bytes[..n]) as u32,
                    adler as u32,
                    "{n}"
                );
            }
        }
    }
}
