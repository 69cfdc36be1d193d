//! Frames from the table against inferred ones.

use super::*;
use crate::classpath::{Jdk, Search, SystemModules};
use rjvm_classfile::opcodes as op;

/// The modules of the installed JDK.
fn system() -> SystemModules {
    let jdk: Jdk = Search::usual(None, |name| std::env::var_os(name))
        .find()
        .expect("a JDK is installed");
    SystemModules::open(&jdk).expect("its modules are readable")
}

/// Compares table and inference for each method of a module; returns how many frames agreed.
fn compare_module(module: &str) -> usize {
    let system = system();
    let mut frames = 0;
    for name in system.resources(module).unwrap() {
        if !name.ends_with(".class") || name == "module-info.class" {
            continue;
        }
        let bytes = system.find(module, &name).unwrap().unwrap();
        let cf = ClassFile::parse(&bytes).unwrap();
        for (i, m) in cf.methods.iter().enumerate() {
            let place = || {
                let pool = &cf.constant_pool;
                format!(
                    "{name} {}{}",
                    pool.str(m.name).unwrap(),
                    pool.str(m.descriptor).unwrap()
                )
            };
            let table = label_frames(&cf, i).unwrap_or_else(|e| panic!("{}: {e}", place()));
            let inferred =
                infer_label_frames(&cf, i).unwrap_or_else(|e| panic!("{}: {e}", place()));
            assert!(table.is_sorted_by_key(|f| f.0));
            for (bci, ours) in &inferred {
                let at = table.binary_search_by_key(bci, |f| f.0);
                let at = at.unwrap_or_else(|_| panic!("{}: no frame at {bci}", place()));
                let theirs = &table[at].1;
                assert_eq!(ours.stack, theirs.stack, "{} @{bci}", place());
                for (l, k) in theirs.locals.iter().enumerate() {
                    if k != SlotKind::Top {
                        assert_eq!(ours.locals.get(l), Some(k), "{} @{bci} local {l}", place());
                    }
                }
                frames += 1;
            }
        }
    }
    frames
}

#[test]
fn inference_agrees_with_the_tables_of_java_base() {
    assert!(compare_module("java.base") > 50_000);
}

#[test]
fn inference_agrees_with_the_tables_of_the_compiler() {
    assert!(compare_module("jdk.compiler") > 10_000);
}

/// A static method `()V` with this code, of an old class.
fn infer_code(
    code: Vec<u8>,
    max_locals: u16,
    exceptions: Vec<rjvm_classfile::ExceptionEntry>,
    initial: &[SlotKind],
) -> Result<Vec<(u16, FrameTypes)>, String> {
    let cf = ClassFile {
        minor: 0,
        major: 48,
        constant_pool: Default::default(),
        access_flags: 0,
        this_class: 0,
        super_class: 0,
        interfaces: Box::default(),
        fields: Box::default(),
        methods: Box::default(),
        attributes: Default::default(),
    };
    let code = CodeAttribute {
        max_stack: 4,
        max_locals,
        code,
        exceptions,
        ..Default::default()
    };
    flow::infer(
        &cf,
        &code,
        initial.iter().copied().collect(),
        &WorkBudget::unhurried(),
    )
}

#[test]
fn locals_a_subroutine_does_not_touch_keep_their_kinds() {
    use SlotKind::*;
    // Two calls of one subroutine, with an int and a reference in local 0, a long in 3.
    let code = vec![
        op::ICONST_0,
        op::ISTORE_0, // 0
        op::JSR,
        0,
        13, // 2 -> 15
        op::ILOAD_0,
        op::POP, // 5
        op::ACONST_NULL,
        op::ASTORE_0, // 7
        op::JSR,
        0,
        6, // 9 -> 15
        op::ALOAD_0,
        op::ARETURN, // 12
        op::NOP,     // 14
        op::ASTORE_1,
        op::ICONST_1,
        op::ISTORE_2,
        op::RET,
        1, // 15
    ];
    let frames = infer_code(code, 5, vec![], &[Top, Top, Top, Long, Top]).unwrap();
    let by_bci: Vec<_> = frames
        .iter()
        .map(|(b, f)| (*b, f.locals.iter().collect(), f.stack.iter().collect()))
        .collect();
    assert_eq!(
        by_bci,
        [
            (5, vec![Int, Top, Int, Long, Top], vec![]),
            (12, vec![Ref, Top, Int, Long, Top], vec![]),
            (15, vec![Top, Top, Top, Long, Top], vec![RetAddr(15)]),
        ]
    );
}

#[test]
fn a_handler_sees_what_holds_throughout_its_range() {
    use SlotKind::*;
    let code = vec![
        op::ICONST_0,
        op::ISTORE_0, // 0
        op::ACONST_NULL,
        op::ASTORE_0, // 2
        op::FCONST_0,
        op::FSTORE_1, // 4
        op::RETURN,   // 6
        op::ASTORE_2,
        op::RETURN, // 7
    ];
    let handler = |start_pc, end_pc| {
        let e = rjvm_classfile::ExceptionEntry {
            start_pc,
            end_pc,
            handler_pc: 7,
            catch_type: 0,
        };
        infer_code(code.clone(), 3, vec![e], &[]).unwrap()
    };
    let frame = |locals: Vec<SlotKind>| {
        vec![(
            7,
            FrameTypes {
                locals: locals.into_iter().collect(),
                stack: [Ref].into_iter().collect(),
            },
        )]
    };
    assert_eq!(handler(0, 4), frame(vec![Top, Top, Top]));
    assert_eq!(handler(2, 4), frame(vec![Int, Top, Top]));
    assert_eq!(handler(4, 6), frame(vec![Ref, Top, Top]));
    assert_eq!(handler(6, 7), frame(vec![Ref, Float, Top]));
}

#[test]
fn bad_code_is_an_error() {
    for code in [
        vec![op::GOTO, 0, 9],
        vec![op::GOTO, 0, 1],
        vec![op::IFEQ, 0, 3, op::RETURN],
        vec![op::ICONST_0, op::IFEQ, 0, 3],
        vec![op::ICONST_0, op::GOTO, 0xFF, 0xFF],
        vec![op::ICONST_0, op::IFEQ, 0, 3, op::ISTORE, 9, op::RETURN],
        vec![op::JSR, 0, 0, op::RETURN],
    ] {
        assert!(
            infer_code(code.clone(), 2, vec![], &[]).is_err(),
            "{code:?}"
        );
    }
}
