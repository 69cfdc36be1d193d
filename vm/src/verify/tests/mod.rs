//! Tests of verification on the installed class library and on classes made for the purpose.

mod differential;
mod library;
mod memory;

use super::world::World;
use super::{Progress, VerifyFailure, verify};
use crate::classpath::{Search, SystemModules};
use hashbrown::HashMap;
use rjvm_classfile::{ClassFile, access};
use std::cell::Cell;
use std::sync::Arc;

/// The modules of the installed JDK.
pub(super) fn system() -> SystemModules {
    let jdk = Search::usual(None, |name| std::env::var_os(name)).find();
    SystemModules::open(&jdk.expect("a JDK is installed")).expect("its modules are readable")
}

/// The error of a verification that is stopped.
const STOPPED: &str = "stopped";

struct TestClass {
    name: Arc<str>,
    superclass: Option<usize>,
    cf: Arc<ClassFile>,
}

/// All classes of the JDK and some more, in one loader.
struct TestLibrary {
    system: SystemModules,
    extra: HashMap<String, Vec<u8>>,
    index: HashMap<String, usize>,
    list: Vec<TestClass>,
    this: usize,
    /// Bytes that verification may take.
    memory: usize,
    /// How often verification has checked whether to stop; every few times the answer is yes.
    looks: Cell<Option<usize>>,
    /// How often verification has offered to stop while a test counts. It is stopped at squares, so that each instruction ends at
    /// last.
    breaths: usize,
}

impl TestLibrary {
    fn new() -> TestLibrary {
        TestLibrary {
            system: system(),
            extra: HashMap::new(),
            index: HashMap::new(),
            list: Vec::new(),
            this: 0,
            memory: usize::MAX,
            looks: Cell::new(None),
            breaths: 0,
        }
    }

    fn enter(&mut self, cf: ClassFile) -> Result<usize, String> {
        let name: Arc<str> = cf.name().unwrap().into();
        let superclass = match cf.super_name().unwrap() {
            None => None,
            Some(s) => Some(self.load(s)?),
        };
        self.list.push(TestClass {
            name: name.clone(),
            superclass,
            cf: Arc::new(cf),
        });
        self.index.insert(name.to_string(), self.list.len() - 1);
        Ok(self.list.len() - 1)
    }

    /// Verifies a class of the library or one that has been put in.
    fn verify(&mut self, name: &str) -> Result<(), VerifyFailure> {
        let c = self.load(name).unwrap();
        self.this = c;
        let cf = self.list[c].cf.clone();
        let verdict = verify(self, &cf, name, &mut Progress::default()).unwrap();
        // the verdict is the same when it is stopped again and again
        self.looks.set(Some(0));
        self.breaths = 0;
        let mut job = Progress::default();
        let stopped = loop {
            match verify(self, &cf, name, &mut job) {
                Ok(verdict) => break verdict,
                Err(e) => assert_eq!(e, STOPPED),
            }
        };
        self.looks.set(None);
        assert_eq!(verdict, stopped, "{name}");
        verdict
    }

    fn package(&self, c: usize) -> &str {
        self.list[c].name.rsplit_once('/').map_or("", |p| p.0)
    }
}

impl World for TestLibrary {
    type Class = usize;
    type Error = String;

    fn load(&mut self, name: &str) -> Result<usize, String> {
        if let Some(&c) = self.index.get(name) {
            return Ok(c);
        }
        let bytes = match self.extra.get(name) {
            Some(b) => b.clone(),
            None => {
                let package = name.rsplit_once('/').map_or("", |p| p.0);
                let module = self.system.module_of_package(package).unwrap();
                let file = format!("{name}.class");
                let found = module.and_then(|m| self.system.find(m, &file).unwrap());
                match found {
                    Some(b) => b.into_owned(),
                    None => return Err(format!("no class {name}")),
                }
            }
        };
        self.enter(ClassFile::parse(&bytes).unwrap())
    }
    fn memory(&self) -> usize {
        self.memory
    }
    fn is_requested(&self) -> bool {
        let Some(n) = self.looks.get() else {
            return false;
        };
        self.looks.set(Some(n + 1));
        n % 5 == 3
    }
    fn breathe(&mut self) -> Result<(), String> {
        if self.looks.get().is_none() {
            return Ok(());
        }
        self.breaths += 1;
        match self.breaths.isqrt().pow(2) == self.breaths {
            true => Err(STOPPED.into()),
            false => Ok(()),
        }
    }
    fn is_interface(&self, c: usize) -> bool {
        self.list[c].cf.access_flags & access::INTERFACE != 0
    }
    fn super_class(&self, c: usize) -> Option<usize> {
        self.list[c].superclass
    }
    fn name(&self, c: usize) -> Arc<str> {
        self.list[c].name.clone()
    }
    fn this(&self) -> usize {
        self.this
    }
    fn interfaces(&self) -> Vec<Arc<str>> {
        let cf = &self.list[self.this].cf;
        cf.interface_names().map(|n| n.unwrap().into()).collect()
    }
    fn is_protected(&self, superclass: &str, name: &str, descriptor: &str, method: bool) -> bool {
        let mut c = self.index.get(superclass).copied();
        while let Some(k) = c {
            let cf = &self.list[k].cf;
            let pool = &cf.constant_pool;
            let is = |n, d| pool.str(n).unwrap() == name && pool.str(d).unwrap() == descriptor;
            let flags = if method {
                let m = cf.methods.iter().find(|m| is(m.name, m.descriptor));
                m.map(|m| m.access_flags)
            } else {
                let f = cf.fields.iter().find(|f| is(f.name, f.descriptor));
                f.map(|f| f.access_flags)
            };
            if let Some(flags) = flags {
                return flags & access::PROTECTED != 0
                    && self.package(k) != self.package(self.this);
            }
            c = self.list[k].superclass;
        }
        false
    }
}
