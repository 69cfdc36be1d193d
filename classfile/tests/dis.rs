//! The disassembler's text: all of a small class, and the lines it has in common with `javap`.

mod common;

use common::build::{self, Class, u2s};
use rjvm_classfile::{ClassFile, dis};
use std::process::Command;

fn text(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    dis::disassemble(&ClassFile::parse(bytes).unwrap(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_small_class() {
    let mut c = Class::new();
    let value = c.constant(3, &42i32.to_be_bytes());
    let value = c.attribute("ConstantValue", &u2s(&[value]));
    c.field(0x19, "ANSWER", "I", &[value]);
    let init = c
        .member(10, "java/lang/Object", "<init>", "()V")
        .to_be_bytes();
    let lines = c.attribute("LineNumberTable", &u2s(&[1, 0, 3]));
    let map = c.attribute("StackMapTable", &[0, 1, 4]);
    let code = [0x2a, 0xb7, init[0], init[1], 0xb1];
    let code = c.code(1, 1, &code, &[[0, 4, 4, 0]], &[lines, map]);
    c.method(1, "<init>", "()V", &[code]);
    let source = u2s(&[c.utf8("T.java")]);
    c.add("SourceFile", &source);
    c.add("org.example.Unknown", &[1, 0xAB]);
    let expected = r#"Compiled from "T.java"
public class T
  minor version: 0
  major version: 61
  flags: (0x0021) ACC_PUBLIC, ACC_SUPER
  this_class: #2                          // T
  super_class: #4                         // java/lang/Object
  interfaces: 0, fields: 1, methods: 1
Constant pool:
   #1 = Utf8               T
   #2 = Class              #1             // T
   #3 = Utf8               java/lang/Object
   #4 = Class              #3             // java/lang/Object
   #5 = Integer            42
   #6 = Utf8               ConstantValue
   #7 = Utf8               ANSWER
   #8 = Utf8               I
   #9 = Utf8               <init>
  #10 = Utf8               ()V
  #11 = NameAndType        #9:#10         // "<init>":()V
  #12 = Methodref          #4.#11         // java/lang/Object."<init>":()V
  #13 = Utf8               LineNumberTable
  #14 = Utf8               StackMapTable
  #15 = Utf8               Code
  #16 = Utf8               T.java
  #17 = Utf8               SourceFile
  #18 = Utf8               org.example.Unknown
{
  public static final int ANSWER;
    descriptor: I
    flags: (0x0019) ACC_PUBLIC, ACC_STATIC, ACC_FINAL
    ConstantValue: int 42

  public T();
    descriptor: ()V
    flags: (0x0001) ACC_PUBLIC
    Code:
      stack=1, locals=1, args_size=1
         0: aload_0
         1: invokespecial #12                 // Method java/lang/Object."<init>":()V
         4: return
      Exception table:
         from    to  target type
             0     4     4   any
      LineNumberTable:
        line 3: 0
      StackMapTable: number_of_entries = 1
        frame_type = 4 /* same */
}
SourceFile: "T.java"
org.example.Unknown: length = 0x2
 01 AB
"#;
    assert_eq!(text(&c.bytes()), expected);
}

#[test]
fn every_attribute_is_shown() {
    let everything = text(&build::everything().bytes());
    let module = text(&build::module().bytes());
    for name in [
        "ConstantValue",
        "Code",
        "StackMapTable",
        "Exceptions",
        "InnerClasses",
        "EnclosingMethod",
        "Synthetic",
        "Signature",
        "SourceFile",
        "SourceDebugExtension",
        "LineNumberTable",
        "LocalVariableTable",
        "LocalVariableTypeTable",
        "Deprecated",
        "RuntimeVisibleAnnotations",
        "RuntimeInvisibleAnnotations",
        "RuntimeVisibleParameterAnnotations",
        "RuntimeInvisibleParameterAnnotations",
        "RuntimeVisibleTypeAnnotations",
        "RuntimeInvisibleTypeAnnotations",
        "AnnotationDefault",
        "BootstrapMethods",
        "MethodParameters",
        "NestMembers",
        "PermittedSubclasses",
        "Record",
        "org.example.Unknown",
    ] {
        let heading = format!("{name}:");
        let shown = everything
            .lines()
            .any(|line| line.trim_start().starts_with(&heading));
        assert!(shown, "{name} is missing in\n{everything}");
    }
    for name in ["Module", "ModulePackages", "ModuleMainClass"] {
        assert!(
            module
                .lines()
                .any(|line| line.starts_with(&format!("{name}:"))),
            "{name}"
        );
    }
    assert!(everything.contains(r#"@A(i=7, s="text", c=int[].class, e=E.X, n=@B, a={true})"#));
    assert!(everything.contains("@A: FIELD, location=[ARRAY, TYPE_ARGUMENT(1)]"));
    assert!(
        module.starts_with("module m@17.0.1\n") || module.starts_with("open module m@17.0.1\n")
    );
}

/// Constant pools, instructions, tables and stack maps are laid out as `javap` lays them out.
#[test]
fn javap_agrees() {
    let Some(javap) = common::java_home_17().map(|home| home.join("bin").join("javap")) else {
        return;
    };
    let dir = std::env::temp_dir().join(format!("rjvm-dis-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let mut command = Command::new(javap);
    command.args(["-v", "-p"]);
    let mut ours = String::new();
    let mut n = 0;
    common::each_jdk_class("java.sql", |name, bytes| {
        n += 1;
        if n % 4 == 0 && !name.ends_with("module-info.class") {
            let file = dir.join(format!("{n}.class"));
            std::fs::write(&file, bytes).unwrap();
            command.arg(file);
            ours += &text(bytes);
        }
    });
    let output = command.output();
    std::fs::remove_dir_all(&dir).unwrap();
    let Ok(output) = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    else {
        return;
    };
    if n == 0 {
        return;
    }
    let (ours, theirs) = (common_lines(&ours), common_lines(&output));
    assert!(ours.len() > 1000, "{} lines", ours.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
}

/// The lines that both disassemblers write alike, attributes being in another order.
fn common_lines(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let in_common = text.lines().filter(|line| {
        let word = line.trim_start();
        let indent = line.len() - word.len();
        in_code = match word {
            "Code:" => true,
            _ => in_code && indent >= 6,
        };
        let starts = [
            "descriptor:",
            "flags:",
            "this_class:",
            "super_class:",
            "ConstantValue:",
        ];
        let constant = word.starts_with('#') && word.contains(" = ");
        in_code || constant || starts.iter().any(|start| word.starts_with(start))
    });
    in_common.map(str::trim_end).collect()
}
