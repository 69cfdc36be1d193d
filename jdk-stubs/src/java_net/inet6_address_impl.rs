//! Natives of `java.net.Inet6AddressImpl`.

use super::lookup::{self, Order};
use super::reachable::is_reachable;
use crate::io::class;
use rjvm_vm::{Env, R, Ref, jdk, natives};

natives! { "java/net/Inet6AddressImpl";
    getLocalHostName "()Ljava/lang/String;" => lookup::local_host_name;
    lookupAllHostAddr "(Ljava/lang/String;)[Ljava/net/InetAddress;" until 20 => lookup_all_host_addr;
    lookupAllHostAddr "(Ljava/lang/String;I)[Ljava/net/InetAddress;" since 18 => lookup_all_host_addr_18;
    getHostByAddr "([B)Ljava/lang/String;" => host_by_addr;
    isReachable0 "([BII[BII)Z" => reachable;
}

/// Ordered as `java.net.preferIPv6Addresses` says.
fn lookup_all_host_addr(vm: &mut Env, _this: Ref, host: Ref) -> R<Ref> {
    class(vm, jdk::inet_address::CLASS)?;
    let field = vm
        .has_field(jdk::inet_address::PREFER_IPV6_ADDRESS)
        .expect("an older JDK");
    let order = match vm.get_static(field)? {
        0 => Order::First4,
        1 => Order::First6,
        _ => Order::System,
    };
    lookup::all_addresses(vm, host, order)
}

fn host_by_addr(vm: &mut Env, _this: Ref, address: Ref) -> R<Ref> {
    lookup::host_name(vm, address)
}

fn reachable(
    vm: &mut Env,
    _this: Ref,
    address: Ref,
    scope: i32,
    timeout: i32,
    from: Ref,
    ttl: i32,
    _interface_scope: i32,
) -> R<bool> {
    is_reachable(vm, address, scope, timeout, from, ttl)
}

/// `InetAddressResolver.LookupPolicy`
fn lookup_all_host_addr_18(vm: &mut Env, _this: Ref, host: Ref, how: i32) -> R<Ref> {
    const IPV4_FIRST: i32 = 4;
    const IPV6_FIRST: i32 = 8;
    let order = match how {
        h if h & IPV4_FIRST != 0 => Order::First4,
        h if h & IPV6_FIRST != 0 => Order::First6,
        _ => Order::System,
    };
    lookup::all_addresses(vm, host, order)
}
