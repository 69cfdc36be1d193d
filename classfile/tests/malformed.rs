//! No input makes the crate panic, hang or take much memory; a truncated file is an error.

mod common;

use common::{Random, build};
use rjvm_classfile::{ClassFile, ConstantPool, ErrorKind, SharedBytes};

#[test]
fn the_samples_are_well_formed() {
    for (sample, checked) in [(build::everything(), true), (build::module(), false)] {
        let class = ClassFile::parse(&sample.bytes()).unwrap();
        if checked {
            class.check().unwrap();
        }
        let text = common::exercise(&sample.bytes()).unwrap();
        assert!(!text.contains("(invalid"), "{text}");
    }
}

#[test]
fn a_file_cut_off_anywhere_is_truncated() {
    let mut samples = vec![build::everything().bytes(), build::module().bytes()];
    samples.extend(jdk_sample(10));
    for bytes in samples {
        for len in 0..bytes.len() {
            let error = ClassFile::parse(&bytes[..len]).expect_err("a part is no class file");
            assert_eq!(error.kind(), ErrorKind::Truncated, "{len} bytes: {error}");
            assert!(error.offset().is_some_and(|offset| offset <= len));
            assert_eq!(error.detail(Some("T")), "Truncated class file");
        }
        let error = ClassFile::parse(&[&bytes[..], &[0]].concat()).unwrap_err();
        assert!(
            error
                .detail(None)
                .starts_with("Extra bytes at the end of class file ")
        );
    }
}

#[test]
fn what_is_read_late_is_survived_too() {
    let sample = build::everything().bytes();
    let late = |bytes: Vec<u8>| ClassFile::parse_shared(&SharedBytes::from(&*bytes));
    let whole = ClassFile::parse(&sample).unwrap();
    let shared = late(sample.clone()).unwrap();
    for (a, b) in whole.methods.iter().zip(&shared.methods) {
        assert_eq!(a.attributes.has_code(), b.attributes.has_code());
        assert_eq!(
            a.attributes.visible_annotations(),
            b.attributes.visible_annotations()
        );
        assert_eq!(
            format!("{:?}", *a.attributes),
            format!("{:?}", *b.attributes)
        );
    }
    let mut unreadable = 0;
    for at in 0..sample.len() {
        let mut bytes = sample.clone();
        bytes[at] ^= 0x55;
        let Ok(class) = late(bytes) else { continue };
        for method in &class.methods {
            let attributes = &method.attributes;
            unreadable += usize::from(attributes.has_code() && attributes.code.is_none());
        }
    }
    assert!(unreadable > 20, "{unreadable}");
}

#[test]
fn what_is_kept_is_what_was_read() {
    let mut samples = vec![build::everything().bytes(), build::module().bytes()];
    samples.extend(jdk_sample(50));
    for sample in samples {
        let (whole, kept) = (
            ClassFile::parse(&sample).unwrap(),
            ClassFile::parse_kept(&sample).unwrap(),
        );
        let (a, b) = (&whole.constant_pool, &kept.constant_pool);
        // NaN is not equal to itself
        let text = |pool: &ConstantPool| format!("{:?}", pool.iter().collect::<Vec<_>>());
        assert_eq!(text(a), text(b));
        for i in 0..=u16::MAX {
            assert_eq!(a.text(i), b.text(i), "{i}");
        }
        let sorted = |class: &ClassFile| {
            let mut texts: Vec<_> = class.constant_pool.texts().map(<[u8]>::to_vec).collect();
            texts.sort();
            texts
        };
        assert_eq!(sorted(&whole), sorted(&kept));
        for (a, b) in whole.methods.iter().zip(&kept.methods) {
            assert_eq!(a.attributes.bytecodes(), b.attributes.bytecodes());
            assert_eq!(
                format!("{:?}", *a.attributes),
                format!("{:?}", *b.attributes)
            );
        }
        let again = kept.read_again().unwrap();
        assert_eq!(
            format!("{:?}", again.methods),
            format!("{:?}", whole.methods)
        );
    }
    for at in 0..300 {
        let mut bytes = build::everything().bytes();
        bytes[at] ^= 0x55;
        let _ = ClassFile::parse_kept(&bytes).map(|class| class.read_again());
    }
}

#[test]
fn flipped_bytes_are_survived() {
    let mut samples = vec![build::everything().bytes(), build::module().bytes()];
    samples.extend(jdk_sample(20));
    let mut random = Random(1);
    let (mut parsed, mut failed) = (0, 0);
    for round in 0..100_000 {
        let mut bytes = samples[round % samples.len()].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = match random.below(4) {
                0 => bytes[at] ^ 1 << random.below(8),
                1 => 0xFF,
                2 => 0,
                _ => random.number() as u8,
            };
        }
        // Text is slow to make: now and then will do.
        let result = match round % 20 {
            0 => common::exercise(&bytes).map(drop),
            _ => ClassFile::parse(&bytes).and_then(|class| class.check()),
        };
        match result {
            Ok(()) => parsed += 1,
            Err(_) => failed += 1,
        }
    }
    assert!(
        parsed > 1000 && failed > 1000,
        "{parsed} still fine, {failed} refused"
    );
    common::assert_little_memory_was_used();
}

/// Some small JDK classes, if there is a JDK.
fn jdk_sample(count: usize) -> Vec<Vec<u8>> {
    let mut sample = Vec::new();
    common::each_jdk_class("java.sql", |_, bytes| {
        if bytes.len() < 4000 && sample.len() < count {
            sample.push(bytes.to_vec());
        }
    });
    sample
}
