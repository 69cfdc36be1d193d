//! The reference: class-file bytes interpreted one by one as JVMS 6.5 says, each counting one.
//! It knows the classes it is given; constructors of the class library's throwables do nothing.

mod step;

use super::frame::{Frame, V, holds, narrow, unary};
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::{ClassFile, Constant, opcodes as o};
use std::collections::HashMap;
use std::rc::Rc;

enum Obj {
    Plain(Rc<str>, HashMap<String, V>),
    /// Descriptor of an element, elements.
    Array(String, Vec<V>),
}

#[derive(Clone, Copy, PartialEq)]
enum Init {
    Not,
    Done,
    Failed,
}

struct Class {
    super_name: Rc<str>,
    statics: HashMap<String, V>,
    init: Init,
    cf: Rc<ClassFile>,
}

/// A method of a class that was given.
pub struct Method {
    pub class: Rc<str>,
    pub name: String,
    code: Rc<Vec<u8>>,
    max_locals: usize,
    exceptions: Vec<(usize, usize, usize, Option<String>)>,
    cf: Rc<ClassFile>,
}

/// A calling context.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Context {
    pub method: usize,
    pub invocations: u64,
    pub bytecodes: u64,
    pub children: Vec<usize>,
}

/// Why a method did not return.
pub enum Stop {
    Throw(u32),
    /// More bytecodes than allowed.
    Limit,
}

/// The reference machine.
#[derive(Default)]
pub struct Machine {
    classes: HashMap<String, Class>,
    pub methods: Vec<Rc<Method>>,
    by_name: HashMap<(String, String, String), usize>,
    heap: Vec<Obj>,
    /// Contexts of the last run; 0 is the entry method's.
    pub contexts: Vec<Context>,
    /// Method and bytecode index of each bytecode of the last run.
    pub trace: Vec<(u16, u16)>,
    pub limit: usize,
}

const LIBRARY: &[(&str, &str)] = &[
    ("java/lang/Throwable", "java/lang/Object"),
    ("java/lang/Exception", "java/lang/Throwable"),
    ("java/lang/RuntimeException", "java/lang/Exception"),
    (
        "java/lang/ArithmeticException",
        "java/lang/RuntimeException",
    ),
    (
        "java/lang/NullPointerException",
        "java/lang/RuntimeException",
    ),
    ("java/lang/ClassCastException", "java/lang/RuntimeException"),
    (
        "java/lang/ArrayStoreException",
        "java/lang/RuntimeException",
    ),
    (
        "java/lang/NegativeArraySizeException",
        "java/lang/RuntimeException",
    ),
    (
        "java/lang/IndexOutOfBoundsException",
        "java/lang/RuntimeException",
    ),
    (
        "java/lang/ArrayIndexOutOfBoundsException",
        "java/lang/IndexOutOfBoundsException",
    ),
    ("java/lang/Error", "java/lang/Throwable"),
    ("java/lang/LinkageError", "java/lang/Error"),
    (
        "java/lang/ExceptionInInitializerError",
        "java/lang/LinkageError",
    ),
    ("java/lang/NoClassDefFoundError", "java/lang/LinkageError"),
];

type R<T> = Result<T, Stop>;

