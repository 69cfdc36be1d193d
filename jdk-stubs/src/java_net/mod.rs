//! Natives of package `java.net`. Sockets themselves are in `sun_nio::ch`.

mod inet4_address_impl;
mod inet6_address_impl;
mod initializers;
mod lookup;
mod network_interface;
pub mod objects;
mod plain;
mod plain_socket_impl;
mod reachable;
mod socket_streams;

use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &inet4_address_impl::NATIVES,
        &inet6_address_impl::NATIVES,
        &network_interface::NATIVES,
        &plain_socket_impl::NATIVES,
        &socket_streams::input::NATIVES,
        &socket_streams::output::NATIVES,
    ]);
    initializers::tables(v);
}
