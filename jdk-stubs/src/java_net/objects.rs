//! Addresses as Java objects. They are made field by field: no Java code runs, so a native that
//! makes one has no need to be resumed.

use crate::io::{byte_array, new_object};
use rjvm_vm::{Env, R, Ref, Throw, jdk};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

/// `InetAddress.IPv4` and `IPv6`.
const FAMILY4: i32 = 1;
const FAMILY6: i32 = 2;

/// A new `Inet4Address` or `Inet6Address`; `host`: its host name (null: none). An IPv4 address in
/// IPv6's clothes becomes an `Inet4Address`.
pub fn new_address(vm: &mut Env, a: &SocketAddr, host: Ref) -> R<Ref> {
    let v4 = match a.ip() {
        IpAddr::V4(v4) => Some(v4),
        IpAddr::V6(v6) => v6.to_ipv4_mapped(),
    };
    let holder = new_object(vm, jdk::inet_address_holder::CLASS)?;
    vm.set(holder, jdk::inet_address_holder::ORIGINAL_HOST_NAME, host)?;
    vm.set(holder, jdk::inet_address_holder::HOST_NAME, host)?;
    if let Some(v4) = v4 {
        vm.set(
            holder,
            jdk::inet_address_holder::ADDRESS,
            u32::from(v4) as i32,
        )?;
        vm.set(holder, jdk::inet_address_holder::FAMILY, FAMILY4)?;
        let r = new_object(vm, jdk::inet4_address::CLASS)?;
        vm.set(r, jdk::inet_address::HOLDER, holder)?;
        return Ok(r);
    }
    let SocketAddr::V6(v6) = a else {
        unreachable!("an IPv6 address")
    };
    vm.set(holder, jdk::inet_address_holder::FAMILY, FAMILY6)?;
    let bytes = byte_array(vm, &v6.ip().octets())?;
    let holder6 = new_object(vm, jdk::inet6_address_holder::CLASS)?;
    vm.set(holder6, jdk::inet6_address_holder::IPADDRESS, bytes)?;
    if v6.scope_id() != 0 {
        vm.set(
            holder6,
            jdk::inet6_address_holder::SCOPE_ID,
            v6.scope_id() as i32,
        )?;
        vm.set(holder6, jdk::inet6_address_holder::SCOPE_ID_SET, true)?;
    }
    let r = new_object(vm, jdk::inet6_address::CLASS)?;
    if let Some(outer) = vm.has_field(jdk::inet6_address_holder::THIS_0) {
        vm.set(holder6, outer, r)?;
    }
    vm.set(r, jdk::inet_address::HOLDER, holder)?;
    vm.set(r, jdk::inet6_address::HOLDER6, holder6)?;
    Ok(r)
}

/// A new `InetSocketAddress`.
pub fn new_socket_address(vm: &mut Env, a: &SocketAddr) -> R<Ref> {
    let address = new_address(vm, a, Ref::NULL)?;
    let holder = new_object(vm, jdk::inet_socket_address_holder::CLASS)?;
    vm.set(holder, jdk::inet_socket_address_holder::ADDR, address)?;
    vm.set(
        holder,
        jdk::inet_socket_address_holder::PORT,
        a.port() as i32,
    )?;
    let r = new_object(vm, jdk::inet_socket_address::CLASS)?;
    vm.set(r, jdk::inet_socket_address::HOLDER, holder)?;
    Ok(r)
}

/// The address in an `InetAddress`, with the scope if it is an IPv6 one.
pub fn address_of(vm: &mut Env, address: Ref) -> R<SocketAddr> {
    let r = address.non_null().ok_or_else(Throw::npe)?;
    let holder = vm.get(r, jdk::inet_address::HOLDER)?;
    let h = holder.non_null().ok_or_else(Throw::npe)?;
    if vm.get(h, jdk::inet_address_holder::FAMILY)? == FAMILY4 {
        let v4 = Ipv4Addr::from(vm.get(h, jdk::inet_address_holder::ADDRESS)? as u32);
        return Ok(SocketAddr::V4(SocketAddrV4::new(v4, 0)));
    }
    let h6 = vm.get(r, jdk::inet6_address::HOLDER6)?;
    let bytes = vm.get(h6, jdk::inet6_address_holder::IPADDRESS)?;
    let octets: [u8; 16] = match vm.heap().bytes(bytes).try_into() {
        Ok(o) => o,
        Err(_) => return Err(Throw::npe()),
    };
    let scope = match vm.get(h6, jdk::inet6_address_holder::SCOPE_ID_SET)? {
        true => vm.get(h6, jdk::inet6_address_holder::SCOPE_ID)? as u32,
        false => 0,
    };
    Ok(SocketAddr::V6(SocketAddrV6::new(
        Ipv6Addr::from(octets),
        0,
        0,
        scope,
    )))
}

/// The same with a port, for a socket of this domain: `v6` sockets reach IPv4 through mapped addresses.
pub fn target(vm: &mut Env, address: Ref, port: i32, v6: bool) -> R<SocketAddr> {
    let mut a = address_of(vm, address)?;
    a.set_port(port as u16);
    match a {
        SocketAddr::V4(v4) if v6 => {
            // the wildcard of one is the wildcard of the other
            let ip = match v4.ip().is_unspecified() {
                true => Ipv6Addr::UNSPECIFIED,
                false => v4.ip().to_ipv6_mapped(),
            };
            Ok(SocketAddr::V6(SocketAddrV6::new(ip, v4.port(), 0, 0)))
        }
        SocketAddr::V6(_) if !v6 => Err(Throw::msg(
            "java/net/SocketException",
            "Protocol family unavailable",
        )),
        a => Ok(a),
    }
}
