//! Natives of `sun.net.PortConfig`: the range from which ports are taken that a program does not request by number.

use rjvm_vm::host::files::HERE;
use rjvm_vm::{Env, R, natives};

natives! { "sun/net/PortConfig";
    getLower0 "()I" => lower;
    getUpper0 "()I" => upper;
}

fn range(vm: &mut Env) -> Option<(i32, i32)> {
    let path = b"/proc/sys/net/ipv4/ip_local_port_range";
    let fd = vm.host().files().open(HERE, path, libc::O_RDONLY, 0).ok()?;
    let mut buf = [0; 64];
    let n = vm.host().descriptors().read(fd, &mut buf);
    let _ = vm.host().descriptors().close(fd);
    let text = std::str::from_utf8(&buf[..n.ok()?]).ok()?;
    let mut numbers = text.split_whitespace().map(|s| s.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// -1: not known.
fn lower(vm: &mut Env) -> R<i32> {
    Ok(range(vm).map_or(-1, |r| r.0))
}

fn upper(vm: &mut Env) -> R<i32> {
    Ok(range(vm).map_or(-1, |r| r.1))
}
