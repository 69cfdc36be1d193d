//! How much memory the metadata of classes takes, by the VM's own accounts.

use super::vm;
use crate::Vm;
use crate::classes::class_files::DefineOptions;
use crate::ids::LoaderId;

/// Bytes that a class takes that is made of a class file in memory, if it can be made.
fn bytes_of(vm: &mut Vm, name: &str, file: &[u8]) -> Option<usize> {
    let before = vm.heap.metaspace.used();
    // of the same name as one that is there
    let o = DefineOptions {
        hidden: true,
        ..DefineOptions::default()
    };
    vm.define_class(LoaderId::BOOT, Some(name), file, o).ok()?;
    Some(vm.heap.metaspace.used() - before)
}

#[test]
fn classes_keep_within_their_bound() {
    let mut vm = vm();
    let mut files = Vec::new();
    {
        let system = vm.loaded.boot_path.as_ref().unwrap().system();
        for resource in system.resources("java.base").unwrap() {
            if let Some(name) = resource.strip_suffix(".class")
                && name.starts_with("java/util/")
            {
                let file = system.find("java.base", &resource).unwrap().unwrap();
                files.push((name.to_string(), file.into_owned()));
            }
        }
    }
    for (name, _) in &files {
        assert!(vm.load_class(LoaderId::BOOT, name).is_ok(), "{name}");
    }
    // a sealed superclass does not know a hidden copy
    let sizes: Vec<usize> = files
        .iter()
        .filter_map(|(n, file)| bytes_of(&mut vm, n, file))
        .collect();
    assert!(sizes.len() > 800, "{}", sizes.len());
    let each = sizes.iter().sum::<usize>() / sizes.len();
    println!("{each} bytes a class");
    assert!(each < 7_000, "{each}");
}

#[test]
fn a_class_of_the_most_constants_is_no_larger_than_in_hotspot() {
    let mut vm = vm();
    let mut file = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0xFF, 0xFF];
    for name in ["Many", "java/lang/Object"] {
        file.extend([1, 0, name.len() as u8]);
        file.extend(name.bytes());
    }
    file.extend([7, 0, 1, 7, 0, 2]);
    for i in 5..u32::from(u16::MAX) {
        file.push(3);
        file.extend(i.to_be_bytes());
    }
    // public, this class, superclass; no interfaces, fields, methods, attributes
    file.extend([0, 0x21, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    let bytes = bytes_of(&mut vm, "Many", &file).expect("a class");
    // what HotSpot 17 takes for it, in the same words: metaspace and symbols
    assert!(bytes < 700_000, "{bytes}");
}
