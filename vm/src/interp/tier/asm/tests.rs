//! Encodings as `llvm-mc` gives them.

use super::*;

fn bytes(f: impl FnOnce(&mut Asm)) -> Vec<u8> {
    let mut a = Asm::default();
    f(&mut a);
    a.finish().expect("short code");
    a.bytes
}

#[test]
fn instructions_are_encoded() {
    let rows: &[(&[u8], fn(&mut Asm))] = &[
        (&[0x4c, 0x8b, 0x06], |a| a.load(true, R8, at(RSI, 0))),
        (&[0x41, 0x8b, 0xc0], |a| a.load(false, RAX, R8)),
        (&[0x41, 0xc6, 0x84, 0x39, 0, 0, 0, 0xfc, 1], |a| {
            a.store_constant(1, indexed(R9, RDI, 0, -67_108_864), 1)
        }),
        (&[0x41, 0x88, 0x3a], |a| a.store(1, at(R10, 0), RDI)),
        (&[0x40, 0x88, 0x38], |a| a.store(1, at(RAX, 0), RDI)),
        (&[0x66, 0x45, 0x89, 0x5c, 0xc1, 0x0c], |a| {
            a.store(2, indexed(R9, RAX, 3, 12), R11)
        }),
        (
            &[0x48, 0xc7, 0x86, 0, 4, 0, 0, 0xff, 0xff, 0xff, 0xff],
            |a| a.store_constant(8, at(RSI, 1024), -1),
        ),
        (&[0x41, 0xba, 1, 0, 0, 0x80], |a| {
            a.constant(R10, 0x8000_0001)
        }),
        (
            &[0x48, 0xb8, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01],
            |a| a.constant(RAX, 0x0123_4567_89ab_cdef),
        ),
        (&[0x45, 0x33, 0xc0], |a| a.constant(R8, 0)),
        (&[0x49, 0xc7, 0xc0, 0xfe, 0xff, 0xff, 0xff], |a| {
            a.constant(R8, -2i64 as u64)
        }),
        (&[0x47, 0x0f, 0xb6, 0x44, 0x1a, 0x10], |a| {
            a.load_small(false, 1, R8, indexed(R10, R11, 0, 16))
        }),
        (&[0x0f, 0xbf, 0x42, 0xf8], |a| {
            a.load_small(true, 2, RAX, at(RDX, -8))
        }),
        (&[0x4c, 0x63, 0x50, 0x28], |a| {
            a.sign_extend(R10, at(RAX, 40))
        }),
        (&[0x4d, 0x8d, 0x14, 0xc1], |a| {
            a.lea(R10, indexed(R9, RAX, 3, 0))
        }),
        (&[0x4c, 0x03, 0x46, 0x08], |a| {
            a.alu(true, Alu::Add, R8, at(RSI, 8))
        }),
        (&[0x44, 0x39, 0x40, 0x08], |a| {
            a.alu_to(false, Alu::Cmp, at(RAX, 8), R8)
        }),
        (&[0x48, 0x83, 0xea, 0x28], |a| {
            a.alu_constant(true, Alu::Sub, RDX, 40)
        }),
        (&[0x41, 0x81, 0xfb, 0, 0x10, 0, 0], |a| {
            a.alu_constant(false, Alu::Cmp, R11, 4096)
        }),
        (&[0x44, 0x69, 0x06, 0xa0, 0x86, 1, 0], |a| {
            a.multiply_constant(false, R8, at(RSI, 0), 100_000)
        }),
        (&[0x49, 0x0f, 0xaf, 0xc0], |a| a.multiply(true, RAX, R8)),
        (&[0x49, 0xf7, 0xd8], |a| a.negate(true, R8)),
        (&[0x49, 0xf7, 0xfb], |a| a.divide(true, R11)),
        (&[0x48, 0x99], |a| a.extend_rax(true)),
        (&[0x41, 0xc1, 0xf8, 3], |a| {
            a.shift_constant(false, Shift::Arithmetic, R8, 3)
        }),
        (&[0x48, 0xd3, 0xe0], |a| a.shift(true, Shift::Left, RAX)),
        (&[0x48, 0x0f, 0xba, 0xf8, 0x3f], |a| a.flip_bit_63(RAX)),
        (&[0x48, 0xff, 0x40, 0x08], |a| a.increment(true, at(RAX, 8))),
        (&[0x0f, 0x94, 0xc0], |a| a.set(Cc::E, RAX)),
        (&[0x41, 0x0f, 0x9f, 0xc2], |a| a.set(Cc::G, R10)),
        (&[0xff, 0x27], |a| a.jump_to(at(RDI, 0))),
        (&[0xff, 0xe0], |a| a.jump_to(RAX)),
        (&[0x49, 0x8b, 0x45, 0], |a| {
            a.load(true, RAX, at(Gpr(13), 0))
        }),
        (&[0x49, 0x8b, 0x44, 0x24, 8], |a| {
            a.load(true, RAX, at(Gpr(12), 8))
        }),
    ];
    for (i, (expected, make)) in rows.iter().enumerate() {
        assert_eq!(bytes(make), *expected, "row {i}");
    }
}

