//! Compares the native tables with the JDK they are for: every row names a native method of it and
//! is static if that is (the compiler has compared the Rust types with the descriptor), and every native method of java.base has a row
//! or stands in `lacking.txt`, the list of those known to be missing.

use rjvm_classfile::{ClassFile, access};
use rjvm_vm::classpath::{Search, SystemModules};
use std::collections::{BTreeMap, BTreeSet};

/// Native methods (`class.name desc`) of a module; the value tells static ones.
fn natives_of(modules: &SystemModules, module: &str) -> BTreeMap<String, bool> {
    let mut all = BTreeMap::new();
    for name in modules.resources(module).unwrap() {
        if !name.ends_with(".class") || name.ends_with("module-info.class") {
            continue;
        }
        let bytes = modules.find(module, &name).unwrap().unwrap();
        let cf = ClassFile::parse(&bytes).unwrap();
        let pool = &cf.constant_pool;
        for m in cf
            .methods
            .iter()
            .filter(|m| m.access_flags & access::NATIVE != 0)
        {
            let text = |i| pool.str(i).unwrap();
            let key = format!(
                "{}.{} {}",
                cf.name().unwrap(),
                text(m.name),
                text(m.descriptor)
            );
            all.insert(key, m.access_flags & access::STATIC != 0);
        }
    }
    all
}

fn modules() -> (SystemModules, u32) {
    let search = Search::usual(None, |name| std::env::var_os(name));
    let jdk = search.find().expect("a JDK 17 for the tests");
    (SystemModules::open(&jdk).unwrap(), jdk.feature())
}

#[test]
fn rows_and_natives_agree() {
    let (modules, feature) = modules();
    let base = natives_of(&modules, "java.base");
    let mut rows = BTreeSet::new();
    let mut others: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    let mut problems = Vec::new();
    for table in rjvm_jdk_stubs::all() {
        let package = table.class.rsplit_once('/').map_or("", |p| p.0);
        let module = modules
            .module_of_package(package)
            .unwrap()
            .unwrap_or("no module")
            .to_string();
        let natives = match &*module {
            "java.base" => &base,
            "no module" => {
                problems.push(format!("{}: the JDK has no such package", table.class));
                continue;
            }
            m => others
                .entry(module.clone())
                .or_insert_with(|| natives_of(&modules, m)),
        };
        for row in table.rows.iter().filter(|r| r.versions.contains(feature)) {
            let key = format!("{}.{} {}", table.class, row.name, row.desc);
            match natives.get(&key) {
                None if row.optional => {}
                None => problems.push(format!("{key}: no such native method")),
                Some(&is_static) => {
                    if row.takes_this() == is_static {
                        let of = if is_static { "static" } else { "not static" };
                        problems.push(format!("{key}: the method is {of}"));
                    }
                }
            }
            if !rows.insert(key.clone()) {
                problems.push(format!("{key}: two rows"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));

    // the interpreter's own instructions: signature-polymorphic methods
    let polymorphic = |k: &str| {
        k.starts_with("java/lang/invoke/MethodHandle.")
            || k.starts_with("java/lang/invoke/VarHandle.")
    };
    let missing: BTreeSet<String> = base
        .into_keys()
        .filter(|k| !rows.contains(k) && !polymorphic(k))
        .collect();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/natives_table/lacking.txt"
    );
    if std::env::var_os("BLESS").is_some() {
        let text: String = missing.iter().map(|k| format!("{k}\n")).collect();
        std::fs::write(file, text).unwrap();
    }
    let listed: BTreeSet<String> = std::fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(str::to_string)
        .collect();
    let unlisted: Vec<_> = missing.difference(&listed).cloned().collect();
    let stale: Vec<_> = listed.difference(&missing).cloned().collect();
    assert!(
        unlisted.is_empty() && stale.is_empty(),
        "BLESS=1 rewrites {file}\nwithout row and not listed:\n{}\nlisted, but there is a row (or no such native):\n{}",
        unlisted.join("\n"),
        stale.join("\n")
    );
}
