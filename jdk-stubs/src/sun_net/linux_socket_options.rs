//! Natives of `jdk.net.LinuxSocketOptions`.

use crate::io::errno_as;
use rjvm_vm::{Env, R, natives};

natives! { "jdk/net/LinuxSocketOptions";
    setTcpKeepAliveProbes0 "(II)V" => set_probes;
    setTcpKeepAliveTime0 "(II)V" => set_time;
    setTcpKeepAliveIntvl0 "(II)V" => set_interval;
    getTcpKeepAliveProbes0 "(I)I" => probes;
    getTcpKeepAliveTime0 "(I)I" => time;
    getTcpKeepAliveIntvl0 "(I)I" => interval;
    setQuickAck0 "(IZ)V" => set_quick_ack;
    getQuickAck0 "(I)Z" => quick_ack;
    getSoPeerCred0 "(I)J" => peer_credentials;
    keepAliveOptionsSupported0 "()Z" => supported;
    quickAckSupported0 "()Z" => supported;
    incomingNapiIdSupported0 "()Z" => supported;
    getIncomingNapiId0 "(I)I" => incoming_napi_id;
    setIpDontFragment0 "(IZZ)V" since 21 => set_dont_fragment;
    getIpDontFragment0 "(IZ)Z" since 21 => dont_fragment;
}

/// Number of `SO_INCOMING_NAPI_ID`.
const SO_INCOMING_NAPI_ID: i32 = 56;

fn supported(_: &mut Env) -> R<bool> {
    Ok(true)
}

fn set(vm: &mut Env, fd: i32, name: i32, v: i32) -> R<()> {
    set_at(vm, fd, libc::IPPROTO_TCP, name, v)
}

fn set_at(vm: &mut Env, fd: i32, level: i32, name: i32, v: i32) -> R<()> {
    let network = vm.host().network();
    let r = network.set_option(fd, level, name, &v.to_ne_bytes());
    r.map_err(|e| errno_as("java/net/SocketException", e))
}

fn get(vm: &mut Env, fd: i32, level: i32, name: i32) -> R<i32> {
    let mut v = [0; 4];
    let r = vm.host().network().option(fd, level, name, &mut v);
    r.map_err(|e| errno_as("java/net/SocketException", e))?;
    Ok(i32::from_ne_bytes(v))
}

fn set_probes(vm: &mut Env, fd: i32, v: i32) -> R<()> {
    set(vm, fd, libc::TCP_KEEPCNT, v)
}
fn set_time(vm: &mut Env, fd: i32, v: i32) -> R<()> {
    set(vm, fd, libc::TCP_KEEPIDLE, v)
}
fn set_interval(vm: &mut Env, fd: i32, v: i32) -> R<()> {
    set(vm, fd, libc::TCP_KEEPINTVL, v)
}
fn probes(vm: &mut Env, fd: i32) -> R<i32> {
    get(vm, fd, libc::IPPROTO_TCP, libc::TCP_KEEPCNT)
}
fn time(vm: &mut Env, fd: i32) -> R<i32> {
    get(vm, fd, libc::IPPROTO_TCP, libc::TCP_KEEPIDLE)
}
fn interval(vm: &mut Env, fd: i32) -> R<i32> {
    get(vm, fd, libc::IPPROTO_TCP, libc::TCP_KEEPINTVL)
}
fn set_quick_ack(vm: &mut Env, fd: i32, on: bool) -> R<()> {
    set(vm, fd, libc::TCP_QUICKACK, on as i32)
}
fn quick_ack(vm: &mut Env, fd: i32) -> R<bool> {
    get(vm, fd, libc::IPPROTO_TCP, libc::TCP_QUICKACK).map(|v| v != 0)
}
fn incoming_napi_id(vm: &mut Env, fd: i32) -> R<i32> {
    get(vm, fd, libc::SOL_SOCKET, SO_INCOMING_NAPI_ID)
}

/// User in the upper half, group in the lower; -1 if the peer is not known.
fn peer_credentials(vm: &mut Env, fd: i32) -> R<i64> {
    let mut v = [0; 12];
    let r = vm
        .host()
        .network()
        .option(fd, libc::SOL_SOCKET, libc::SO_PEERCRED, &mut v);
    r.map_err(|e| errno_as("java/net/SocketException", e))?;
    let word = |i: usize| i32::from_ne_bytes([v[i], v[i + 1], v[i + 2], v[i + 3]]);
    let (uid, gid) = (word(4), word(8));
    if uid == -1 {
        return Ok(-1);
    }
    Ok((uid as i64) << 32 | gid as u32 as i64)
}

fn set_dont_fragment(vm: &mut Env, fd: i32, on: bool, v6: bool) -> R<()> {
    let v = if on {
        libc::IP_PMTUDISC_DO
    } else {
        libc::IP_PMTUDISC_DONT
    };
    set_at(vm, fd, libc::IPPROTO_IP, libc::IP_MTU_DISCOVER, v)?;
    if v6 {
        set_at(vm, fd, libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER, v)?;
    }
    Ok(())
}

fn dont_fragment(vm: &mut Env, fd: i32, v6: bool) -> R<bool> {
    let (level, name) = match v6 {
        true => (libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER),
        false => (libc::IPPROTO_IP, libc::IP_MTU_DISCOVER),
    };
    Ok(get(vm, fd, level, name)? == libc::IP_PMTUDISC_DO)
}
