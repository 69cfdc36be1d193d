//! Where methods come from whose names are numbers of a compiler's: what lambdas, accessors, local and anonymous classes
//! are declared in, in which order, and what they do (see [`rjvm_profiler::origin`]).
//!
//! The order follows the code around them: the instructions that make a lambda's object or an instance of an
//! anonymous class. All of it is in the class file of the class around them, which is loaded, or there could be no instance.

use crate::classes::bodies::{
    Numbered, descriptor, is_numbered, name, numbered_methods, of_class, of_code, stem,
};
use rjvm_classfile::opcodes::{Operand, insns};
use rjvm_classfile::{ClassFile, Constant, InnerClass};
use rjvm_profiler::origin::{Body, Digest, Origin, Scope, Step, unnumbered};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Classes within classes that are looked at: those of malformed files may be in a circle.
pub(super) const DEPTH: usize = 64;

/// The results so far, until classes are unloaded.
#[derive(Default)]
pub(crate) struct Origins {
    /// Of the methods of classes that are being unloaded.
    pub(super) retiring: BTreeMap<u32, Origin>,
    pub(super) known: RefCell<NumberedCache>,
}

#[derive(Default)]
pub(super) struct NumberedCache {
    pub(super) maps: BTreeMap<u32, (Arc<ClassFile>, Arc<DeclaredNumbers>)>,
    pub(super) classes: BTreeMap<u32, (Arc<ClassFile>, Option<Origin>)>,
}

/// The numbered things that are declared in a class.
#[derive(Default)]
pub(super) struct DeclaredNumbers {
    pub(super) methods: BTreeMap<(String, String), Step>,
    pub(super) classes: BTreeMap<String, (Arc<Scope>, u32)>,
}

/// A class's entry in its own table of nested classes.
pub(super) fn inner<'a>(cf: &'a ClassFile, name: &str) -> Option<&'a InnerClass> {
    let all = cf.attributes.inner_classes.as_deref()?;
    let is = |i: &&InnerClass| {
        cf.constant_pool
            .class_name(i.inner_class)
            .is_ok_and(|n| n == name)
    };
    all.iter().find(is)
}

/// A scope of which it is not known how many it has.
pub(super) fn unordered(place: String, at: u32) -> (Arc<Scope>, u32) {
    let scope = Scope {
        place,
        methods: false,
        members: Vec::new(),
    };
    (scope.into(), at)
}

/// The last number in a class's name.
pub(super) fn number_of(class: &str) -> u32 {
    let text = class.trim_end_matches(|c: char| !c.is_ascii_digit());
    let start = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    text[start..].parse().unwrap_or(u32::MAX)
}

/// The scope of classes that the class library makes, and numbers: proxies by what they implement,
/// accessors of reflection.
pub(super) fn made(cf: &ClassFile, class: &str) -> Option<String> {
    let stem = class.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() == class.len() {
        return None;
    }
    if cf.super_name().ok().flatten() == Some("java/lang/reflect/Proxy") {
        let all: Vec<String> = cf
            .interface_names()
            .flatten()
            .map(|i| i.replace('/', "."))
            .collect();
        return Some(format!("proxy {}", all.join(" ")));
    }
    let accessor = stem.starts_with("jdk/internal/reflect/Generated");
    accessor.then(|| stem.replace('/', "."))
}

pub(super) fn body(cf: &ClassFile) -> Body {
    let [deep, own, shape] = of_class(cf);
    Body { deep, own, shape }
}

/// Something that the code of a method makes.
enum NumberedItem<'a> {
    /// An object whose method is a numbered one of the class; with the digest of its interface.
    Lambda((&'a str, &'a str), u64),
    /// An instance of a local or anonymous class.
    Instance(&'a str),
}