#[test]
fn those_of_floating_point_are_encoded() {
    let rows: &[(&[u8], fn(&mut Asm))] = &[
        (&[0xf3, 0x0f, 0x10, 0x4e, 0x10], |a| {
            a.load_float(false, XMM1, at(RSI, 16))
        }),
        (&[0xf2, 0x43, 0x0f, 0x11, 0x44, 0xda, 0x10], |a| {
            a.store_float(true, indexed(R10, R11, 3, 16), XMM0)
        }),
        (&[0x0f, 0x28, 0xd0], |a| a.move_float(X(2), XMM0)),
        (&[0xf2, 0x0f, 0x58, 0xc1], |a| {
            a.sse(true, Sse::Add, XMM0, XMM1)
        }),
        (&[0xf3, 0x0f, 0x5e, 0x0e], |a| {
            a.sse(false, Sse::Div, XMM1, at(RSI, 0))
        }),
        (&[0x66, 0x0f, 0x2e, 0xc8], |a| {
            a.compare_floats(true, XMM1, XMM0)
        }),
        (&[0x0f, 0x2e, 0x46, 0x08], |a| {
            a.compare_floats(false, XMM0, at(RSI, 8))
        }),
        (&[0x66, 0x48, 0x0f, 0x6e, 0xc0], |a| {
            a.bits_to_float(XMM0, RAX)
        }),
        (&[0x66, 0x49, 0x0f, 0x7e, 0xca], |a| {
            a.float_to_bits(R10, XMM1)
        }),
        (&[0xf2, 0x49, 0x0f, 0x2a, 0xc0], |a| {
            a.convert_int(true, true, XMM0, R8)
        }),
        (&[0xf3, 0x4c, 0x0f, 0x2c, 0xc1], |a| {
            a.truncate(true, false, R8, XMM1)
        }),
        (&[0xf2, 0x0f, 0x5a, 0x0e], |a| {
            a.convert_float(true, XMM1, at(RSI, 0))
        }),
    ];
    for (i, (expected, make)) in rows.iter().enumerate() {
        assert_eq!(bytes(make), *expected, "row {i}");
    }
}

#[test]
fn labels_lead_forth_and_back() {
    let code = bytes(|a| {
        let (back, forth, table) = (a.label(), a.label(), a.label());
        a.bind(back);
        a.jump_if(Cc::L, forth);
        a.jump(back);
        a.address(R10, table);
        a.bind(forth);
        a.bind(table);
        a.entry(table, back);
    });
    let expected = [
        [0x0f, 0x8c, 12, 0, 0, 0].as_slice(),
        &[0xe9, 0xf5, 0xff, 0xff, 0xff],
        &[0x4c, 0x8d, 0x15, 0, 0, 0, 0],
        &[0xee, 0xff, 0xff, 0xff],
    ];
    assert_eq!(code, expected.concat());
}
