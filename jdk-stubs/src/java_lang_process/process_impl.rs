//! Natives of `java.lang.ProcessImpl`.

use crate::{io, os};
use rjvm_vm::host::{Errno, Io, Spawn};
use rjvm_vm::{Env, R, Ref, Throw, natives};

natives! { "java/lang/ProcessImpl";
    init "()V" => init;
    forkAndExec "(I[B[B[BI[BI[B[IZ)I" => fork_and_exec;
}

fn init(_: &mut Env) -> R<()> {
    Ok(())
}

/// A zero-terminated string in an array.
fn c_string(vm: &Env, array: Ref) -> Option<Vec<u8>> {
    let b = vm.heap().bytes(array.non_null()?);
    Some(b.split(|&b| b == 0).next().unwrap_or_default().to_vec())
}

/// `count` zero-terminated strings in an array.
fn c_strings(vm: &Env, array: Ref, count: i32) -> Vec<Vec<u8>> {
    match array.non_null() {
        Some(a) => {
            let strings = vm.heap().bytes(a).split(|&b| b == 0);
            strings
                .take(count.max(0) as usize)
                .map(<[u8]>::to_vec)
                .collect()
        }
        None => Vec::new(),
    }
}

/// `name=value`; a name may begin with `=` but not be empty.
fn variable(entry: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let i = entry.iter().skip(1).position(|&b| b == b'=')? + 1;
    Some((entry[..i].to_vec(), entry[i + 1..].to_vec()))
}

/// The two ends of a standard descriptor's pipe, -1 where there is none.
#[derive(Clone, Copy)]
struct PipeEnds {
    child: i32,
    ours: i32,
    made: bool,
}

/// Pipes for the descriptors that were not given.
fn pipes(vm: &mut Env, given: [i32; 3], merge: bool) -> Io<[PipeEnds; 3]> {
    let mut ends = given.map(|fd| PipeEnds {
        child: fd,
        ours: -1,
        made: false,
    });
    for (i, e) in ends.iter_mut().enumerate() {
        if e.child != -1 || i == 2 && merge {
            continue;
        }
        let (r, w) = vm.host().descriptors().pipe()?;
        let (child, ours) = if i == 0 { (r, w) } else { (w, r) };
        *e = PipeEnds {
            child,
            ours,
            made: true,
        };
    }
    if merge {
        // standard error goes where standard output goes
        ends[2].child = ends[1].child;
    }
    Ok(ends)
}

/// Starts a process. `fds`: descriptors for it, -1 for a pipe, whose other end is put there.
fn fork_and_exec(
    vm: &mut Env,
    _this: Ref,
    _mode: i32,
    _helper: Ref,
    program: Ref,
    args: Ref,
    arg_count: i32,
    environment: Ref,
    variable_count: i32,
    dir: Ref,
    fds: Ref,
    merge: bool,
) -> R<i32> {
    vm.before_start()?;
    let program = c_string(vm, program).ok_or_else(Throw::npe)?;
    let given: [i32; 3] = std::array::from_fn(|i| vm.heap().elem(fds, i));
    let variables = c_strings(vm, environment, variable_count);
    let mut spawn = Spawn {
        program,
        args: c_strings(vm, args, arg_count),
        environment: (!environment.is_null())
            .then(|| variables.iter().filter_map(|v| variable(v)).collect()),
        dir: c_string(vm, dir),
        stdio: [-1; 3],
    };
    let newer = vm.feature() >= 22;
    let fail = |e: Errno| {
        let why = os::strerror(e.0);
        let text = match newer {
            true => format!("Exec failed, error: {} ({why}) ", e.0),
            false => format!("error={}, {why}", e.0),
        };
        Throw::msg(io::IO_EXCEPTION, text)
    };
    let ends = pipes(vm, given, merge).map_err(fail)?;
    spawn.stdio = ends.map(|e| e.child);
    let pid = vm.host().processes().spawn(&spawn);
    for e in ends.iter().filter(|e| e.made) {
        let _ = vm.host().descriptors().close(e.child);
        if pid.is_err() {
            let _ = vm.host().descriptors().close(e.ours);
        }
    }
    let pid = pid.map_err(fail)?;
    for (i, e) in ends.iter().enumerate() {
        vm.heap_mut().set_elem::<i32>(fds, i, e.ours);
    }
    Ok(pid as i32)
}

#[cfg(test)]
mod tests {
    #[test]
    fn variables_split_at_the_first_sign_behind_the_name() {
        let v = |s: &str| super::variable(s.as_bytes());
        assert_eq!(v("A=b=c"), Some((b"A".to_vec(), b"b=c".to_vec())));
        assert_eq!(v("=C:=d"), Some((b"=C:".to_vec(), b"d".to_vec())));
        assert_eq!(v("A"), None);
    }
}
