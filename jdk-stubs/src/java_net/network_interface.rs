//! Natives of `java.net.NetworkInterface`.

use super::objects::{address_of, new_address};
use crate::io::{class, errno_as, native_string, new_object};
use crate::sun_nio::ch::has_ipv6;
use rjvm_vm::heap::ELEMS;
use rjvm_vm::host::Interface;
use rjvm_vm::{Env, R, Ref, Throw, jdk, natives};
use std::net::{IpAddr, SocketAddr, SocketAddrV6};

natives! { "java/net/NetworkInterface";
    getAll "()[Ljava/net/NetworkInterface;" => all;
    getByName0 "(Ljava/lang/String;)Ljava/net/NetworkInterface;" => by_name;
    getByIndex0 "(I)Ljava/net/NetworkInterface;" => by_index;
    boundInetAddress0 "(Ljava/net/InetAddress;)Z" => bound_inet_address;
    getByInetAddress0 "(Ljava/net/InetAddress;)Ljava/net/NetworkInterface;" => by_inet_address;
    isUp0 "(Ljava/lang/String;I)Z" => is_up;
    isLoopback0 "(Ljava/lang/String;I)Z" => is_loopback;
    supportsMulticast0 "(Ljava/lang/String;I)Z" => supports_multicast;
    isP2P0 "(Ljava/lang/String;I)Z" => is_point_to_point;
    getMacAddr0 "([BLjava/lang/String;I)[B" => hardware_address;
    getMTU0 "(Ljava/lang/String;I)I" => mtu;
    init "()V" => init;
}

/// Nothing to cache: fields are looked up by name.
fn init(_: &mut Env) -> R<()> {
    Ok(())
}

/// Those with an address, latest first, as the JDK has them; IPv6 addresses, if there is IPv6, before IPv4 addresses.
fn interfaces(vm: &mut Env) -> R<Vec<Interface>> {
    let v6 = has_ipv6(vm)?;
    let r = vm.host().network().interfaces();
    let mut v = r.map_err(|e| errno_as("java/net/SocketException", e))?;
    for i in &mut v {
        i.addresses.retain(|a| v6 || a.address.is_ipv4());
    }
    v.retain(|i| !i.addresses.is_empty());
    v.reverse();
    for i in &mut v {
        i.addresses.reverse();
        i.addresses.sort_by_key(|a| a.address.is_ipv4());
    }
    Ok(v)
}

fn named(vm: &mut Env, name: Ref) -> R<Option<Interface>> {
    let n = name.non_null();
    let n = n.ok_or_else(|| {
        Throw::msg(
            "java/lang/NullPointerException",
            "network interface name is NULL",
        )
    })?;
    let name = String::from_utf8_lossy(&native_string(vm, n)?).into_owned();
    Ok(interfaces(vm)?.into_iter().find(|i| i.name == name))
}

fn flags(vm: &mut Env, name: Ref) -> R<u32> {
    match named(vm, name)? {
        Some(i) => Ok(i.flags),
        None => Err(errno_as(
            "java/net/SocketException",
            rjvm_vm::host::Errno(libc::ENODEV),
        )),
    }
}

/// A `NetworkInterface` with its addresses.
fn new_interface(vm: &mut Env, i: &Interface) -> R<Ref> {
    let r = new_object(vm, jdk::network_interface::CLASS)?;
    let name = vm.new_string(&i.name)?;
    vm.set(r, jdk::network_interface::NAME, name)?;
    vm.set(r, jdk::network_interface::DISPLAY_NAME, name)?;
    vm.set(r, jdk::network_interface::INDEX, i.index)?;
    let inet_address = class(vm, jdk::inet_address::CLASS)?;
    let interface_address = class(vm, jdk::interface_address::CLASS)?;
    let itself = vm.class_of(r);
    let addresses = vm.new_array_of(inet_address, i.addresses.len())?;
    let bindings = vm.new_array_of(interface_address, i.addresses.len())?;
    let children = vm.new_array_of(itself, 0)?;
    for (n, a) in i.addresses.iter().enumerate() {
        let scoped = match a.address {
            SocketAddr::V6(v6) => SocketAddr::V6(SocketAddrV6::new(*v6.ip(), 0, 0, i.index as u32)),
            v4 => v4,
        };
        let address = new_address(vm, &scoped, Ref::NULL)?;
        if scoped.is_ipv6() {
            let holder = vm.get(address, jdk::inet6_address::HOLDER6)?;
            vm.set(holder, jdk::inet6_address_holder::SCOPE_IFNAME, r)?;
            vm.set(holder, jdk::inet6_address_holder::SCOPE_IFNAME_SET, true)?;
        }
        vm.heap_mut().set_elem_ref(addresses, n, address);
        let binding = vm.alloc_object(interface_address)?;
        vm.set(binding, jdk::interface_address::ADDRESS, address)?;
        vm.set(
            binding,
            jdk::interface_address::MASK_LENGTH,
            a.prefix as i16,
        )?;
        if let Some(b) = a.broadcast {
            let b = new_address(vm, &SocketAddr::new(IpAddr::V4(b), 0), Ref::NULL)?;
            vm.set(binding, jdk::interface_address::BROADCAST, b)?;
        }
        vm.heap_mut().set_elem_ref(bindings, n, binding);
    }
    vm.set(r, jdk::network_interface::ADDRS, addresses)?;
    vm.set(r, jdk::network_interface::BINDINGS, bindings)?;
    vm.set(r, jdk::network_interface::CHILDS, children)?;
    Ok(r)
}

