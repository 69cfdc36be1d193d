//! Names of hosts and their addresses.

use super::objects::new_address;
use crate::io::{class, java_string, native_string};
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
    let name = String::from_utf8_lossy(&native_string(vm, h)?).into_owned();
    let unknown =
        |text: &str| Throw::msg("java/net/UnknownHostException", format!("{name}: {text}"));
    let mut found = vm
        .host()
        .network()
        .resolve(&name)
        .map_err(|e| unknown(&e))?;
    match order {
        Order::Only4 => found.retain(SocketAddr::is_ipv4),
        Order::First4 => found.sort_by_key(SocketAddr::is_ipv6),
        Order::First6 => found.sort_by_key(SocketAddr::is_ipv4),
        Order::System => {}
    }
    if found.is_empty() {
        return Err(unknown("Name or service not known"));
    }
    let element = class(vm, jdk::inet_address::CLASS)?;
    let array = vm.new_array_of(element, found.len())?;
    for (i, a) in found.iter().enumerate() {
        let r = new_address(vm, a, h)?;
        vm.heap_mut().set_elem_ref(array, i, r);
    }
    Ok(array)
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
