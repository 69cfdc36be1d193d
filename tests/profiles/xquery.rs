//! JP2's XML and the queries on it: the calling-context tree of the paper's example, and
//! `examples/xquery/mix.xq` on a Debian-packaged XQuery processor.

#[path = "../../examples/xquery/class2xml.rs"]
mod class2xml;

use crate::common::run::{self, Run};
use crate::common::{jdk, not_checked, tests_dir, work_dir};
use rjvm::profiler::Profile;
use rjvm::profiler::export::{Settings, paths, xml};
use rjvm_classfile::ClassFile;
use rjvm_classfile::opcodes::insns;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const SAXON: &str = "/usr/share/java/Saxon-HE.jar";

const PROGRAMS: [&str; 4] = ["Demo", "JpFoo", "Exceptions", "Switches"];

/// What the independent profiler counted, with every single bytecode's executions.
fn profile(name: &str) -> Profile {
    let path = tests_dir().join(format!("oracle/expected/{name}.sites.txt"));
    let text = std::fs::read(&path).expect("the profile is there");
    let profile = paths::read(&mut &text[..]).expect("it is a profile");
    assert!(profile.has_counts());
    profile
}

fn classes(name: &str) -> PathBuf {
    let source = tests_dir().join(format!("oracle/{name}.java"));
    let folder = format!("xquery-{name}");
    jdk::compile(&folder, &[source], &[], Path::new(""))
}

/// The code of a profile's methods, as far as their classes are in the folder.
struct Codes {
    layouts: Vec<Option<xml::Code>>,
    /// For each method the mnemonics by bytecode index.
    names: Vec<BTreeMap<u16, String>>,
}

fn codes(profile: &Profile, folder: &Path) -> Codes {
    let mut codes = Codes {
        layouts: Vec::new(),
        names: Vec::new(),
    };
    for method in &profile.methods {
        let path = folder.join(format!("{}.class", method.class));
        let class = std::fs::read(path)
            .ok()
            .map(|bytes| ClassFile::parse(&bytes).unwrap());
        let code = class
            .as_ref()
            .and_then(|class| class.method(&method.name, &method.descriptor))
            .and_then(|method| method.attributes.code.as_ref());
        let mut names = BTreeMap::new();
        for insn in code.iter().flat_map(|code| insns(&code.code)) {
            let insn = insn.unwrap();
            names.insert(insn.pc as u16, insn.name().to_uppercase());
        }
        let layout = code.map(|code| rjvm_run::profile::layout(code).unwrap());
        codes.layouts.push(layout);
        codes.names.push(names);
    }
    codes
}

