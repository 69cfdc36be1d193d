//! A small assembler: constant pool, fields, methods, labels. Class files are of version 49, whose
//! types at labels are inferred.

use rjvm_classfile::opcodes as o;

/// A class file in the making.
pub struct Class {
    pub name: String,
    super_name: String,
    pool: Vec<Vec<u8>>,
    fields: Vec<[u16; 3]>,
    methods: Vec<Vec<u8>>,
}

impl Class {
    pub fn new(name: &str, super_name: &str) -> Class {
        Class {
            name: name.into(),
            super_name: super_name.into(),
            pool: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
        }
    }
    fn constant(&mut self, tag: u8, contents: &[u8]) -> u16 {
        let c = [&[tag], contents].concat();
        if let Some(at) = self.pool.iter().position(|p| *p == c) {
            return at as u16 + 1;
        }
        self.pool.push(c);
        let index = self.pool.len() as u16;
        if tag == 5 || tag == 6 {
            self.pool.push(Vec::new());
        }
        index
    }
    pub fn utf8(&mut self, s: &str) -> u16 {
        let len = (s.len() as u16).to_be_bytes();
        self.constant(1, &[&len, s.as_bytes()].concat())
    }
    pub fn class(&mut self, name: &str) -> u16 {
        let n = self.utf8(name);
        self.constant(7, &n.to_be_bytes())
    }
    pub fn int(&mut self, v: i32) -> u16 {
        self.constant(3, &v.to_be_bytes())
    }
    pub fn float(&mut self, v: f32) -> u16 {
        self.constant(4, &v.to_bits().to_be_bytes())
    }
    pub fn long(&mut self, v: i64) -> u16 {
        self.constant(5, &v.to_be_bytes())
    }
    pub fn double(&mut self, v: f64) -> u16 {
        self.constant(6, &v.to_bits().to_be_bytes())
    }
    fn member(&mut self, tag: u8, class: &str, name: &str, desc: &str) -> u16 {
        let (n, d) = (self.utf8(name), self.utf8(desc));
        let nt = self.constant(12, &[n.to_be_bytes(), d.to_be_bytes()].concat());
        let c = self.class(class);
        self.constant(tag, &[c.to_be_bytes(), nt.to_be_bytes()].concat())
    }
    pub fn field_ref(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(9, class, name, desc)
    }
    pub fn method_ref(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(10, class, name, desc)
    }
    pub fn field(&mut self, flags: u16, name: &str, desc: &str) {
        let f = [flags, self.utf8(name), self.utf8(desc)];
        self.fields.push(f);
    }
    /// Adds a method; `Err` if its code is malformed (branches too far, code too long).
    pub fn method(
        &mut self,
        flags: u16,
        name: &str,
        desc: &str,
        max_stack: u16,
        max_locals: u16,
        code: Code,
    ) -> Result<(), String> {
        let exceptions = code.exceptions.clone();
        let mut rows = Vec::new();
        for (start, end, handler, catch) in exceptions {
            let at = |l: Label| code.at(l).map(|p| p as u16);
            for v in [at(start)?, at(end)?, at(handler)?, catch] {
                rows.extend(v.to_be_bytes());
            }
        }
        let bytes = code.finish()?;
        let attr = self.utf8("Code");
        let mut m = Vec::new();
        for v in [flags, self.utf8(name), self.utf8(desc), 1, attr] {
            m.extend(v.to_be_bytes());
        }
        m.extend(((12 + bytes.len() + rows.len()) as u32).to_be_bytes());
        m.extend(max_stack.to_be_bytes());
        m.extend(max_locals.to_be_bytes());
        m.extend((bytes.len() as u32).to_be_bytes());
        m.extend(&bytes);
        m.extend(((rows.len() / 8) as u16).to_be_bytes());
        m.extend(&rows);
        m.extend([0, 0]);
        self.methods.push(m);
        Ok(())
    }
    pub fn bytes(mut self) -> Vec<u8> {
        let (name, sup) = (self.name.clone(), self.super_name.clone());
        let (this, sup) = (self.class(&name), self.class(&sup));
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49];
        out.extend((self.pool.len() as u16 + 1).to_be_bytes());
        out.extend(self.pool.concat());
        for v in [0x21, this, sup, 0, self.fields.len() as u16] {
            out.extend(v.to_be_bytes());
        }
        for f in &self.fields {
            out.extend(f.iter().flat_map(|v| v.to_be_bytes()));
            out.extend([0, 0]);
        }
        out.extend((self.methods.len() as u16).to_be_bytes());
        out.extend(self.methods.concat());
        out.extend([0, 0]);
        out
    }
}

