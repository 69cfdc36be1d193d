//! Canonical names of files that need not exist.

use rjvm_vm::host::{Errno, Files, Io};

/// The canonical form of an absolute name: links of its longest existing prefix are followed, then
/// `.` and `..` are removed from the rest.
pub fn canonical(files: &mut dyn Files, path: &[u8]) -> Io<Vec<u8>> {
    if path.len() > libc::PATH_MAX as usize {
        return Err(Errno(libc::ENAMETOOLONG));
    }
    if let Ok(real) = files.real_path(path) {
        return Ok(collapse(&real));
    }
    let mut end = path.len();
    while let Some(slash) = path[..end].iter().rposition(|&b| b == b'/') {
        end = slash;
        if end == 0 {
            break;
        }
        match files.real_path(&path[..end]) {
            Ok(mut real) => {
                let rest = &path[end + 1..];
                if real.last() != Some(&b'/') {
                    real.push(b'/');
                }
                real.extend_from_slice(rest);
                return Ok(collapse(&real));
            }
            Err(Errno(libc::ENOENT | libc::ENOTDIR | libc::EACCES)) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(collapse(path))
}

/// Takes `.` and `..` out of an absolute name by its text alone.
fn collapse(path: &[u8]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = Vec::new();
    for n in path.split(|&b| b == b'/') {
        match n {
            b"" | b"." => {}
            b".." => {
                names.pop();
            }
            n => names.push(n),
        }
    }
    let mut r = Vec::with_capacity(path.len());
    for n in names {
        r.push(b'/');
        r.extend_from_slice(n);
    }
    if r.is_empty() {
        r.push(b'/');
    }
    r
}

#[cfg(test)]
mod tests {
    use super::{canonical, collapse};
    use crate::os::{Open, OsFiles};

    #[test]
    fn names_collapse() {
        assert_eq!(collapse(b"/a/./b/../c"), b"/a/c");
        assert_eq!(collapse(b"/../.."), b"/");
        assert_eq!(collapse(b"//a///b/"), b"/a/b");
    }

    #[test]
    fn the_existing_prefix_is_resolved() {
        assert_eq!(
            canonical(
                &mut OsFiles::new(&Open::nothing()),
                b"/proc/self/../no/such/../file"
            )
            .unwrap(),
            b"/proc/no/file"
        );
        assert_eq!(
            canonical(&mut OsFiles::new(&Open::nothing()), b"/no/such/./file").unwrap(),
            b"/no/such/file"
        );
    }
}
