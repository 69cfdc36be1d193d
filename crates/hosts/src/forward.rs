//! Requests to a host, all treated alike: macros over the tables of `rjvm_vm::host`, and each request by number, with its
//! arguments and answer.

use crate::recording::encode::Ask;
use crate::recording::wire::Reader;
use rjvm_vm::host::*;
use rjvm_vm::offheap::Access;
use std::net::IpAddr;

/// Hands a table of requests on to `$to` with the types of answers spelled out, whatever section they are in.
macro_rules! plain {
    (
        $to:ident!, [$($with:tt)*]
        $( required { $( $(#[$rm:meta])* fn $rn:ident($($ra:ident: $rt:ty),*) -> $rr:ty; )* } )?
        denied { $( $(#[$dm:meta])* fn $dn:ident($($da:ident: $dt:ty),*) -> $dr:ty; )* }
        otherwise { $( $(#[$om:meta])* fn $on:ident($($oa:ident: $ot:ty),*) -> $or:ty = $default:expr; )* }
    ) => {
        $to! {
            $($with)*
            $( $( fn $rn($($ra: $rt),*) -> $rr; )* )?
            $( fn $dn($($da: $dt),*) -> rjvm_vm::host::Io<$dr>; )*
            $( fn $on($($oa: $ot),*) -> $or; )*
        }
    };
}

/// Calls `$to!` for [`Host`] and each of its parts, with `$with`, the trait, the function of [`inside`] that leads to it,
/// and the requests.
macro_rules! each_part {
    ($to:ident! $($with:tt)*) => {
        rjvm_vm::host_requests! { plain!, $to!, [$($with)* Host host] }
        rjvm_vm::descriptor_requests! { plain!, $to!, [$($with)* Descriptors descriptors] }
        rjvm_vm::file_requests! { plain!, $to!, [$($with)* Files files] }
        rjvm_vm::network_requests! { plain!, $to!, [$($with)* Network network] }
        rjvm_vm::process_requests! { plain!, $to!, [$($with)* Processes processes] }
    };
}

/// The methods of a host that is all of its parts itself.
macro_rules! own_parts {
    () => {
        fn descriptors(&mut self) -> &mut dyn rjvm_vm::host::Descriptors {
            self
        }
        fn files(&mut self) -> &mut dyn rjvm_vm::host::Files {
            self
        }
        fn network(&mut self) -> &mut dyn rjvm_vm::host::Network {
            self
        }
        fn processes(&mut self) -> &mut dyn rjvm_vm::host::Processes {
            self
        }
    };
}

/// How the parts of a host are reached, itself among them.
pub mod inside {
    use super::*;
    pub fn host(inner: &mut dyn Host) -> &mut dyn Host {
        inner
    }
    pub fn descriptors(inner: &mut dyn Host) -> &mut dyn Descriptors {
        inner.descriptors()
    }
    pub fn files(inner: &mut dyn Host) -> &mut dyn Files {
        inner.files()
    }
    pub fn network(inner: &mut dyn Host) -> &mut dyn Network {
        inner.network()
    }
    pub fn processes(inner: &mut dyn Host) -> &mut dyn Processes {
        inner.processes()
    }
}

/// A host around another host, made by [`around!`].
pub trait Around {
    /// That one.
    fn inner(&mut self) -> &mut dyn Host;
    /// Where the bytecodes executed until a request are stored, if they are of interest.
    fn executed(&mut self) -> Option<&mut i64>;
    /// Whether they are, or are to the inner host.
    fn counts(&self) -> bool;
    /// Whether the program may call native code: what that does, no host sees.
    fn native_access(&self) -> bool {
        false
    }
}

/// Makes an [`Around`] a host, from the tables: of each request `$request!` makes a method, given `$part name(arguments) ->
/// answer`. Methods that are not requests are the inner host's.
macro_rules! around {
    ($to:ident $request:ident Host host $( fn $name:ident($($a:ident: $t:ty),*) -> $r:ty; )*) => {
        impl rjvm_vm::host::Host for $to {
            fn as_any(&mut self) -> &mut dyn std::any::Any {
                $crate::forward::Around::inner(self).as_any()
            }
            fn counts_bytecodes(&self) -> bool {
                $crate::forward::Around::counts(self)
            }
            fn native_access(&self) -> bool {
                $crate::forward::Around::native_access(self)
            }
            fn at_bytecode(&mut self, executed: i64) {
                if let Some(kept) = $crate::forward::Around::executed(self) {
                    *kept = executed;
                }
                $crate::forward::Around::inner(self).at_bytecode(executed);
            }
            fn waker(&mut self) -> Option<rjvm_vm::host::Waker> {
                $crate::forward::Around::inner(self).waker()
            }
            fn peek_time(&mut self) -> i64 {
                $crate::forward::Around::inner(self).peek_time()
            }
            fn peek_cpu_time(&mut self) -> rjvm_vm::host::CpuTime {
                $crate::forward::Around::inner(self).peek_cpu_time()
            }
            own_parts! {}
            $( $request! { host $name($($a: $t),*) -> $r } )*
        }
    };
    ($to:ident $request:ident $part:ident $module:ident $( fn $name:ident($($a:ident: $t:ty),*) -> $r:ty; )*) => {
        impl $part for $to {
            $( $request! { $module $name($($a: $t),*) -> $r } )*
        }
    };
}

/// A request that is the inner host's.
macro_rules! pass {
    ($module:ident $name:ident($($a:ident: $t:ty),*) -> $r:ty) => {
        fn $name(&mut self, $($a: $t),*) -> $r {
            $crate::forward::inside::$module($crate::forward::Around::inner(self)).$name($($a),*)
        }
    };
}

/// A request by number, unique over all parts: the order of the tables.
pub type RequestKind = u8;

/// A request: its name, and its arguments as text.
struct NamedRequest {
    part: &'static str,
    name: &'static str,
    describe: fn(&mut Reader) -> Option<String>,
}

macro_rules! number {
    ($part:ident $module:ident $( fn $name:ident($($a:ident: $t:ty),*) -> $r:ty; )*) => {
        /// Numbers of the requests of one part.
        #[allow(non_upper_case_globals, reason = "they are called as the requests are")]
        pub mod $module {
            use super::*;
            #[allow(non_camel_case_types, reason = "as above")]
            enum Place { $($name,)* Count }
            /// How many there are.
            pub(super) const COUNT: u8 = Place::Count as u8;
            $(
                #[allow(dead_code, reason = "most are only numbers in a table")]
                pub const $name: RequestKind = super::first(stringify!($part)) + Place::$name as u8;
            )*
            pub(super) static NAMED: [NamedRequest; COUNT as usize] = [$( NamedRequest {
                part: stringify!($part),
                name: stringify!($name),
                describe: |_from| {
                    let parts: &[String] = &[$( format!(concat!(stringify!($a), " {}"), <$t as Ask>::describe(_from)?) ),*];
                    Some(parts.join(", "))
                },
            } ),*];
        }
    };
}
each_part! { number! }

/// Number of the first request of a part; 0 means no request.
const fn first(part: &str) -> u8 {
    // the first letters differ
    match part.as_bytes()[0] {
        b'H' => 1,
        b'D' => 1 + host::COUNT,
        b'F' => 1 + host::COUNT + descriptors::COUNT,
        b'N' => 1 + host::COUNT + descriptors::COUNT + files::COUNT,
        _ => 1 + host::COUNT + descriptors::COUNT + files::COUNT + network::COUNT,
    }
}

fn named(kind: RequestKind) -> Option<&'static NamedRequest> {
    let mut at = usize::from(kind).checked_sub(1)?;
    let parts: [&[NamedRequest]; 5] = [
        &host::NAMED,
        &descriptors::NAMED,
        &files::NAMED,
        &network::NAMED,
        &processes::NAMED,
    ];
    for part in parts {
        if at < part.len() {
            return Some(&part[at]);
        }
        at -= part.len();
    }
    None
}

/// All requests in their order, as `Part::name`: recordings made with other ones are not understood.
pub fn names() -> impl Iterator<Item = String> {
    (1..=u8::MAX).map_while(|kind| named(kind).map(|n| format!("{}::{}", n.part, n.name)))
}

/// A request with its arguments, as text; the arguments are read from `from`.
pub fn describe(kind: RequestKind, from: &mut Reader) -> String {
    let Some(n) = named(kind) else {
        return format!("request {kind}, which does not exist");
    };
    let requested = (n.describe)(from).unwrap_or_else(|| "?".into());
    format!("{}::{}({requested})", n.part, n.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_has_its_number() {
        let all: Vec<String> = names().collect();
        assert!(all.len() > 100);
        let name = |kind: RequestKind| all[usize::from(kind) - 1].as_str();
        assert_eq!(name(host::nano_time), "Host::nano_time");
        assert_eq!(name(descriptors::read), "Descriptors::read");
        assert_eq!(name(files::stat), "Files::stat");
        assert_eq!(name(network::accept), "Network::accept");
        assert_eq!(name(processes::memory), "Processes::memory");
        assert!(named(0).is_none() && named(u8::MAX).is_none());
    }
}
