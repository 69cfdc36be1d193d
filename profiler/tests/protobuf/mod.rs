//! Protocol buffers as text: what pprof's files hold.

/// How a field is shown: a message of these fields, a list of numbers, a text.
#[derive(Clone, Copy)]
pub enum Shown {
    Message(&'static [(u64, &'static str, Shown)]),
    Number,
    Numbers,
    Text,
}
use Shown::{Message, Number, Numbers, Text};

pub type Fields = &'static [(u64, &'static str, Shown)];
const VALUE_TYPE: Fields = &[(1, "type", Number), (2, "unit", Number)];
pub const PROFILE: Fields = &[
    (1, "sample_type", Message(VALUE_TYPE)),
    (
        2,
        "sample",
        Message(&[
            (1, "location_id", Numbers),
            (2, "value", Numbers),
            (
                3,
                "label",
                Message(&[(1, "key", Number), (2, "str", Number)]),
            ),
        ]),
    ),
    (
        3,
        "mapping",
        Message(&[
            (1, "id", Number),
            (5, "filename", Number),
            (7, "has_functions", Number),
            (8, "has_filenames", Number),
            (9, "has_line_numbers", Number),
        ]),
    ),
    (
        4,
        "location",
        Message(&[
            (1, "id", Number),
            (2, "mapping_id", Number),
            (3, "address", Number),
            (
                4,
                "line",
                Message(&[(1, "function_id", Number), (2, "line", Number)]),
            ),
        ]),
    ),
    (
        5,
        "function",
        Message(&[
            (1, "id", Number),
            (2, "name", Number),
            (3, "system_name", Number),
            (4, "filename", Number),
            (5, "start_line", Number),
        ]),
    ),
    (6, "string_table", Text),
    (13, "comment", Number),
    (14, "default_sample_type", Number),
];

/// Takes a number off the bytes.
pub fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut n, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = bytes.split_first().expect("a number ends");
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return n;
        }
    }
}

/// A protocol buffer as text, with the fields that are known; others make the test fail.
pub fn decode(mut bytes: &[u8], fields: Fields, depth: usize, out: &mut String) {
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let &(_, name, shown) = fields
            .iter()
            .find(|f| f.0 == tag >> 3)
            .unwrap_or_else(|| panic!("unknown field {}", tag >> 3));
        out.push_str(&"  ".repeat(depth));
        out.push_str(name);
        if tag & 7 == 0 {
            assert!(matches!(shown, Number));
            out.push_str(&format!(": {}\n", varint(&mut bytes)));
            continue;
        }
        assert_eq!(tag & 7, 2);
        let length = varint(&mut bytes) as usize;
        let (mut inside, rest) = bytes.split_at(length);
        bytes = rest;
        match shown {
            Message(fields) => {
                out.push_str(" {\n");
                decode(inside, fields, depth + 1, out);
                out.push_str(&format!("{}}}\n", "  ".repeat(depth)));
            }
            Numbers => {
                out.push(':');
                while !inside.is_empty() {
                    out.push_str(&format!(" {}", varint(&mut inside)));
                }
                out.push('\n');
            }
            Text => out.push_str(&format!(": {}\n", std::str::from_utf8(inside).unwrap())),
            Number => panic!("{name} is a number"),
        }
    }
}
