//! Benchmarks on a class path: methods with the annotation `rjvm.test.Bench`, and methods that are named. Class files are
//! read, nothing is run.

use super::error::BenchError;
use rjvm_classfile::attributes::annotations::{self, ElementValue};
use rjvm_classfile::{ClassFile, Constant, MethodInfo, access};
use rjvm_profiler::{MethodInfo as Described, Pattern};
use rjvm_vm::classpath::ClassPath;
use std::collections::BTreeMap;

const ANNOTATION: &str = "Lrjvm/test/Bench;";

/// A method that is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// How it is called in reports.
    pub name: String,
    /// Its class, with dots.
    pub class: String,
    /// Its name.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The argument of its call, if it has a parameter.
    pub argument: Option<String>,
    /// How often it is called before it is measured; none: as often as the command line says.
    pub warmups: Option<u32>,
    /// Its own limits.
    pub limits: Vec<String>,
}

/// What an annotation says.
#[derive(Default)]
struct AnnotationValues {
    name: Option<String>,
    args: Vec<String>,
    warmups: Option<u32>,
    limits: Vec<String>,
}

/// The benchmarks of a class path, by name: all with the annotation or, if there are patterns, the methods that these name.
/// A pattern that names none is an error.
pub fn find(class_path: &ClassPath, patterns: &[Pattern]) -> Result<Vec<Bench>, BenchError> {
    let mut found: BTreeMap<String, Bench> = BTreeMap::new();
    let mut used = vec![false; patterns.len()];
    for entry in class_path.entries() {
        let names = entry.names()?;
        for name in names.iter().filter(|n| n.ends_with(".class")) {
            // other versions of classes in jars, and descriptions of modules
            if name.starts_with("META-INF/") || name.ends_with("module-info.class") {
                continue;
            }
            let class_name = name.trim_end_matches(".class").replace('/', ".");
            let bytes = entry.find(name)?;
            let bytes = bytes.unwrap_or_default();
            // what names no annotation has none: few class files need be parsed
            let annotated = contains(&bytes, ANNOTATION.as_bytes());
            if patterns.is_empty() && !annotated {
                continue;
            }
            let class = ClassFile::parse(&bytes)
                .map_err(|e| BenchError::ClassFile(entry.path().to_path_buf(), name.clone(), e))?;
            for bench in benches(&class, &class_name, patterns, &mut used)? {
                // as for classes, the first place of the class path counts
                found.entry(bench.name.clone()).or_insert(bench);
            }
        }
    }
    if let Some(i) = used.iter().position(|used| !used) {
        return Err(BenchError::NoMethod(patterns[i].to_string()));
    }
    Ok(found.into_values().collect())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|w| w == part)
}

fn benches(
    class: &ClassFile,
    class_name: &str,
    patterns: &[Pattern],
    used: &mut [bool],
) -> Result<Vec<Bench>, BenchError> {
    let text = |index: u16| class.constant_pool.str(index).map(str::to_owned);
    let mut found: Vec<Bench> = Vec::new();
    for method in &class.methods {
        let (Ok(name), Ok(descriptor)) = (text(method.name), text(method.descriptor)) else {
            continue;
        };
        let message = message(class, method);
        let info = Described::new(class_name, &name, &descriptor, false, false);
        let mut meant = patterns.is_empty() && message.is_some();
        for (pattern, used) in patterns.iter().zip(used.iter_mut()) {
            let special = name.starts_with('<') || method.access_flags & access::SYNTHETIC != 0;
            if pattern.matches(&info) && !special {
                (meant, *used) = (true, true);
            }
        }
        if !meant {
            continue;
        }
        let named = patterns.iter().any(|p| p.to_string().contains("::"));
        let annotated = message.is_some();
        let message = message.unwrap_or_default();
        let base = message
            .name
            .unwrap_or_else(|| format!("{class_name}::{name}"));
        let problem = unfit(method, &descriptor, message.args.is_empty());
        if let Some(problem) = problem {
            if !annotated && !named {
                // one of the other methods of a class that is named
                continue;
            }
            return Err(BenchError::Unfit(format!("{class_name}::{name}"), problem));
        }
        let bench = |argument: Option<&String>| Bench {
            name: match argument {
                Some(argument) => format!("{base}({})", one_line(argument)),
                None => base.clone(),
            },
            class: class_name.to_owned(),
            method: name.clone(),
            descriptor: descriptor.clone(),
            argument: argument.cloned(),
            warmups: message.warmups,
            limits: message.limits.clone(),
        };
        match message.args.is_empty() {
            true => found.push(bench(None)),
            false => found.extend(message.args.iter().map(|a| bench(Some(a)))),
        }
    }
    for (i, bench) in found.iter().enumerate() {
        if found[..i].iter().any(|b| b.name == bench.name) {
            return Err(BenchError::Twice(bench.name.clone()));
        }
    }
    Ok(found)
}

/// Why a method is no benchmark.
fn unfit(method: &MethodInfo, descriptor: &str, no_args: bool) -> Option<&'static str> {
    let problem = match (parameters(descriptor), no_args) {
        (0, true) | (1, false) => None,
        (0, false) => Some("the annotation has args, but the method has no parameter"),
        (1, true) => Some("the method has a parameter, but the annotation has no args"),
        _ => Some("the method has several parameters"),
    };
    problem.or_else(|| {
        let runs = method.access_flags & (access::ABSTRACT | access::NATIVE) == 0;
        (!runs).then_some("the method is abstract or native")
    })
}

/// A name is one line of a file, and ends without blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many parameters there are.
fn parameters(descriptor: &str) -> usize {
    rjvm_classfile::descriptor::parameters(descriptor).count()
}

/// What the annotation of a method says, if it has it.
fn message(class: &ClassFile, method: &MethodInfo) -> Option<AnnotationValues> {
    let pool = &class.constant_pool;
    let bytes = method.attributes.annotations.visible.as_ref()?;
    let all = annotations::decode(bytes).ok()?;
    let bench =
        |a: &&annotations::Annotation| pool.str(a.type_index).is_ok_and(|t| t == ANNOTATION);
    let annotation = all.iter().find(bench)?;
    let text = |value: &ElementValue| match value {
        ElementValue::Constant { tag: b's', index } => pool.str(*index).ok().map(str::to_owned),
        _ => None,
    };
    let texts = |value: &ElementValue| match value {
        ElementValue::Array(values) => values.iter().filter_map(text).collect(),
        other => text(other).into_iter().collect::<Vec<_>>(),
    };
    let mut message = AnnotationValues::default();
    for (name, value) in &annotation.elements {
        let Ok(name) = pool.str(*name) else { continue };
        match name {
            "name" => message.name = text(value).map(|t| one_line(&t)).filter(|t| !t.is_empty()),
            "args" => message.args = texts(value),
            "limits" => message.limits = texts(value),
            "warmups" => {
                if let ElementValue::Constant { index, .. } = value
                    && let Ok(Constant::Integer(n)) = pool.get(*index)
                {
                    // -1 is the annotation's default
                    message.warmups = u32::try_from(n).ok();
                }
            }
            _ => {}
        }
    }
    Some(message)
}
