//! Natives of `sun.nio.fs.LinuxNativeDispatcher`: the table of mounted file systems.

use super::error::{OrThrow, unix_exception};
use crate::io::{Handles, byte_array, c_string, state};
use rjvm_vm::host::Errno;
use rjvm_vm::host::files::HERE;
use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "sun/nio/fs/LinuxNativeDispatcher";
    setmntent0 "(JJ)J" => setmntent;
    getmntent0 "(JLsun/nio/fs/UnixMountEntry;JI)I" => getmntent;
    endmntent "(J)V" => endmntent;
    posix_fadvise "(IJJI)I" since 19 => advise;
    directCopy0 "(IIJ)I" since 19 => direct_copy;
    init "()V" => init;
}

/// A mount table that is being read.
struct MountTable {
    lines: Vec<Vec<u8>>,
    next: usize,
}

const KEY: &str = "sun.nio.fs mount tables";

/// Nothing to cache: fields are looked up by name.
fn init(_: &mut Env) -> R<()> {
    Ok(())
}

fn setmntent(vm: &mut Env, path: i64, _how: i64) -> R<i64> {
    let path = c_string(vm, path)?;
    let fd = vm
        .host()
        .files()
        .open(HERE, &path, libc::O_RDONLY, 0)
        .or_throw(vm)?;
    let (mut text, mut buf) = (Vec::new(), vec![0; 16 << 10]);
    let r = loop {
        match vm.host().descriptors().read(fd, &mut buf) {
            Ok(0) => break Ok(()),
            Ok(n) => text.extend_from_slice(&buf[..n]),
            Err(e) => break Err(e),
        }
    };
    let _ = vm.host().descriptors().close(fd);
    r.or_throw(vm)?;
    let lines = text
        .split_inclusive(|&b| b == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    Ok(state::<Handles<MountTable>>(vm.extensions(), KEY).add(MountTable { lines, next: 0 }))
}

fn table(vm: &mut Env, handle: i64) -> R<&mut MountTable> {
    if state::<Handles<MountTable>>(vm.extensions(), KEY)
        .get(handle)
        .is_none()
    {
        return Err(unix_exception(vm, Errno(libc::EBADF)));
    }
    Ok(state::<Handles<MountTable>>(vm.extensions(), KEY)
        .get(handle)
        .expect("just found"))
}

/// Length of the next line, newline included; -1 at the end. It counts as read.
pub fn line_length(vm: &mut Env, handle: i64) -> R<i32> {
    let t = table(vm, handle)?;
    let Some(l) = t.lines.get(t.next) else {
        return Ok(-1);
    };
    let n = l.len() as i32;
    t.next += 1;
    Ok(n)
}

/// Starts from the first line again.
pub fn rewind(vm: &mut Env, handle: i64) -> R<()> {
    table(vm, handle)?.next = 0;
    Ok(())
}

/// Blanks in fields are written as octal escapes.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut v = Vec::with_capacity(field.len());
    let mut i = 0;
    while i < field.len() {
        let octal = field
            .get(i + 1..i + 4)
            .filter(|d| field[i] == b'\\' && d.iter().all(|b| (b'0'..b'8').contains(b)));
        match octal {
            Some(d) => {
                v.push(d.iter().fold(0u32, |n, b| n * 8 + (b - b'0') as u32) as u8);
                i += 4;
            }
            None => {
                v.push(field[i]);
                i += 1;
            }
        }
    }
    v
}

fn getmntent(vm: &mut Env, handle: i64, entry: Ref, _buffer: i64, _len: i32) -> R<i32> {
    let t = table(vm, handle)?;
    let found = t.lines.iter().enumerate().skip(t.next).find_map(|(i, l)| {
        let mut f = l
            .split(|b| b.is_ascii_whitespace())
            .filter(|f| !f.is_empty())
            .map(unescape);
        let four = [f.next()?, f.next()?, f.next()?, f.next()?];
        (!four[0].starts_with(b"#")).then_some((i, four))
    });
    let Some((i, fields)) = found else {
        return Ok(-1);
    };
    use jdk::unix_mount_entry as mount;
    let names = [mount::NAME, mount::DIR, mount::FSTYPE, mount::OPTS];
    for (name, f) in names.into_iter().zip(&fields) {
        let a = byte_array(vm, f)?;
        vm.set(entry, name, a)?;
    }
    table(vm, handle)?.next = i + 1;
    Ok(0)
}

fn endmntent(vm: &mut Env, handle: i64) -> R<()> {
    state::<Handles<MountTable>>(vm.extensions(), KEY).remove(handle);
    Ok(())
}

fn advise(_: &mut Env, _fd: i32, _at: i64, _len: i64, _advice: i32) -> R<i32> {
    Ok(0)
}

/// `IOStatus.UNSUPPORTED_CASE`: the class library copies then.
fn direct_copy(_: &mut Env, _to: i32, _from: i32, _cancel: i64) -> R<i32> {
    Ok(crate::io::status::UNSUPPORTED_CASE)
}

#[cfg(test)]
mod tests {
    #[test]
    fn blanks_are_escaped() {
        assert_eq!(super::unescape(br"/a\040b\011c\"), b"/a b\tc\\");
    }
}