fn tree(profile: &Profile, codes: Option<&Codes>) -> String {
    let mut out = Vec::new();
    let settings = Settings {
        code: codes.map_or(&[], |codes| &codes.layouts),
        ..Settings::default()
    };
    xml::write(profile, &settings, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn figures_2_and_5_of_the_jp2_paper() {
    let profile = profile("Demo");
    let text = tree(&profile, Some(&codes(&profile, &classes("Demo"))));
    let main = "\
<callingContextTree>
  <method declaringClass=\"LDemo;\" name=\"main\" params=\"[Ljava/lang/String;\" return=\"V\">
    <executionCount>1</executionCount>
";
    assert!(text.contains(main), "{text}");
    let square = "
    <callsite instruction=\"4\">
      <method declaringClass=\"LSquare;\" name=\"&lt;init&gt;\" params=\"F\" return=\"V\">
        <executionCount>1</executionCount>
        <executedInstructions>6</executedInstructions>
        <basicBlock startInstruction=\"1\" endInstruction=\"6\">
          <executionCount>1</executionCount>
        </basicBlock>
      </method>
    </callsite>
";
    assert!(text.contains(square), "{text}");
    // The polymorphic call site of sumAreas is at position 16, and its blocks count 1, 4, 1, 3.
    let (_, sum_areas) = text.split_once("name=\"sumAreas\"").unwrap();
    let (inside, after) = sum_areas.split_once("\n        <basicBlock").unwrap();
    assert!(
        inside.contains("\n        <callsite instruction=\"16\">"),
        "{text}"
    );
    assert_eq!(inside.matches("\n          <method").count(), 2, "{text}");
    let (blocks, _) = after.split_once("</method>").unwrap();
    let counts: Vec<&str> = blocks
        .split("<executionCount>")
        .skip(1)
        .map(|text| text.split('<').next().unwrap())
        .collect();
    assert_eq!(counts, ["1", "4", "1", "3"]);
    assert!(
        text.contains("<basicBlock startInstruction=\"1\" endInstruction=\"28\">"),
        "{text}"
    );
}

#[test]
fn a_run_writes_the_same_tree() {
    let profile = profile("Demo");
    let text = tree(&profile, Some(&codes(&profile, &classes("Demo"))));
    let run = Run::new(&run::vm(), "xquery-run");
    let path = run.dir().join("cct.xml");
    let outcome = run
        .args([
            "--profile=blocks",
            "--quiet",
            "--view=app-only",
            "--natives=on",
        ])
        .args(["-o", "cct.xml", "-cp"])
        .arg(classes("Demo"))
        .arg("Demo")
        .finish();
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == text, "{}\n{written}", outcome.err());
}

#[test]
fn blocks_hold_what_was_executed() {
    for name in PROGRAMS {
        let profile = profile(name);
        let codes = codes(&profile, &classes(name));
        let text = tree(&profile, Some(&codes));
        let mut sum = 0;
        let mut size = 0;
        for line in text.lines() {
            let number = |key: &str| -> Option<u64> {
                let (_, after) = line.split_once(key)?;
                after.split(['"', '<']).next()?.parse().ok()
            };
            if let Some(first) = number("startInstruction=\"") {
                size = number("endInstruction=\"").unwrap() + 1 - first;
            } else if let Some(count) = number("<executionCount>") {
                sum += size * count;
            } else {
                size = 0;
            }
        }
        assert_eq!(sum, profile.totals().bytecodes, "{name}");
    }
}

#[test]
fn the_opcode_mix_is_queried() {
    let saxon = Path::new(SAXON);
    if !saxon.exists() {
        not_checked("Saxon is not installed (Debian: libsaxonhe-java)");
        return;
    }
    for name in PROGRAMS {
        let profile = profile(name);
        let folder = classes(name);
        let codes = codes(&profile, &folder);
        let mut mix: BTreeMap<&str, u64> = BTreeMap::new();
        for thread in &profile.threads {
            for (i, node) in (0u32..).zip(thread.tree.nodes()) {
                for (index, count) in thread.tree.counts(i) {
                    *mix.entry(&codes.names[node.method as usize][&index])
                        .or_default() += count;
                }
            }
        }
        let mut mix: Vec<(&str, u64)> = mix.into_iter().collect();
        mix.sort_by_key(|&(name, count)| (u64::MAX - count, name));
        let mut expected = format!(
            "executed instructions {}\nin methods without class file 0\n",
            profile.totals().bytecodes
        );
        for (name, count) in mix {
            expected += &format!("{name} {count}\n");
        }

        let file = |what: &str| work_dir().join(format!("xquery-{name}.{what}.xml"));
        let mut out = Vec::new();
        class2xml::write(&[folder], &mut out).unwrap();
        std::fs::write(file("classes"), out).unwrap();
        for (what, codes) in [("index", None), ("position", Some(&codes))] {
            std::fs::write(file(what), tree(&profile, codes)).unwrap();
            let query = crate::common::root().join("examples/xquery/mix.xq");
            let output = Command::new(jdk::tool("java"))
                .arg("-cp")
                .arg(saxon)
                .arg("net.sf.saxon.Query")
                .arg(format!("-q:{}", query.display()))
                .arg(format!("+cct={}", file(what).display()))
                .arg(format!("+classes={}", file("classes").display()))
                .output()
                .expect("java starts");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {errors}");
            let found = String::from_utf8_lossy(&output.stdout);
            assert_eq!(found.trim_end(), expected.trim_end(), "{name} by {what}");
        }
    }
}