/// Goes through the code of a class, into its numbered methods where their objects are made.
struct Walk<'a> {
    cf: &'a ClassFile,
    /// By name and descriptor, the index of each numbered method.
    numbered: BTreeMap<(&'a str, &'a str), usize>,
    /// As if all were one.
    alike: Numbered<'a>,
    local: BTreeSet<&'a str>,
    deep: Numbered<'a>,
    seen: BTreeSet<&'a str>,
    /// Of the method whose code is walked.
    lambdas: Vec<((&'a str, &'a str), Body)>,
    classes: Vec<&'a str>,
}

impl DeclaredNumbers {
    /// `root` is what places begin with.
    pub(super) fn of(cf: &ClassFile, root: &str) -> DeclaredNumbers {
        let pool = &cf.constant_pool;
        let mut walk = Walk {
            cf,
            numbered: BTreeMap::new(),
            alike: numbered_methods(cf),
            local: BTreeSet::new(),
            deep: Numbered::new(),
            seen: BTreeSet::new(),
            lambdas: Vec::new(),
            classes: Vec::new(),
        };
        for (index, m) in cf.methods.iter().enumerate() {
            if is_numbered(cf, m) {
                walk.numbered
                    .insert((name(cf, m), descriptor(cf, m)), index);
            }
        }
        for i in cf.attributes.inner_classes.iter().flatten() {
            if i.outer_class == 0
                && let Ok(name) = pool.class_name(i.inner_class)
            {
                walk.local.insert(name);
            }
        }
        let mut map = DeclaredNumbers::default();
        let mut places: BTreeMap<String, Walked<'_>> = BTreeMap::new();
        for (index, m) in cf.methods.iter().enumerate() {
            if is_numbered(cf, m) {
                continue;
            }
            walk.code(index, 0);
            // what initializes fields is in each constructor
            let place = match name(cf, m) {
                "<init>" => format!("{root}<init>"),
                name => format!("{root}{name}{}", unnumbered(descriptor(cf, m))),
            };
            let entry = places.entry(place).or_default();
            entry.lambdas.append(&mut walk.lambdas);
            entry.classes.append(&mut walk.classes);
        }
        for (place, walked) in places {
            map.add(&place, walked);
        }
        // those that nothing in the class makes an object of: accessors for other classes
        let mut left: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, m) in cf.methods.iter().enumerate() {
            let key = (name(cf, m), descriptor(cf, m));
            if walk.numbered.contains_key(&key) && !walk.deep.contains_key(&key) {
                left.entry(stem(key.0).unwrap_or(""))
                    .or_default()
                    .push(index);
            }
        }
        for (stem, indices) in left {
            let mut lambdas = Vec::new();
            for index in indices {
                let m = &cf.methods[index];
                let key = (name(cf, m), descriptor(cf, m));
                let body = walk.lambda(key, 0, 0);
                lambdas.push((key, body));
                walk.lambdas.clear();
                walk.classes.clear();
            }
            let classes = Vec::new();
            map.add(&format!("{root}{stem}"), Walked { lambdas, classes });
        }
        map
    }

    fn add(&mut self, place: &str, walked: Walked<'_>) {
        let members: Vec<Body> = walked.lambdas.iter().map(|l| l.1).collect();
        let scope = Arc::new(Scope {
            place: format!("{place} lambda"),
            methods: true,
            members,
        });
        for (at, ((name, desc), body)) in (0u32..).zip(walked.lambdas) {
            let step = Step {
                scope: scope.clone(),
                at,
                body,
            };
            self.methods
                .insert((name.to_owned(), desc.to_owned()), step);
        }
        let scope = Arc::new(Scope {
            place: format!("{place} class"),
            methods: false,
            members: vec![Body::default(); walked.classes.len()],
        });
        for (at, class) in (0u32..).zip(walked.classes) {
            self.classes.insert(class.to_owned(), (scope.clone(), at));
        }
    }
}