/// A place in code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(usize);

struct Fixup {
    at: usize,
    base: usize,
    to: Label,
    wide: bool,
}

/// Code in the making.
#[derive(Default)]
pub struct Code {
    pub bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    fixups: Vec<Fixup>,
    pub exceptions: Vec<(Label, Label, Label, u16)>,
}

impl Code {
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }
    pub fn bind(&mut self, l: Label) {
        assert!(self.labels[l.0].is_none(), "a label has one place");
        self.labels[l.0] = Some(self.bytes.len());
    }
    pub fn here(&mut self) -> Label {
        let l = self.label();
        self.bind(l);
        l
    }
    fn at(&self, l: Label) -> Result<usize, String> {
        self.labels[l.0].ok_or_else(|| "a label without a place".into())
    }
    /// Whether a branch goes there.
    pub fn is_target(&self, l: Label) -> bool {
        self.fixups.iter().any(|f| f.to == l)
    }
    pub fn op(&mut self, op: u8) {
        self.bytes.push(op);
    }
    pub fn op1(&mut self, op: u8, a: u8) {
        self.bytes.extend([op, a]);
    }
    pub fn op2(&mut self, op: u8, a: u16) {
        self.bytes.push(op);
        self.bytes.extend(a.to_be_bytes());
    }
    fn offset(&mut self, base: usize, to: Label, wide: bool) {
        let at = self.bytes.len();
        self.fixups.push(Fixup { at, base, to, wide });
        self.bytes
            .extend(if wide { &[0u8; 4][..] } else { &[0; 2] });
    }
    /// A branch; `goto_w` and `jsr_w` have wide offsets.
    pub fn branch(&mut self, op: u8, to: Label) {
        let base = self.bytes.len();
        self.bytes.push(op);
        self.offset(base, to, matches!(op, o::GOTO_W | o::JSR_W));
    }
    fn pad(&mut self) {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }
    pub fn tableswitch(&mut self, low: i32, default: Label, to: &[Label]) {
        let base = self.bytes.len();
        self.bytes.push(o::TABLESWITCH);
        self.pad();
        self.offset(base, default, true);
        self.bytes.extend(low.to_be_bytes());
        self.bytes.extend((low + to.len() as i32 - 1).to_be_bytes());
        for &l in to {
            self.offset(base, l, true);
        }
    }
    /// Keys ascending.
    pub fn lookupswitch(&mut self, default: Label, to: &[(i32, Label)]) {
        let base = self.bytes.len();
        self.bytes.push(o::LOOKUPSWITCH);
        self.pad();
        self.offset(base, default, true);
        self.bytes.extend((to.len() as i32).to_be_bytes());
        for &(k, l) in to {
            self.bytes.extend(k.to_be_bytes());
            self.offset(base, l, true);
        }
    }
    fn finish(mut self) -> Result<Vec<u8>, String> {
        if self.bytes.len() > 65535 {
            return Err("code too long".into());
        }
        for f in &self.fixups {
            let off = self.at(f.to)? as i64 - f.base as i64;
            if f.wide {
                self.bytes[f.at..f.at + 4].copy_from_slice(&(off as i32).to_be_bytes());
            } else {
                let off = i16::try_from(off).map_err(|_| "a branch too far")?;
                self.bytes[f.at..f.at + 2].copy_from_slice(&off.to_be_bytes());
            }
        }
        Ok(self.bytes)
    }
}
