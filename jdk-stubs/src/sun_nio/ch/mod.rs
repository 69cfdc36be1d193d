//! Natives of package `sun.nio.ch`.

mod datagram_channel_impl;
mod datagram_dispatcher;
mod epoll;
mod event_fd;
mod file_channel_impl;
mod file_dispatcher_impl;
mod file_key;
mod inherited_channel;
mod io_util;
mod native_socket_address;
mod native_thread;
mod net;
mod net_multicast;
mod net_options;
mod poll_selector_impl;
mod result;
mod sctp_net;
mod socket_dispatcher;
mod unix_asynchronous_socket_channel_impl;
mod unix_domain_sockets;

pub use file_dispatcher_impl::pre_close_number as pre_close;
pub use net::{begin_connect, has_ipv6, taken};
pub use result::errno;
use rjvm_vm::natives::NativeClass;

/// Adds this package's tables.
pub fn tables(v: &mut Vec<&'static NativeClass>) {
    v.extend([
        &datagram_channel_impl::NATIVES,
        &datagram_dispatcher::NATIVES,
        &epoll::NATIVES,
        &event_fd::NATIVES,
        &file_channel_impl::NATIVES,
        &file_dispatcher_impl::NATIVES,
        &file_dispatcher_impl::unix::NATIVES,
        &file_dispatcher_impl::unix::closing::NATIVES,
        &file_dispatcher_impl::unix::linux::NATIVES,
        &file_dispatcher_impl::unix::sockets::NATIVES,
        &file_dispatcher_impl::unix::datagrams::NATIVES,
        &file_key::NATIVES,
        &inherited_channel::NATIVES,
        &io_util::NATIVES,
        &native_socket_address::NATIVES,
        &native_thread::NATIVES,
        &net::NATIVES,
        &poll_selector_impl::NATIVES,
        &sctp_net::NATIVES,
        &socket_dispatcher::NATIVES,
        &unix_asynchronous_socket_channel_impl::NATIVES,
        &unix_domain_sockets::NATIVES,
    ]);
}