fn or_null(vm: &mut Env, i: Option<Interface>) -> R<Ref> {
    match i {
        Some(i) => new_interface(vm, &i),
        None => Ok(Ref::NULL),
    }
}

fn all(vm: &mut Env) -> R<Ref> {
    let list = interfaces(vm)?;
    if list.is_empty() {
        return Ok(Ref::NULL);
    }
    let c = class(vm, jdk::network_interface::CLASS)?;
    let array = vm.new_array_of(c, list.len())?;
    for (n, i) in list.iter().enumerate() {
        let r = new_interface(vm, i)?;
        vm.heap_mut().set_elem_ref(array, n, r);
    }
    Ok(array)
}

fn by_name(vm: &mut Env, name: Ref) -> R<Ref> {
    let i = named(vm, name)?;
    or_null(vm, i)
}

fn by_index(vm: &mut Env, index: i32) -> R<Ref> {
    let i = interfaces(vm)?.into_iter().find(|i| i.index == index);
    or_null(vm, i)
}

fn with_address(vm: &mut Env, address: Ref) -> R<Option<Interface>> {
    let ip = address_of(vm, address)?.ip();
    let has = |i: &Interface| i.addresses.iter().any(|a| a.address.ip() == ip);
    Ok(interfaces(vm)?.into_iter().find(has))
}

fn bound_inet_address(vm: &mut Env, address: Ref) -> R<bool> {
    Ok(with_address(vm, address)?.is_some())
}

fn by_inet_address(vm: &mut Env, address: Ref) -> R<Ref> {
    let i = with_address(vm, address)?;
    or_null(vm, i)
}

fn is_up(vm: &mut Env, name: Ref, _index: i32) -> R<bool> {
    let up = (libc::IFF_UP | libc::IFF_RUNNING) as u32;
    Ok(flags(vm, name)? & up == up)
}

fn is_loopback(vm: &mut Env, name: Ref, _index: i32) -> R<bool> {
    Ok(flags(vm, name)? & libc::IFF_LOOPBACK as u32 != 0)
}

fn supports_multicast(vm: &mut Env, name: Ref, _index: i32) -> R<bool> {
    Ok(flags(vm, name)? & libc::IFF_MULTICAST as u32 != 0)
}

fn is_point_to_point(vm: &mut Env, name: Ref, _index: i32) -> R<bool> {
    Ok(flags(vm, name)? & libc::IFF_POINTOPOINT as u32 != 0)
}

fn hardware_address(vm: &mut Env, _address: Ref, name: Ref, _index: i32) -> R<Ref> {
    let Some(mac) = named(vm, name)?.and_then(|i| i.hardware) else {
        return Ok(Ref::NULL);
    };
    let a = vm.new_byte_array(mac.len())?;
    vm.heap_mut()
        .raw_mut(a, ELEMS, mac.len())
        .copy_from_slice(&mac);
    Ok(a)
}

fn mtu(vm: &mut Env, name: Ref, _index: i32) -> R<i32> {
    match named(vm, name)? {
        Some(i) => Ok(i.mtu),
        None => Err(errno_as(
            "java/net/SocketException",
            rjvm_vm::host::Errno(libc::ENODEV),
        )),
    }
}
