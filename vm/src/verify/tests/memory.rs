//! Methods whose states would take memory with the square of their length, if each were kept by itself.

use super::*;
use crate::verify::infer::{WorkBudget, frames_of};
use rjvm_classfile::opcodes as op;

/// A class `M` with a static method `()V` of this code.
fn class(major: u16, max_stack: u16, max_locals: u16, code: &[u8], table: &[u8]) -> Vec<u8> {
    let mut b = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
    let two = |b: &mut Vec<u8>, n: usize| b.extend((n as u16).to_be_bytes());
    let four = |b: &mut Vec<u8>, n: usize| b.extend((n as u32).to_be_bytes());
    two(&mut b, major.into());
    let texts = ["M", "java/lang/Object", "r", "()V", "Code", "StackMapTable"];
    two(&mut b, texts.len() + 3);
    for text in texts {
        b.push(1);
        two(&mut b, text.len());
        b.extend(text.as_bytes());
    }
    b.extend([7, 0, 1, 7, 0, 2]);
    for n in [0x21, 7, 8, 0, 0, 1, 9, 3, 4, 1, 5] {
        two(&mut b, n);
    }
    let tables = if table.is_empty() { 0 } else { 6 + table.len() };
    four(&mut b, 12 + code.len() + tables);
    two(&mut b, max_stack.into());
    two(&mut b, max_locals.into());
    four(&mut b, code.len());
    b.extend(code);
    two(&mut b, 0);
    two(&mut b, usize::from(tables > 0));
    if tables > 0 {
        two(&mut b, 6);
        four(&mut b, table.len());
        b.extend(table);
    }
    two(&mut b, 0);
    b
}

/// Verifies it with so many bytes, and finds the frames that the translator asks for.
fn within(memory: usize, bytes: Vec<u8>) -> Result<(), VerifyFailure> {
    let mut library = TestLibrary::new();
    library.memory = memory;
    library.extra.insert("M".into(), bytes);
    library.verify("M")?;
    let cf = library.list[library.this].cf.clone();
    let pace = WorkBudget::new(memory, &|| false, 0);
    let code = cf.methods[0].attributes.code.as_ref().unwrap();
    let frames = frames_of(&cf, 0, code, &pace).unwrap_or_else(|e| panic!("frames: {e}"));
    assert!(!frames.is_empty());
    // the same when it is stopped again and again, and goes on with what it has reached
    let (mut reached, mut patience) = (None, 1);
    loop {
        let pace = WorkBudget::new(memory, &|| true, patience).going_on(reached);
        match frames_of(&cf, 0, code, &pace) {
            Ok(again) => {
                assert!(again == frames);
                return Ok(());
            }
            Err(e) => assert!(pace.stopped().is_some(), "{e}"),
        }
        reached = pace.take_kept();
        let flows = reached.as_ref().is_some_and(|r| !r.is_all());
        patience = if flows { 10 } else { patience * 2 };
    }
}

/// `n` times `jsr`, each from within the one before.
fn nested(n: usize) -> Vec<u8> {
    let mut code = Vec::new();
    for _ in 0..n {
        code.extend([op::JSR, 0, 4, op::NOP]);
    }
    code.push(op::RETURN);
    code
}

/// All locals set, then one of them again and again, with a label behind each.
fn wide(old: bool) -> (Vec<u8>, Vec<u8>) {
    let mut code = vec![];
    for local in (0u16..65_500).step_by(16) {
        code.extend([op::ICONST_0, op::WIDE, op::ISTORE]);
        code.extend(local.to_be_bytes());
    }
    for _ in 0..1_000 {
        code.extend([op::ICONST_0, op::ISTORE_0, op::GOTO, 0, 3]);
    }
    code.push(op::RETURN);
    let mut table = vec![];
    if !old {
        let full = (0..65_500).map(|l| u8::from(l % 16 == 0));
        table.extend(1_000u16.to_be_bytes());
        let first = 5 * 4094 + 5;
        table.push(255);
        table.extend((first as u16).to_be_bytes());
        table.extend(65_500u16.to_be_bytes());
        table.extend(full);
        table.extend([0, 0]);
        for i in 0..999 {
            // one local more, and one less
            match i % 2 {
                0 => table.extend([252, 0, 4, 0]),
                _ => table.extend([250, 0, 4]),
            }
        }
    }
    (code, table)
}

#[test]
fn nested_subroutines_take_memory_by_their_number() {
    within(2 << 20, class(49, 60_000, 5, &nested(2_000), &[])).unwrap();
    let failure = within(100_000, class(49, 60_000, 5, &nested(2_000), &[])).unwrap_err();
    assert_eq!(failure.class, "java/lang/OutOfMemoryError");
    assert_eq!(
        failure.message,
        "Verification of M.r takes more than 100000 bytes"
    );
}

#[test]
fn deep_operand_stacks_take_memory_by_their_depth() {
    let mut code = vec![op::ICONST_0; 12_000];
    for _ in 0..500 {
        code.extend([op::ICONST_0, op::GOTO, 0, 3]);
    }
    code.push(op::RETURN);
    within(16 << 20, class(49, 65_535, 5, &code, &[])).unwrap();
}

#[test]
fn many_locals_take_memory_by_what_is_set() {
    let (code, _) = wide(true);
    within(32 << 20, class(49, 1, 65_535, &code, &[])).unwrap();
    let (code, table) = wide(false);
    within(16 << 20, class(52, 1, 65_535, &code, &table)).unwrap();
    // what is alike in all frames is kept once
    let failure = within(1_000, class(52, 1, 65_535, &code, &table)).unwrap_err();
    assert_eq!(failure.class, "java/lang/OutOfMemoryError");
}
