//! Natives of `java.net.Inet4AddressImpl`.

use super::lookup::{self, Order};
use super::reachable::is_reachable;
use rjvm_vm::{Env, R, Ref, natives};

natives! { "java/net/Inet4AddressImpl";
    getLocalHostName "()Ljava/lang/String;" => lookup::local_host_name;
    lookupAllHostAddr "(Ljava/lang/String;)[Ljava/net/InetAddress;" => lookup_all_host_addr;
    getHostByAddr "([B)Ljava/lang/String;" => host_by_addr;
    isReachable0 "([BI[BI)Z" => reachable;
}

fn lookup_all_host_addr(vm: &mut Env, _this: Ref, host: Ref) -> R<Ref> {
    lookup::all_addresses(vm, host, Order::Only4)
}

fn host_by_addr(vm: &mut Env, _this: Ref, address: Ref) -> R<Ref> {
    lookup::host_name(vm, address)
}

fn reachable(vm: &mut Env, _: Ref, address: Ref, timeout: i32, from: Ref, ttl: i32) -> R<bool> {
    is_reachable(vm, address, 0, timeout, from, ttl)
}