#[derive(Default)]
struct Walked<'a> {
    lambdas: Vec<((&'a str, &'a str), Body)>,
    classes: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    /// Looks at the code of a method, and at the code of the lambdas it makes.
    fn code(&mut self, index: usize, depth: usize) {
        for made in self.made(index) {
            match made {
                NumberedItem::Instance(class) => {
                    if self.seen.insert(class) {
                        self.classes.push(class);
                    }
                }
                NumberedItem::Lambda(key, shape) => {
                    if !self.deep.contains_key(&key) && depth < DEPTH {
                        let at = self.lambdas.len();
                        self.lambdas.push((key, Body::default()));
                        self.lambdas[at].1 = self.lambda(key, shape, depth);
                    }
                }
            }
        }
    }

    /// What a numbered method does, after what it makes.
    fn lambda(&mut self, key: (&'a str, &'a str), shape: u64, depth: usize) -> Body {
        let Some(&index) = self.numbered.get(&key) else {
            return Body::default();
        };
        // one that makes itself
        self.deep.insert(key, 1);
        self.code(index, depth + 1);
        let m = &self.cf.methods[index];
        let with = |code: u64| {
            let mut digest = Digest::default();
            digest.add(unnumbered(key.1).as_bytes());
            digest.number(code);
            digest.finish()
        };
        let mut all = self.alike.clone();
        all.extend(self.deep.iter().map(|(k, v)| (*k, *v)));
        let mut of = Digest::default();
        of.number(shape);
        of.number(depth as u64);
        let body = Body {
            deep: with(of_code(self.cf, m, &all)),
            own: with(of_code(self.cf, m, &self.alike)),
            shape: of.finish(),
        };
        self.deep.insert(key, body.deep);
        body
    }

    fn made(&self, index: usize) -> Vec<NumberedItem<'a>> {
        let cf = self.cf;
        let attributes = cf.methods[index].attributes.once();
        let Some(code) = attributes.code.as_deref() else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for insn in insns(&code.code) {
            let Ok(insn) = insn else { break };
            let (Operand::Constant(index) | Operand::Interface { index, .. }) = insn.operand else {
                continue;
            };
            match cf.constant_pool.entry(index) {
                Constant::Class { .. } => {
                    let class = cf.constant_pool.class_name(index).unwrap_or("");
                    all.extend(
                        self.local
                            .get(class)
                            .map(|class| NumberedItem::Instance(class)),
                    );
                }
                Constant::InvokeDynamic {
                    bootstrap,
                    name_and_type,
                } => self.lambdas_of(bootstrap, name_and_type, &mut all),
                _ => {}
            }
        }
        all
    }

    fn lambdas_of(&self, bootstrap: u16, name_and_type: u16, all: &mut Vec<NumberedItem<'a>>) {
        let pool = &self.cf.constant_pool;
        let bootstraps = self.cf.attributes.bootstrap_methods.as_deref();
        let Some(b) = bootstraps.and_then(|all| all.get(usize::from(bootstrap))) else {
            return;
        };
        let mut shape = Digest::default();
        if let Ok((name, desc)) = pool.name_and_type(name_and_type) {
            // without the types of what it captures
            let interface = desc.rsplit(')').next().unwrap_or("");
            shape.add(name.as_bytes());
            shape.add(unnumbered(interface).as_bytes());
        }
        for &argument in &b.arguments {
            if let Constant::MethodType { descriptor } = pool.entry(argument) {
                let text = pool.str(descriptor).unwrap_or("");
                shape.add(unnumbered(text).as_bytes());
            }
        }
        for &argument in &b.arguments {
            let Constant::MethodHandle { reference, .. } = pool.entry(argument) else {
                continue;
            };
            if let Ok(member) = pool.member_ref(reference)
                && self.cf.name().is_ok_and(|name| name == member.class)
                && let Some((key, _)) = self
                    .numbered
                    .get_key_value(&(member.name, member.descriptor))
            {
                all.push(NumberedItem::Lambda(*key, shape.finish()));
            }
        }
    }
}
