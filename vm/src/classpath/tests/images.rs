//! Small images made here: both byte orders, compressions, and every kind of damage.

use super::made::ImageWriter;
use crate::classpath::{Error, Jimage, Result};
use std::io::Write;

const CLASS: &[u8] = b"\xCA\xFE\xBA\xBE and more";

fn sample(big_endian: bool) -> ImageWriter {
    let mut image = ImageWriter::new(big_endian);
    image.add("m.one", "module-info.class", b"one");
    image.add("m.two", "module-info.class", b"two");
    image.add("m.one", "p/q/C.class", CLASS);
    image.add("m.one", "p/q/D.class", b"");
    image.add("m.two", "p/r/no_extension", b"x");
    image.package("p", &[(true, "m.one"), (true, "m.two")]);
    image.package("p.q", &[(true, "m.two"), (false, "m.one")]);
    image.package("p.r", &[(false, "m.two")]);
    image
}

fn open(bytes: Vec<u8>) -> Result<Jimage> {
    Jimage::from_bytes("made/modules", bytes)
}

#[test]
fn both_byte_orders() {
    for big_endian in [false, true] {
        let image = open(sample(big_endian).finish()).unwrap();
        let find = |m, n| image.find(m, n).unwrap().map(|b| b.into_owned());
        assert_eq!(find("m.one", "p/q/C.class").unwrap(), CLASS);
        assert_eq!(find("m.one", "p/q/D.class").unwrap(), b"");
        assert_eq!(find("m.two", "p/r/no_extension").unwrap(), b"x");
        assert_eq!(find("m.two", "p/q/C.class"), None);
        assert_eq!(find("", ""), None);
        assert_eq!(image.module_of_package("p/q").unwrap(), Some("m.one"));
        assert_eq!(image.module_of_package("p").unwrap(), None);
        let modules: Vec<&str> = image.modules().unwrap().collect();
        assert_eq!(modules, ["m.one", "m.two"]);
        assert_eq!(image.packages("m.one").unwrap(), ["p/q"]);
        assert_eq!(image.packages("m.two").unwrap(), ["p/r"]);
        let mut names: Vec<String> = image.resources_of("m.one").map(Result::unwrap).collect();
        names.sort();
        assert_eq!(names, ["module-info.class", "p/q/C.class", "p/q/D.class"]);
    }
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// The shortest form of a string index that fits in two bytes.
fn index(value: u32) -> [u8; 2] {
    [0x80 | 2 << 5 | (value >> 8) as u8, value as u8]
}

#[test]
fn compressed_resources() {
    for big_endian in [false, true] {
        let mut image = sample(big_endian);
        let text = b"many many many many words".repeat(20);
        image.compressed("m.one", "text", "zip", &zlib(&text), text.len());

        let (name, pattern) = (image.string("toString"), image.string("(L;I)L;"));
        let (package, string, simple) = (
            image.string("java/lang"),
            image.string("String"),
            image.string("X"),
        );
        let head = b"\xCA\xFE\xBA\xBE\0\0\0\x3d";
        let mut body = head.to_vec();
        body.extend(b"\0\x07\x01\0\x02ab\x17");
        body.extend(index(name));
        body.push(25);
        body.extend(index(pattern));
        let names = [package, string, 0, simple].map(index).concat();
        body.extend(index(names.len() as u32));
        body.extend(&names);
        body.extend(b"\x05ABCDEFGH\x07\0\x01rest");
        let descriptor = b"(Ljava/lang/String;I)LX;";
        let mut class = head.to_vec();
        class.extend(b"\0\x07\x01\0\x02ab\x01\0\x08toString\x01\0");
        class.push(descriptor.len() as u8);
        class.extend(descriptor);
        class.extend(b"\x05ABCDEFGH\x07\0\x01rest");
        image.compressed("m.one", "X.class", "compact-cp", &body, class.len());

        // One layer in the other.
        let inner = image.layer("compact-cp", &body, class.len());
        let outer = image.layer("zip", &zlib(&inner), inner.len());
        image.add_stored("m.one", "Y.class", outer, true, class.len());
        image.compressed("m.one", "odd", "lzma", b"abc", 3);
        image.compressed("m.one", "short", "zip", &zlib(&text), text.len() - 1);

        let image = open(image.finish()).unwrap();
        assert_eq!(*image.find("m.one", "text").unwrap().unwrap(), *text);
        assert_eq!(*image.find("m.one", "X.class").unwrap().unwrap(), *class);
        assert_eq!(*image.find("m.one", "Y.class").unwrap().unwrap(), *class);
        let error = image.find("m.one", "odd").unwrap_err().to_string();
        assert!(error.contains("\"lzma\" is not known"), "{error}");
        let error = image.find("m.one", "short").unwrap_err().to_string();
        assert!(error.contains("size differs"), "{error}");
    }
}

fn message(bytes: &[u8]) -> String {
    open(bytes.to_vec()).unwrap_err().to_string()
}

#[test]
fn broken_headers_say_what_is_wrong() {
    let good = sample(false).finish();
    assert!(message(b"").contains("made/modules is not a valid jimage file: the file has 0 bytes"));
    assert!(message(b"random bytes, and enough of them for a header").contains("magic is"));
    assert!(message(&good[..200]).contains("truncated: the index needs"));
    let mut version = good.clone();
    version[6] = 9;
    assert!(message(&version).contains("version 9.0 is not supported"));
    let mut empty = good;
    empty[16..20].fill(0);
    assert!(message(&empty).contains("the table of resources is empty"));
}

/// Asks an image everything; what it answers doesn't matter, that it answers does.
fn exercise(bytes: Vec<u8>) -> Result<()> {
    let image = open(bytes)?;
    let mut first: Result<()> = Ok(());
    let mut note = |r: Result<()>| {
        if first.is_ok() {
            first = r;
        }
    };
    for (module, name) in [
        ("m.one", "module-info.class"),
        ("m.one", "p/q/C.class"),
        ("m.two", "p/r/no_extension"),
        ("m.one", "text"),
        ("m.one", "X.class"),
        ("m.none", "p/q/C.class"),
    ] {
        note(image.find(module, name).map(drop));
    }
    note(image.module_of_package("p/q").map(drop));
    note(image.packages("m.one").map(drop));
    for resource in image.resources() {
        note(resource.map(drop));
    }
    first
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let mut image = sample(false);
    let text = b"words ".repeat(10);
    image.compressed("m.one", "text", "zip", &zlib(&text), text.len());
    let pattern = image.string("(L;)V");
    let mut body = b"\xCA\xFE\xBA\xBE\0\0\0\x3d\0\x03\x19".to_vec();
    body.extend(index(pattern));
    body.extend(index(4));
    body.extend([pattern, 0].map(index).concat());
    body.extend(b"\x07\0\x01");
    image.compressed("m.one", "X.class", "compact-cp", &body, 27);
    let good = image.finish();
    exercise(good.clone()).unwrap();
    let mut errors = 0;
    for length in 0..good.len() {
        let result = exercise(good[..length].to_vec());
        errors += usize::from(result.is_err());
    }
    assert_eq!(errors, good.len(), "every truncation is noticed");
    for at in 0..good.len() {
        for value in [
            0x00,
            0x01,
            0x7f,
            0x80,
            0xff,
            good[at] ^ 0x10,
            good[at] ^ 0x08,
        ] {
            let mut bad = good.clone();
            bad[at] = value;
            if let Err(error) = exercise(bad) {
                assert!(matches!(error, Error::Malformed { .. }), "{error}");
            }
        }
    }
}
