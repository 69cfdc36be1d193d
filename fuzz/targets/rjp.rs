//! Profiles in the native format: what can be read can be written, and is the same when read again.
#![no_main]

use rjvm_profiler::rjp;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(profile) = rjp::read(&mut &*bytes) {
        let mut written = Vec::new();
        rjp::write(&profile, &mut written).expect("writing to memory");
        let again = rjp::read(&mut &*written).expect("what was written can be read");
        assert_eq!(again.methods.len(), profile.methods.len());
        let _ = (profile.flat(), profile.totals());
    }
});
