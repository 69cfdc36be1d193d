//! Compares the tables of natives with the class files of a JDK; nothing is loaded or run. (The compiler has compared the
//! functions with the descriptors.)

use rjvm_classfile::{ClassFile, access};
use rjvm_vm::classpath::SystemModules;
use std::collections::{BTreeMap, BTreeSet};

/// The modules whose natives have a row, or a reason in `lacking.txt` why they have none.
pub const COVERED: &[&str] = &[
    "java.base",
    "java.logging",
    "java.management",
    "java.naming",
    "java.net.http",
    "java.prefs",
    "java.rmi",
    "java.security.jgss",
    "java.security.sasl",
    "jdk.attach",
    "jdk.crypto.cryptoki",
    "jdk.crypto.ec",
    "jdk.httpserver",
    "jdk.jfr",
    "jdk.management",
    "jdk.net",
    "jdk.unsupported",
    "jdk.zipfs",
];

/// What does not fit between the tables and a JDK.
#[derive(Default, Debug)]
pub struct Report {
    /// Rows that name no native of the JDK, are static where it is not, or are there twice: a line each.
    pub problems: Vec<String>,
    /// Natives (`class.name desc`) of [`COVERED`] modules without a row, and the reason `lacking.txt` gives.
    pub lacking: BTreeMap<String, Option<&'static str>>,
    /// Classes with rows whose package is not in the JDK, which may be an image of some modules.
    pub absent: Vec<&'static str>,
}

/// Compares all tables with a JDK of this feature version. The error says which of its class files cannot be read.
pub fn check(modules: &SystemModules, feature: u32) -> Result<Report, String> {
    let mut report = Report::default();
    let mut rows = BTreeSet::new();
    let mut natives: BTreeMap<String, Natives> = BTreeMap::new();
    for table in super::all() {
        let package = table.class.rsplit_once('/').map_or("", |p| p.0);
        let module = modules.module_of_package(package);
        let Some(module) = module.map_err(|e| e.to_string())? else {
            if table.rows.iter().any(|r| r.versions.contains(feature)) {
                report.absent.push(table.class);
            }
            continue;
        };
        let of_module = match natives.get(module) {
            Some(known) => known,
            None => {
                let found = natives_of(modules, module)?;
                natives.entry(module.to_string()).or_insert(found)
            }
        };
        for row in table.rows.iter().filter(|r| r.versions.contains(feature)) {
            let key = format!("{}.{} {}", table.class, row.name, row.desc);
            match of_module.get(&key) {
                None if row.optional => {}
                None => report
                    .problems
                    .push(format!("native {key}: the JDK has none")),
                Some(&is_static) => {
                    if row.takes_this() == is_static {
                        let of = if is_static { "static" } else { "not static" };
                        report
                            .problems
                            .push(format!("native {key}: the method is {of}"));
                    }
                }
            }
            if !rows.insert(key.clone()) {
                report.problems.push(format!("native {key}: two rows"));
            }
        }
    }
    for module in COVERED {
        let found = match natives.remove(*module) {
            Some(found) => found,
            None => natives_of(modules, module)?,
        };
        let lacking = found.into_keys();
        let lacking = lacking.filter(|k| !rows.contains(k) && !is_bound_by_vm(k));
        report.lacking.extend(lacking.map(|key| {
            let reason = reason(&key);
            (key, reason)
        }));
    }
    Ok(report)
}

/// Whether the VM binds a native itself: signature-polymorphic methods, and the initializers that do nothing here.
fn is_bound_by_vm(key: &str) -> bool {
    let polymorphic = [
        "java/lang/invoke/MethodHandle.",
        "java/lang/invoke/VarHandle.",
    ];
    let idle = [".registerNatives ()V", ".initIDs ()V"];
    polymorphic.iter().any(|p| key.starts_with(p)) || idle.iter().any(|i| key.ends_with(i))
}

/// Native methods (`class.name desc`) of a module; the value is true for static ones.
type Natives = BTreeMap<String, bool>;

fn natives_of(modules: &SystemModules, module: &str) -> Result<Natives, String> {
    let mut all = BTreeMap::new();
    // an image may have been made without it
    let Ok(names) = modules.resources(module) else {
        return Ok(all);
    };
    for name in names {
        if !name.ends_with(".class") || name.ends_with("module-info.class") {
            continue;
        }
        let wrong = |e: &dyn std::fmt::Display| format!("{module}/{name}: {e}");
        let Some(bytes) = modules.find(module, &name).map_err(|e| wrong(&e))? else {
            continue;
        };
        let class = ClassFile::parse(&bytes).map_err(|e| wrong(&e))?;
        let pool = &class.constant_pool;
        let owner = class.name().map_err(|e| wrong(&e))?;
        let natives = class.methods.iter();
        for m in natives.filter(|m| m.access_flags & access::NATIVE != 0) {
            let text = |i| pool.str(i).map_err(|e| wrong(&e));
            let key = format!("{owner}.{} {}", text(m.name)?, text(m.descriptor)?);
            all.insert(key, m.access_flags & access::STATIC != 0);
        }
    }
    Ok(all)
}

/// The reasons why natives have no row: `class.name` or `class.*`, a tab, the reason.
static LACKING: &str = include_str!("lacking.txt");

/// The reason why a native (`class.name desc`) has no row.
fn reason(key: &str) -> Option<&'static str> {
    patterns()
        .find(|(p, _)| matches(p, key))
        .map(|(_, why)| why)
}

/// The patterns that name natives without a row, each with its reason.
pub fn patterns() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = LACKING.lines().filter(|l| !l.starts_with('#'));
    rows.filter_map(|l| l.split_once('\t'))
}

/// Whether a pattern names a native (`class.name desc`).
pub fn matches(pattern: &str, key: &str) -> bool {
    let name = key.split(' ').next().unwrap_or_default();
    match pattern.strip_suffix('*') {
        Some(class) => name.starts_with(class),
        None => name == pattern,
    }
}
