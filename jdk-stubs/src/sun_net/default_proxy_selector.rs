//! Natives of `sun.net.spi.DefaultProxySelector`.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "sun/net/spi/DefaultProxySelector";
    init "()Z" => init;
    getSystemProxies "(Ljava/lang/String;Ljava/lang/String;)[Ljava/net/Proxy;" => system_proxies;
}

/// There are no system-wide settings: properties and environment decide.
fn init(_: &mut Env) -> R<bool> {
    Ok(false)
}

/// None known.
fn system_proxies(_: &mut Env, _this: Ref, _protocol: Ref, _host: Ref) -> R<Ref> {
    Ok(Ref::NULL)
}
