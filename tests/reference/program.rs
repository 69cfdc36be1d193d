//! Random programs: classes `R`, `S extends R`, `Q` (with its own initializer), and throwables
//! that all programs share. Methods call only methods after them, or themselves with a smaller first
//! argument; loops have few rounds.

use super::asm::{Class, Code};
use super::method::{Gen, K};
use super::random::Random;
use rjvm_classfile::opcodes as o;

/// A method to be called.
#[derive(Clone, Debug)]
pub struct Sig {
    pub class: String,
    pub name: String,
    pub params: Vec<K>,
    pub ret: Option<K>,
    pub kind: Call,
    pub synchronized: bool,
    /// The first parameter is an int that gets smaller in calls of itself.
    pub recursive: bool,
}

/// How it is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    Static,
    Virtual,
    Private,
}

/// Names of a program's classes.
#[derive(Clone, Debug)]
pub struct Names {
    pub r: String,
    pub s: String,
    pub q: String,
}

impl Names {
    /// Descriptor of a kind.
    pub fn desc(&self, k: K) -> String {
        match k {
            K::I => "I".into(),
            K::J => "J".into(),
            K::F => "F".into(),
            K::D => "D".into(),
            K::R => format!("L{};", self.r),
            K::X => "Ljava/lang/Throwable;".into(),
            K::Rs => format!("[L{};", self.r),
            K::Array(t) => format!("[{}", t as char),
            K::New | K::Ret => unreachable!("no type of its own"),
        }
    }
    pub fn method_desc(&self, s: &Sig) -> String {
        let params: String = s.params.iter().map(|&k| self.desc(k)).collect();
        let ret = s.ret.map_or("V".into(), |k| self.desc(k));
        format!("({params}){ret}")
    }
}

/// Classes in the order in which they are to be defined; the entry is static `m0` of `R`.
pub struct Program {
    pub names: Names,
    pub classes: Vec<(String, Vec<u8>)>,
    pub entry: Sig,
}

pub const BOOM: &str = "Boom";
pub const BANG: &str = "Bang";

/// The throwables of all programs: `Boom extends RuntimeException`, `Bang extends Boom`.
pub fn throwables() -> Vec<(String, Vec<u8>)> {
    [(BOOM, "java/lang/RuntimeException"), (BANG, BOOM)]
        .into_iter()
        .map(|(name, sup)| (name.into(), with_constructor(name, sup).bytes()))
        .collect()
}

/// A class whose constructor calls its superclass's constructor.
fn with_constructor(name: &str, sup: &str) -> Class {
    let mut c = Class::new(name, sup);
    let mut code = Code::default();
    code.op(o::ALOAD_0);
    let init = c.method_ref(sup, "<init>", "()V");
    code.op2(o::INVOKESPECIAL, init);
    code.op(o::RETURN);
    c.method(1, "<init>", "()V", 1, 1, code)
        .expect("a small method");
    c
}

/// Fields of `R`, and of `Q` (static ones only).
pub const STATIC_FIELDS: &[(&str, K)] = &[
    ("si", K::I),
    ("sj", K::J),
    ("sf", K::F),
    ("sd", K::D),
    ("sr", K::R),
    ("sa", K::Array(b'I')),
    ("sx", K::X),
];
pub const FIELDS: &[(&str, &str, K)] = &[
    ("i", "I", K::I),
    ("j", "J", K::J),
    ("f", "F", K::F),
    ("d", "D", K::D),
    ("b", "B", K::I),
    ("c", "C", K::I),
    ("s", "S", K::I),
    ("z", "Z", K::I),
];

impl Program {
    /// The program of a seed; `size` bounds it. `Err`: the choices made no class file.
    pub fn new(seed: u64, size: usize) -> Result<Program, String> {
        let mut rng = Random::new(seed);
        let names = Names {
            r: format!("R{seed}"),
            s: format!("S{seed}"),
            q: format!("Q{seed}"),
        };
        let sigs = signatures(&mut rng, &names, size);
        let mut r = with_constructor(&names.r, "java/lang/Object");
        let mut s = with_constructor(&names.s, &names.r);
        let mut q = Class::new(&names.q, "java/lang/Object");
        for &(name, k) in STATIC_FIELDS {
            r.field(9, name, &names.desc(k));
            q.field(9, name, &names.desc(k));
        }
        for &(name, desc, _) in FIELDS {
            r.field(1, name, desc);
        }
        r.field(1, "next", &names.desc(K::R));
        for (i, sig) in sigs.iter().enumerate() {
            let class = match &sig.class {
                c if *c == names.q => &mut q,
                _ => &mut r,
            };
            Gen::method(&mut rng, class, &names, &sigs, i, size)?;
            if sig.kind == Call::Virtual && rng.one_in(2) {
                Gen::method(&mut rng, &mut s, &names, &sigs, i, size)?;
            }
        }
        if !rng.one_in(3) {
            Gen::initializer(&mut rng, &mut q, &names, &sigs, size)?;
        }
        let entry = sigs[0].clone();
        let classes = [r, s, q]
            .into_iter()
            .map(|c| (c.name.clone(), c.bytes()))
            .collect();
        Ok(Program {
            names,
            classes,
            entry,
        })
    }
}

fn signatures(rng: &mut Random, names: &Names, size: usize) -> Vec<Sig> {
    const KINDS: &[K] = &[
        K::I,
        K::I,
        K::J,
        K::F,
        K::D,
        K::R,
        K::X,
        K::Rs,
        K::Array(b'I'),
        K::Array(b'D'),
    ];
    let n = 1 + rng.below(1 + size.min(7));
    (0..n)
        .map(|i| {
            let kind = match rng.below(5) {
                _ if i == 0 => Call::Static,
                0 | 1 => Call::Virtual,
                2 => Call::Private,
                _ => Call::Static,
            };
            let in_q = i > 0 && kind == Call::Static && rng.one_in(4);
            let mut params: Vec<K> = match i {
                0 => Vec::new(),
                // now and then as many as there can be
                _ if rng.one_in(60) => vec![K::I; 250 + rng.below(5)],
                _ => (0..rng.below(6)).map(|_| rng.pick(KINDS)).collect(),
            };
            let recursive = i > 0 && rng.one_in(4);
            if recursive {
                params.insert(0, K::I);
                params.truncate(254);
            }
            let ret = match rng.below(8) {
                0 => None,
                _ => Some(rng.pick(KINDS)),
            };
            Sig {
                class: if in_q { &names.q } else { &names.r }.clone(),
                name: format!("m{i}"),
                params,
                ret,
                kind,
                synchronized: rng.one_in(6),
                recursive,
            }
        })
        .collect()
}
