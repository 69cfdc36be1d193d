//! Sockets and names of hosts.

use std::net::{IpAddr, SocketAddr};

/// Address of a socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// IPv4 or IPv6.
    Inet(SocketAddr),
    /// Unix domain: the name in the file system (empty: unnamed).
    Unix(Vec<u8>),
    /// None, or of another family (its number).
    Other(i32),
}

/// A network interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// Name.
    pub name: String,
    /// Index.
    pub index: i32,
    /// `IFF_…` flags of the operating system.
    pub flags: u32,
    /// Hardware address.
    pub hardware: Option<[u8; 6]>,
    /// Largest transmission unit.
    pub mtu: i32,
    /// Addresses.
    pub addresses: Vec<InterfaceAddress>,
}

/// An address of a network interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterfaceAddress {
    /// The address (an IPv6 one with its scope).
    pub address: SocketAddr,
    /// Length of the network prefix in bits.
    pub prefix: u8,
    /// Broadcast address.
    pub broadcast: Option<std::net::Ipv4Addr>,
}

/// Hands the requests of [`Network`] to the macro `$to`, after `$with`.
#[macro_export]
macro_rules! network_requests {
    ($to:ident!, $($with:tt)*) => {
        $to! {
        $($with)*
        denied {
            /// A socket (numbers of the operating system).
            fn socket(domain: i32, kind: i32, protocol: i32) -> i32;
            /// Binds.
            fn bind(fd: i32, to: &Address) -> ();
            /// Listens.
            fn listen(fd: i32, backlog: i32) -> ();
            /// Connects, or begins to (`EINPROGRESS`). With [`Address::Other`] undoes a datagram socket's connection.
            fn connect(fd: i32, to: &Address) -> ();
            /// Accepts a connection that is there.
            fn accept(fd: i32) -> (i32, Address);
            /// Local address.
            fn local_address(fd: i32) -> Address;
            /// Address of the other side.
            fn peer_address(fd: i32) -> Address;
            /// Receives with flags.
            fn receive(fd: i32, buf: &mut [u8], flags: i32) -> usize;
            /// Receives a datagram and its sender.
            fn receive_from(fd: i32, buf: &mut [u8], flags: i32) -> (usize, Address);
            /// Sends with flags.
            fn send(fd: i32, buf: &[u8], flags: i32) -> usize;
            /// Sends a datagram.
            fn send_to(fd: i32, buf: &[u8], to: &Address) -> usize;
            /// Shuts down reading (0), writing (1) or both (2).
            fn shutdown(fd: i32, how: i32) -> ();
            /// Value of a socket option; its length.
            fn option(fd: i32, level: i32, name: i32, value: &mut [u8]) -> usize;
            /// Sets a socket option.
            fn set_option(fd: i32, level: i32, name: i32, value: &[u8]) -> ();
            /// Name of this machine.
            fn host_name() -> String;
            /// Network interfaces.
            fn interfaces() -> Vec<Interface>;
        }
        otherwise {
            /// Addresses of a host name; the error is the resolver's text.
            fn resolve(host: &str) -> Result<Vec<SocketAddr>, String> = Err("Name or service not known".into());
            /// Name of an address.
            fn reverse(address: IpAddr) -> Option<String> = None;
            /// Whether IPv6 sockets can be made.
            fn has_ipv6() -> bool = false;
        }
        }
    };
}

network_requests! {
    declare!,
    /// Sockets. Descriptors made here are closed, polled, read and written by
    /// [`Descriptors`](super::Descriptors).
    pub trait Network;
}
