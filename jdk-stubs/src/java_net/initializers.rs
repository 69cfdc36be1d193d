//! Classes of `java.net` whose natives only prepare something (nothing here: fields are looked up by
//! name) or answer a question about the platform, and the clean-up of legacy sockets.

use crate::io::io_exception;
use crate::sun_nio::ch::has_ipv6;
use rjvm_vm::natives::NativeClass;
use rjvm_vm::{Env, R};

/// Adds the tables of these classes.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &inet_address::NATIVES,
        &inet4_address::NATIVES,
        &inet6_address::NATIVES,
        &inet_address_impl_factory::NATIVES,
        &datagram_packet::NATIVES,
        &abstract_plain_socket_impl::NATIVES,
        &abstract_plain_datagram_socket_impl::NATIVES,
        &socket_cleanable::NATIVES,
    ]);
}

fn init(_: &mut Env) -> R<()> {
    Ok(())
}

fn yes(_: &mut Env) -> R<bool> {
    Ok(true)
}

fn cleanup_close(vm: &mut Env, fd: i32) -> R<()> {
    vm.host().descriptors().close(fd).map_err(io_exception)
}

mod inet_address {
    rjvm_vm::natives! { "java/net/InetAddress"; init "()V" => super::init; isIPv4Available "()Z" since 19 => super::yes; isIPv6Supported "()Z" since 19 => super::has_ipv6; }
}
mod inet4_address {
    rjvm_vm::natives! { "java/net/Inet4Address"; init "()V" => super::init; }
}
mod inet6_address {
    rjvm_vm::natives! { "java/net/Inet6Address"; init "()V" => super::init; }
}
mod inet_address_impl_factory {
    rjvm_vm::natives! { "java/net/InetAddressImplFactory"; isIPv6Supported "()Z" until 20 => super::has_ipv6; }
}
mod datagram_packet {
    rjvm_vm::natives! { "java/net/DatagramPacket"; init "()V" until 20 => super::init; }
}
mod abstract_plain_socket_impl {
    rjvm_vm::natives! { "java/net/AbstractPlainSocketImpl"; isReusePortAvailable0 "()Z" until 20 => super::yes; }
}
mod abstract_plain_datagram_socket_impl {
    rjvm_vm::natives! { "java/net/AbstractPlainDatagramSocketImpl"; isReusePortAvailable0 "()Z" until 20 => super::yes; }
}
mod socket_cleanable {
    rjvm_vm::natives! { "java/net/SocketCleanable"; cleanupClose0 "(I)V" until 20 => super::cleanup_close; }
}