impl Machine {
    pub fn new(limit: usize) -> Machine {
        Machine {
            heap: vec![Obj::Array(String::new(), Vec::new())],
            limit,
            ..Machine::default()
        }
    }
    /// Takes a class.
    pub fn define(&mut self, bytes: &[u8]) {
        let cf = Rc::new(ClassFile::parse(bytes).expect("a class file"));
        let pool = &cf.constant_pool;
        let name: Rc<str> = cf.name().expect("a name").into();
        for m in &cf.methods {
            let Some(code) = &m.attributes.code else {
                continue;
            };
            let text = |i| pool.str(i).expect("text").to_string();
            let (mname, desc) = (text(m.name), text(m.descriptor));
            let exceptions = code
                .exceptions
                .iter()
                .map(|e| {
                    let catch = (e.catch_type != 0)
                        .then(|| pool.class_name(e.catch_type).expect("a class").to_string());
                    (
                        e.start_pc as usize,
                        e.end_pc as usize,
                        e.handler_pc as usize,
                        catch,
                    )
                })
                .collect();
            let key = (name.to_string(), mname.clone(), desc);
            self.by_name.insert(key, self.methods.len());
            self.methods.push(Rc::new(Method {
                class: name.clone(),
                name: mname,
                code: Rc::new(code.code.clone()),
                max_locals: code.max_locals as usize,
                exceptions,
                cf: cf.clone(),
            }));
        }
        let statics = cf
            .fields
            .iter()
            .filter(|f| f.access_flags & 8 != 0)
            .map(|f| {
                let d = pool.str(f.descriptor).expect("text").as_bytes()[0];
                (pool.str(f.name).expect("text").to_string(), V::zero(d))
            })
            .collect();
        let class = Class {
            super_name: cf.super_name().expect("a name").unwrap_or("").into(),
            statics,
            init: Init::Not,
            cf: cf.clone(),
        };
        self.classes.insert(name.to_string(), class);
    }
    fn super_of(&self, class: &str) -> Option<String> {
        if let Some(c) = self.classes.get(class) {
            return Some(c.super_name.to_string());
        }
        let known = LIBRARY.iter().find(|l| l.0 == class);
        known.map(|l| l.1.to_string())
    }
    fn is_subclass(&self, class: &str, of: &str) -> bool {
        let mut c = Some(class.to_string());
        while let Some(k) = c {
            if k == of {
                return true;
            }
            c = self.super_of(&k);
        }
        of == "java/lang/Object"
    }
    /// Value of a static field.
    pub fn static_field(&self, class: &str, name: &str) -> V {
        self.classes[class].statics[name]
    }
    /// Class of a plain object.
    pub fn class_of(&self, r: u32) -> &str {
        match &self.heap[r as usize] {
            Obj::Plain(c, _) => c,
            Obj::Array(..) => "[]",
        }
    }
    fn make(&mut self, o: Obj) -> u32 {
        self.heap.push(o);
        self.heap.len() as u32 - 1
    }
    fn throw<T>(&mut self, class: &str) -> R<T> {
        let o = Obj::Plain(format!("java/lang/{class}").into(), HashMap::new());
        Err(Stop::Throw(self.make(o)))
    }
    fn find(&self, class: &str, name: &str, desc: &str) -> Option<usize> {
        let mut c = Some(class.to_string());
        while let Some(k) = c {
            if let Some(&m) = self.by_name.get(&(k.clone(), name.into(), desc.into())) {
                return Some(m);
            }
            c = self.super_of(&k);
        }
        None
    }
    /// Calls a static method; contexts and trace begin again.
    pub fn run(&mut self, class: &str, name: &str, desc: &str, args: &[V]) -> R<Option<V>> {
        self.trace.clear();
        let m = self.find(class, name, desc).expect("the method");
        self.contexts = vec![Context {
            method: m,
            invocations: 1,
            ..Context::default()
        }];
        self.init_without_code(class);
        self.invoke(m, 0, args.to_vec())
    }
    fn init_without_code(&mut self, class: &str) {
        self.classes.get_mut(class).expect("a class").init = Init::Done;
    }
    fn child(&mut self, parent: usize, method: usize) -> usize {
        let found = self.contexts[parent]
            .children
            .iter()
            .copied()
            .find(|&c| self.contexts[c].method == method);
        let at = found.unwrap_or_else(|| {
            self.contexts.push(Context {
                method,
                ..Context::default()
            });
            let at = self.contexts.len() - 1;
            self.contexts[parent].children.push(at);
            at
        });
        self.contexts[at].invocations += 1;
        at
    }
    /// Initializes a class (JVMS 5.5).
    fn initialize(&mut self, class: &str, context: usize) -> R<()> {
        let Some(c) = self.classes.get_mut(class) else {
            return Ok(());
        };
        match c.init {
            Init::Done => return Ok(()),
            Init::Failed => return self.throw("NoClassDefFoundError"),
            Init::Not => c.init = Init::Done,
        }
        let sup = c.super_name.clone();
        self.initialize(&sup, context)?;
        let key = (class.to_string(), "<clinit>".into(), "()V".into());
        let Some(&m) = self.by_name.get(&key) else {
            return Ok(());
        };
        let child = self.child(context, m);
        match self.invoke(m, child, Vec::new()) {
            Err(Stop::Throw(e)) => {
                self.classes.get_mut(class).expect("a class").init = Init::Failed;
                let c = self.class_of(e).to_string();
                if self.is_subclass(&c, "java/lang/Error") {
                    return Err(Stop::Throw(e));
                }
                self.throw("ExceptionInInitializerError")
            }
            other => other.map(|_| ()),
        }
    }
    fn invoke(&mut self, m: usize, context: usize, args: Vec<V>) -> R<Option<V>> {
        let method = self.methods[m].clone();
        let mut locals = vec![V::I(0); method.max_locals + 2];
        let mut at = 0;
        for a in args {
            locals[at] = a;
            at += 1 + a.wide() as usize;
        }
        let mut f = Frame {
            m: m as u16,
            context,
            locals,
            stack: Vec::new(),
            pc: 0,
        };
        loop {
            match self.step(&method, &mut f) {
                Ok(Flow::Next) => {}
                Ok(Flow::Return(v)) => return Ok(v),
                Err(Stop::Limit) => return Err(Stop::Limit),
                Err(Stop::Throw(e)) => {
                    let class = self.class_of(e).to_string();
                    let h = method.exceptions.iter().find(|h| {
                        f.pc >= h.0
                            && f.pc < h.1
                            && h.3.as_ref().is_none_or(|c| self.is_subclass(&class, c))
                    });
                    match h {
                        None => return Err(Stop::Throw(e)),
                        Some(h) => {
                            f.stack.clear();
                            f.stack.push(V::A(e));
                            f.pc = h.2;
                        }
                    }
                }
            }
        }
    }
    fn field(&mut self, r: u32) -> R<&mut HashMap<String, V>> {
        if r == 0 {
            return self.throw("NullPointerException");
        }
        match &mut self.heap[r as usize] {
            Obj::Plain(_, f) => Ok(f),
            Obj::Array(..) => panic!("a field of an array"),
        }
    }
    fn element(&mut self, r: u32, i: i32) -> R<(&str, &mut V)> {
        if r == 0 {
            return self.throw("NullPointerException");
        }
        let n = match &self.heap[r as usize] {
            Obj::Array(_, e) => e.len(),
            Obj::Plain(..) => panic!("an element of an object"),
        };
        if i < 0 || i as usize >= n {
            return self.throw("ArrayIndexOutOfBoundsException");
        }
        match &mut self.heap[r as usize] {
            Obj::Array(d, e) => Ok((d, &mut e[i as usize])),
            Obj::Plain(..) => unreachable!(),
        }
    }
    fn new_array(&mut self, elem: &str, n: i32) -> R<u32> {
        if n < 0 {
            return self.throw("NegativeArraySizeException");
        }
        let zero = V::zero(elem.as_bytes()[0]);
        let o = Obj::Array(elem.into(), vec![zero; n as usize]);
        Ok(self.make(o))
    }
}

enum Flow {
    Next,
    Return(Option<V>),
}
