//! Argument files: text is split into words, or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(words) = rjvm::launcher::argument_words(&text) {
        assert!(words.iter().map(String::len).sum::<usize>() <= text.len());
    }
});
