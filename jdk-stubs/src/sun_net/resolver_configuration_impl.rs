//! Natives of `sun.net.dns.ResolverConfigurationImpl`.

use rjvm_vm::{Env, R, Ref, natives};

natives! { "sun/net/dns/ResolverConfigurationImpl";
    fallbackDomain0 "()Ljava/lang/String;" => fallback_domain;
}

/// The domain in this machine's name, if there is one.
fn fallback_domain(vm: &mut Env) -> R<Ref> {
    let name = vm.host().network().host_name().unwrap_or_default();
    match name.split_once('.') {
        Some((_, domain)) if !domain.is_empty() => vm.new_string(domain),
        _ => Ok(Ref::NULL),
    }
}
