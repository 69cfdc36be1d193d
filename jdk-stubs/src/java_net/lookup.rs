//! Names of hosts and their addresses.

use super::objects::new_address;
use crate::io::{class, java_string, native_string};
use rjvm_vm::jdk::{JdkMethod, calls};
use rjvm_vm::throw::{Call, Cont, Next, Resume};
use rjvm_vm::{Env, R, Ref, Throw, jdk};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Which addresses are wanted, in which order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// IPv4 addresses only.
    Only4,
    /// IPv4 addresses first.
    First4,
    /// IPv6 addresses first.
    First6,
    /// As the resolver gives them.
    System,
}

/// The addresses of a host as an `InetAddress[]`, or UnknownHostException.
pub fn all_addresses(vm: &mut Env, host: Ref, order: Order) -> R<Ref> {
    let h = host.non_null();
    let h =
        h.ok_or_else(|| Throw::msg("java/lang/NullPointerException", "host argument is null"))?;
    let name = native_string(vm, h)?;
    let mut found = match vm.host().network().resolve(&String::from_utf8_lossy(&name)) {
        Ok(found) => found,
        Err(why) => return Err(unknown(vm, h, &why)),
    };
    match order {
        Order::Only4 => found.retain(SocketAddr::is_ipv4),
        Order::First4 => found.sort_by_key(SocketAddr::is_ipv6),
        Order::First6 => found.sort_by_key(SocketAddr::is_ipv4),
        Order::System => {}
    }
    if found.is_empty() {
        return Err(unknown(vm, h, "Name or service not known"));
    }
    let element = class(vm, jdk::inet_address::CLASS)?;
    let array = vm.new_array_of(element, found.len())?;
    for (i, a) in found.iter().enumerate() {
        let r = new_address(vm, a, h)?;
        vm.heap_mut().set_elem_ref(array, i, r);
    }
    Ok(array)
}

/// The UnknownHostException for a host. Since JDK 25 its message names the host only if a security property permits it: the
/// class library knows.
fn unknown(vm: &mut Env, host: Ref, why: &str) -> Box<Throw> {
    let thrown = match vm.has_method(calls::exceptions::ENHANCED_NON_SOCKET) {
        None => named(vm, host, why),
        Some(permits) => ask(vm, permits, host, why),
    };
    thrown.unwrap_or_else(|failed| failed)
}

fn named(vm: &mut Env, host: Ref, why: &str) -> R<Box<Throw>> {
    let name = native_string(vm, host)?;
    let text = format!("{}: {why}", String::from_utf8_lossy(&name));
    Ok(Throw::msg("java/net/UnknownHostException", text))
}

fn ask(vm: &mut Env, permits: JdkMethod, host: Ref, why: &str) -> R<Box<Throw>> {
    let c = class(vm, jdk::exceptions::CLASS)?;
    let m = vm.jdk_method(c, permits);
    let why = java_string(vm, why.as_bytes())?;
    let cont = Cont::new(
        |vm, cont, permitted| {
            let [host, why, _] = cont.refs;
            let thrown = permitted.map_err(Throw::object).and_then(|permitted| {
                let why = native_string(vm, why)?;
                let why = String::from_utf8_lossy(&why);
                match permitted.int() {
                    0 => Ok(Throw::msg(
                        "java/net/UnknownHostException",
                        format!(" {why}"),
                    )),
                    _ => named(vm, host, &why),
                }
            });
            Next::Throw(thrown.unwrap_or_else(|failed| failed))
        },
        [0; 3],
        [host, why, Ref::NULL],
    );
    Ok(Call::new(vm, m, &[]).then(cont, Resume::Value))
}

/// The name of an address given as bytes, or UnknownHostException.
pub fn host_name(vm: &mut Env, address: Ref) -> R<Ref> {
    let a = address.non_null().ok_or_else(Throw::npe)?;
    let ip =
        ip_of(vm.heap().bytes(a)).ok_or_else(|| Throw::bare("java/net/UnknownHostException"))?;
    match vm.host().network().reverse(ip) {
        Some(name) => java_string(vm, name.as_bytes()),
        None => Err(Throw::bare("java/net/UnknownHostException")),
    }
}

/// An address from its 4 or 16 bytes.
pub fn ip_of(bytes: &[u8]) -> Option<IpAddr> {
    match bytes.len() {
        4 => Some(IpAddr::V4(Ipv4Addr::new(
            bytes[0], bytes[1], bytes[2], bytes[3],
        ))),
        _ => Some(IpAddr::V6(Ipv6Addr::from(
            <[u8; 16]>::try_from(bytes).ok()?,
        ))),
    }
}

/// The name of this machine.
pub fn local_host_name(vm: &mut Env, _this: Ref) -> R<Ref> {
    let name = vm
        .host()
        .network()
        .host_name()
        .unwrap_or_else(|_| "localhost".into());
    vm.new_string(&name)
}
