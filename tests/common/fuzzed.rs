//! The work of the fuzz targets in `fuzz/` on an input. The seeds there, among them earlier findings, go through the same
//! functions in the ordinary tests.

use rjvm_classfile::{ClassFile, dis};
use rjvm_profiler::rjp;
use rjvm_vm::classes::load::DefineOptions;
use rjvm_vm::classpath::{Jar, Jimage, Manifest};
use rjvm_vm::ids::LoaderId;
use rjvm_vm::vm::{Options, Vm};
use std::cell::RefCell;
use std::path::Path;

/// A target: its name, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 7] = [
    ("class_file", class_file),
    ("verify_translate", verify_translate),
    ("rjp", native_profile),
    ("jimage", jimage),
    ("jar", jar),
    ("argument_file", argument_file),
    ("probe", probe),
];

/// Class files: parsing, format checks, disassembling.
pub fn class_file(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else {
        return;
    };
    let _ = class.check().map_err(|e| (e.detail(None), e.to_string()));
    let mut text = Vec::new();
    dis::disassemble(&class, &mut text).expect("writing to memory");
    String::from_utf8(text).expect("text is UTF-8");
}

/// Classes that one VM gets before it is replaced.
const CLASSES: u32 = 2000;

thread_local! {
    static VM: RefCell<Option<(Box<Vm>, u32)>> = const { RefCell::new(None) };
}

fn new_vm() -> Box<Vm> {
    let home = std::env::var("JAVA_HOME").expect("JAVA_HOME names a JDK 17");
    let mut options = Options::new(home);
    options.max_heap = 16 << 20;
    // the boot loader defines the class, and verifies it as if it were another's
    options.verify_boot = true;
    let natives = rjvm_jdk_stubs::natives();
    let host = Box::new(rjvm_jdk_stubs::os::OsHost::new());
    Vm::new(options, host, natives).expect("a VM comes up")
}

/// Verifier and translator: a class is defined, linked, and all its methods are translated.
pub fn verify_translate(bytes: &[u8]) {
    VM.with_borrow_mut(|slot| {
        let (vm, count) = slot.get_or_insert_with(|| (new_vm(), 0));
        *count += 1;
        // hidden: the same name can come again
        let hidden = DefineOptions {
            hidden: true,
            ..DefineOptions::default()
        };
        if let Ok(class) = vm.env().define_class(LoaderId::BOOT, None, bytes, hidden)
            && vm.env().link_class(class).is_ok()
        {
            for method in vm.class(class).methods.clone() {
                if vm.method(method).has_code() {
                    let _ = vm.translate(method);
                }
            }
        }
        if *count == CLASSES {
            *slot = None;
        }
    });
}

/// Profiles in the native format: what can be read can be written, and read again.
pub fn native_profile(bytes: &[u8]) {
    if let Ok(profile) = rjp::read(&mut &*bytes) {
        let mut written = Vec::new();
        rjp::write(&profile, &mut written).expect("writing to memory");
        let again = rjp::read(&mut &*written).expect("what was written can be read");
        assert_eq!(again, profile);
        let _ = (profile.flat(), profile.totals());
    }
}

/// Images of a JDK's modules: the index, the catalogue, some resources.
pub fn jimage(bytes: &[u8]) {
    let Ok(image) = Jimage::from_bytes("fuzz", bytes.to_vec()) else {
        return;
    };
    let _ = image.find("java.base", "java/lang/Object.class");
    let _ = image.module_of_package("java/lang");
    let Ok(modules) = image.modules() else {
        return;
    };
    for module in modules.take(4) {
        for name in image.resources_of(module).take(16).flatten() {
            let _ = image.find(module, &name);
        }
    }
}

/// Jars: the directory, the manifest, some entries.
pub fn jar(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::parse(bytes) {
        let _ = (
            manifest.main_class(),
            manifest.class_path(Path::new("/a/b.jar")),
        );
        let _ = (manifest.add_exports().count(), manifest.is_multi_release());
    }
    if let Ok(jar) = Jar::in_memory("fuzz.jar", bytes.to_vec()) {
        for name in jar.names().iter().take(16) {
            let _ = jar.find(name);
        }
    }
}

/// Argument files: text is split into words, or refused.
pub fn argument_file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(words) = rjvm_cli::launcher::argument_words(&text) {
        let length: usize = words.iter().map(String::len).sum();
        assert!(length <= text.len());
    }
}

/// Probes: reading, checking, and the messages about mistakes.
pub fn probe(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let source = rjvm_probes::Source::new("probe", text);
    match rjvm_probes::Script::compile(&[source], rjvm_probes::Limits::default()) {
        Ok(script) => {
            script.points().for_each(|p| drop(p.point.to_string()));
            drop(script.session().text());
        }
        Err(mistake) => assert!(!mistake.to_string().is_empty()),
    }
}
