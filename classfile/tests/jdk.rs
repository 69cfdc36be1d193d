//! Every class of some JDK modules parses, passes the format checks, and decodes to the last
//! byte of code, stack maps and annotations.

mod common;

use rjvm_classfile::attributes::{AnnotationBytes, annotations, type_annotations};
use rjvm_classfile::stackmap::{Frames, initial_frame};
use rjvm_classfile::{ClassFile, descriptor, mutf8, opcodes};

#[test]
fn all_classes_of_jdk_modules_are_read() {
    let mut n = 0;
    for module in ["java.base", "java.logging", "java.sql"] {
        let count = common::each_jdk_class(module, |name, bytes| {
            let class = ClassFile::parse(bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
            if name.ends_with("module-info.class") {
                let module = class
                    .attributes
                    .module
                    .as_ref()
                    .expect("a Module attribute");
                assert!(class.constant_pool.module_name(module.name).is_ok());
                return;
            }
            class.check().unwrap_or_else(|e| panic!("{name}: {e}"));
            // Text is slow to make: of some will do.
            n += 1;
            if n % 8 == 0 {
                let mut text = Vec::new();
                rjvm_classfile::dis::disassemble(&class, &mut text).unwrap();
                let text = String::from_utf8(text).unwrap();
                assert!(
                    !text.contains("(invalid #"),
                    "{name}: not all constants are found"
                );
            }
            decode_all(&class).unwrap_or_else(|e| panic!("{name}: {e}"));
        });
        if module == "java.base" && count > 0 {
            assert!(count > 6000, "java.base has only {count} classes?");
        }
    }
}

fn decode_all(class: &ClassFile) -> rjvm_classfile::Result<()> {
    let pool = &class.constant_pool;
    decode_annotations(&class.attributes.annotations)?;
    for field in &class.fields {
        descriptor::FieldType::parse(pool.str(field.descriptor)?)?;
        decode_annotations(&field.attributes.annotations)?;
    }
    for method in &class.methods {
        let attributes = &method.attributes;
        decode_annotations(&attributes.annotations)?;
        for bytes in [
            &attributes.visible_parameter_annotations,
            &attributes.invisible_parameter_annotations,
        ] {
            bytes
                .as_deref()
                .map(annotations::decode_parameters)
                .transpose()?;
        }
        attributes
            .annotation_default
            .as_deref()
            .map(annotations::decode_element)
            .transpose()?;
        let Some(code) = &attributes.code else {
            continue;
        };
        let mut starts = vec![false; code.code.len() + 1];
        for insn in opcodes::insns(&code.code) {
            let insn = insn?;
            starts[insn.pc] = true;
            starts[code.code.len()] = insn.next_pc() == code.code.len();
        }
        assert!(
            starts[code.code.len()],
            "the last instruction ends with the code"
        );
        for insn in opcodes::insns(&code.code) {
            if let opcodes::Operand::Branch(target) = insn?.operand {
                assert!(
                    starts[target as usize],
                    "a branch to the middle of an instruction"
                );
            }
        }
        assert!(
            code.line_numbers
                .iter()
                .all(|(pc, _)| starts[usize::from(*pc)])
        );
        if let Some(table) = &code.stack_map {
            let mut frames = Frames::new(table, pool, initial_frame(class, method)?);
            while let Some(frame) = frames.advance()? {
                assert!(
                    starts[frame.pc as usize],
                    "a frame at the start of an instruction"
                );
                assert!(frame.locals.len() <= code.max_locals.into());
                assert!(frame.stack.len() <= code.max_stack.into());
            }
        }
    }
    for index in 1..pool.len() as u16 {
        if let Ok(bytes) = pool.utf8(index)
            && let Ok(text) = pool.str(index)
        {
            assert_eq!(mutf8::from_str(text), bytes);
        }
    }
    Ok(())
}

fn decode_annotations(bytes: &AnnotationBytes) -> rjvm_classfile::Result<()> {
    bytes
        .visible
        .as_deref()
        .map(annotations::decode)
        .transpose()?;
    bytes
        .invisible
        .as_deref()
        .map(annotations::decode)
        .transpose()?;
    bytes
        .visible_type
        .as_deref()
        .map(type_annotations::decode)
        .transpose()?;
    bytes
        .invisible_type
        .as_deref()
        .map(type_annotations::decode)
        .transpose()?;
    Ok(())
}
