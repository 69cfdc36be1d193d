//! Class files: parsing, format checks, disassembling.
#![no_main]

use rjvm_classfile::{ClassFile, dis};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else {
        return;
    };
    let _ = class.check().map_err(|e| (e.detail(None), e.to_string()));
    let mut text = Vec::new();
    dis::disassemble(&class, &mut text).expect("writing to memory");
    String::from_utf8(text).expect("text is UTF-8");
});
