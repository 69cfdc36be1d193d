//! Natives of packages `sun.net`, `sun.net.…` and `jdk.net`.

mod default_proxy_selector;
mod linux_socket_options;
mod port_config;
mod resolver_configuration_impl;
mod sdp_support;

use rjvm_vm::natives::NativeClass;

/// Adds these packages' tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &default_proxy_selector::NATIVES,
        &linux_socket_options::NATIVES,
        &port_config::NATIVES,
        &resolver_configuration_impl::NATIVES,
        &sdp_support::NATIVES,
    ]);
}
