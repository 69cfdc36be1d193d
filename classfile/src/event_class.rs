//! Class files of events (`jdk.jfr.Event` and its subclasses) as the class library expects them of the VM: subclasses get the
//! fields and methods that the library fills with code, and methods of `Event` itself can be overridden.

use crate::access;
use crate::error::Result;
use crate::opcodes::{ICONST_0, INVOKESTATIC, IRETURN, LDC_W, NOP, RETURN};
use crate::reader::Reader;

/// What the VM adds to the class file of an event, beside the methods of an event and the fields for its times.
#[derive(Clone, Copy, Debug)]
pub struct EventMembers<'a> {
    /// The static field that says how the event is configured: name and descriptor.
    pub configuration: (&'a str, &'a str),
    /// The class and its static method, of a class and without a result, that registers the event when it is initialized; `None` if the
    /// class library does this by itself.
    pub register: Option<(&'a str, &'a str)>,
    /// The descriptor of the annotation whose value `false` says that the event is not registered then.
    pub unregistered: &'a str,
}

/// The methods of an event, which the library fills with code: name, descriptor, code, operands.
const METHODS: [(&str, &str, &[u8], u16); 5] = [
    ("begin", "()V", &[RETURN], 0),
    ("end", "()V", &[RETURN], 0),
    ("commit", "()V", &[RETURN], 0),
    ("isEnabled", "()Z", &[ICONST_0, IRETURN], 1),
    ("shouldCommit", "()Z", &[ICONST_0, IRETURN], 1),
];
/// The method that classes made at run time have, too.
const SET: &str = "set";
/// Its fields for times.
const TIMES: [&str; 2] = ["startTime", "duration"];
const ADDED: u16 = access::SYNTHETIC | access::PRIVATE | access::TRANSIENT;
/// Bytes of the call that registers the event: a multiple of four, because switches are aligned.
const CALL: usize = 8;

/// A member, or an attribute of one, as it lies in the file.
struct MemberBytes {
    start: usize,
    end: usize,
    name: u16,
    descriptor: u16,
}

/// Where the parts of a class file are.
struct Parts<'a> {
    bytes: &'a [u8],
    /// The texts of the pool.
    texts: Vec<&'a [u8]>,
    /// The numbers of the pool that are `int`s.
    integers: std::collections::BTreeMap<u16, u32>,
    pool_end: usize,
    this_class: u16,
    fields: Vec<MemberBytes>,
    /// Where the number of fields is.
    fields_at: usize,
    methods: Vec<MemberBytes>,
    methods_at: usize,
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8]) -> Result<Parts<'a>> {
        let mut r = Reader::new(bytes);
        r.bytes(8)?;
        let count = r.u2()?;
        let mut texts: Vec<&[u8]> = vec![&[]; usize::from(count)];
        let mut integers = std::collections::BTreeMap::new();
        let mut i = 1;
        while i < usize::from(count) {
            match r.u1()? {
                1 => {
                    let len = r.u2()?;
                    texts[i] = r.bytes(len.into())?;
                }
                7 | 8 | 16 | 19 | 20 => _ = r.bytes(2)?,
                15 => _ = r.bytes(3)?,
                5 | 6 => {
                    r.bytes(8)?;
                    i += 1;
                }
                3 => _ = integers.insert(i as u16, r.u4()?),
                _ => _ = r.bytes(4)?,
            }
            i += 1;
        }
        let pool_end = r.offset();
        r.u2()?;
        let this_class = r.u2()?;
        r.u2()?;
        let interfaces = r.u2()?;
        r.bytes(2 * usize::from(interfaces))?;
        let fields_at = r.offset();
        let fields = members(&mut r)?;
        let methods_at = r.offset();
        let methods = members(&mut r)?;
        Ok(Parts {
            bytes,
            texts,
            integers,
            pool_end,
            this_class,
            fields,
            fields_at,
            methods,
            methods_at,
        })
    }
    fn text(&self, index: u16) -> &'a [u8] {
        self.texts.get(usize::from(index)).copied().unwrap_or(&[])
    }
    fn has(&self, list: &[MemberBytes], name: &str, descriptor: &str) -> bool {
        let is = |m: &&MemberBytes| {
            self.text(m.name) == name.as_bytes() && self.text(m.descriptor) == descriptor.as_bytes()
        };
        list.iter().find(is).is_some()
    }
}

impl Parts<'_> {
    /// Whether the first value of an annotation of the class, which is a `boolean`, is false.
    fn is_annotated_false(&self, annotation: &str) -> Result<bool> {
        let end = self.methods.last().map_or(self.methods_at + 2, |m| m.end);
        let mut r = Reader::new(&self.bytes[end..]);
        for _ in 0..r.u2()? {
            let name = r.u2()?;
            let len = r.u4()?;
            let body = r.bytes(len as usize)?;
            if self.text(name) != b"RuntimeVisibleAnnotations" {
                continue;
            }
            // the type, one value, its name, `Z`, its constant
            for part in body.windows(9) {
                let index = |at: usize| u16::from_be_bytes([part[at], part[at + 1]]);
                let is = self.text(index(0)) == annotation.as_bytes() && index(2) == 1;
                if is && part[6] == b'Z' {
                    let value = self.integers.get(&index(7));
                    return Ok(value == Some(&0));
                }
            }
        }
        Ok(false)
    }
}

fn members(r: &mut Reader<'_>) -> Result<Vec<MemberBytes>> {
    let count = r.u2()?;
    let mut all = Vec::new();
    for _ in 0..count {
        let start = r.offset();
        r.u2()?;
        let (name, descriptor) = (r.u2()?, r.u2()?);
        for _ in 0..r.u2()? {
            r.u2()?;
            let len = r.u4()?;
            r.bytes(len as usize)?;
        }
        all.push(MemberBytes {
            start,
            end: r.offset(),
            name,
            descriptor,
        });
    }
    Ok(all)
}

/// Entries that are added to a constant pool.
struct Added {
    next: u16,
    bytes: Vec<u8>,
}

impl Added {
    fn entry(&mut self, tag: u8, parts: &[u16]) -> u16 {
        self.bytes.push(tag);
        for part in parts {
            self.bytes.extend(part.to_be_bytes());
        }
        self.next += 1;
        self.next - 1
    }
    fn text(&mut self, text: &str) -> u16 {
        let i = self.entry(1, &[text.len() as u16]);
        self.bytes.extend(text.as_bytes());
        i
    }
}

/// The class file of an event with what the VM adds to it; `None` if the constant pool has no room.
///
/// # Errors
/// Malformed class files.
pub fn with_event_members(bytes: &[u8], added: &EventMembers<'_>) -> Result<Option<Vec<u8>>> {
    let parts = Parts::read(bytes)?;
    let count = parts.texts.len() as u16;
    if count > u16::MAX - 64 {
        return Ok(None);
    }
    let mut pool = Added {
        next: count,
        bytes: Vec::new(),
    };
    let mut fields = Vec::new();
    let mut field = |pool: &mut Added, flags: u16, name: &str, descriptor: &str| {
        if !parts.has(&parts.fields, name, descriptor) {
            let (name, descriptor) = (pool.text(name), pool.text(descriptor));
            fields.push([flags, name, descriptor, 0]);
        }
    };
    let (name, descriptor) = added.configuration;
    field(&mut pool, ADDED | access::STATIC, name, descriptor);
    for name in TIMES {
        field(&mut pool, ADDED, name, "J");
    }
    let code = pool.text("Code");
    let mut methods: Vec<Vec<u8>> = Vec::new();
    for (name, descriptor, body, operands) in METHODS {
        if !parts.has(&parts.methods, name, descriptor) {
            let (name, descriptor) = (pool.text(name), pool.text(descriptor));
            let head = [
                access::SYNTHETIC | access::PUBLIC,
                name,
                descriptor,
                1,
                code,
            ];
            methods.push(method(&head, body, operands, 1));
        }
    }
    let call = added.register.map(|(holder, name)| {
        let holder = pool.text(holder);
        let holder = pool.entry(7, &[holder]);
        let (name, descriptor) = (pool.text(name), pool.text("(Ljava/lang/Class;)V"));
        let member = pool.entry(12, &[name, descriptor]);
        let target = pool.entry(10, &[holder, member]);
        let [a, b] = parts.this_class.to_be_bytes();
        let [c, d] = target.to_be_bytes();
        [LDC_W, a, b, INVOKESTATIC, c, d, NOP, NOP]
    });
    // one that is not to be registered by itself says so
    let unregistered = parts.is_annotated_false(added.unregistered)?;
    let call: Option<[u8; CALL]> = call.filter(|_| !unregistered);
    let is_initializer = |m: &MemberBytes| parts.text(m.name) == b"<clinit>";
    if let Some(call) = &call
        && !parts.methods.iter().any(is_initializer)
    {
        let (name, descriptor) = (pool.text("<clinit>"), pool.text("()V"));
        let head = [access::STATIC, name, descriptor, 1, code];
        let body = [&call[..CALL - 2], &[RETURN]].concat();
        methods.push(method(&head, &body, 1, 0));
    }
    let mut out = Vec::with_capacity(bytes.len() + 512);
    out.extend(&bytes[..8]);
    out.extend(pool.next.to_be_bytes());
    out.extend(&bytes[10..parts.pool_end]);
    out.extend(&pool.bytes);
    out.extend(&bytes[parts.pool_end..parts.fields_at]);
    out.extend(((parts.fields.len() + fields.len()) as u16).to_be_bytes());
    out.extend(&bytes[parts.fields_at + 2..parts.methods_at]);
    for field in &fields {
        out.extend(field.iter().flat_map(|n| n.to_be_bytes()));
    }
    out.extend(((parts.methods.len() + methods.len()) as u16).to_be_bytes());
    for m in &parts.methods {
        match &call {
            Some(call) if is_initializer(m) => begins_with(&parts, m, call, &mut out)?,
            _ => out.extend(&bytes[m.start..m.end]),
        }
    }
    methods.iter().for_each(|m| out.extend(m));
    let end = parts.methods.last().map_or(parts.methods_at + 2, |m| m.end);
    out.extend(&bytes[end..]);
    Ok(Some(out))
}

/// A method with code alone: flags, name, descriptor, number of attributes, the word `Code`.
fn method(head: &[u16; 5], body: &[u8], operands: u16, locals: u16) -> Vec<u8> {
    let mut out: Vec<u8> = head.iter().flat_map(|n| n.to_be_bytes()).collect();
    out.extend((12 + body.len() as u32).to_be_bytes());
    out.extend(operands.to_be_bytes());
    out.extend(locals.to_be_bytes());
    out.extend((body.len() as u32).to_be_bytes());
    out.extend(body);
    out.extend([0; 4]);
    out
}

/// Appends a method whose code begins with a call.
fn begins_with(
    parts: &Parts<'_>,
    m: &MemberBytes,
    call: &[u8; CALL],
    out: &mut Vec<u8>,
) -> Result<()> {
    let mut r = Reader::new(&parts.bytes[m.start..m.end]);
    out.extend(r.bytes(6)?);
    let count = r.u2()?;
    out.extend(count.to_be_bytes());
    for _ in 0..count {
        let name = r.u2()?;
        let len = r.u4()?;
        let body = r.bytes(len as usize)?;
        out.extend(name.to_be_bytes());
        let moved = match parts.text(name) {
            b"Code" => moved_code(parts, body, call)?,
            _ => body.to_vec(),
        };
        out.extend((moved.len() as u32).to_be_bytes());
        out.extend(moved);
    }
    Ok(())
}

fn moved_code(parts: &Parts<'_>, body: &[u8], call: &[u8; CALL]) -> Result<Vec<u8>> {
    let mut r = Reader::new(body);
    let mut out = Vec::with_capacity(body.len() + CALL);
    out.extend(r.u2()?.max(1).to_be_bytes());
    out.extend(r.u2()?.to_be_bytes());
    let len = r.u4()?;
    out.extend((len + CALL as u32).to_be_bytes());
    out.extend(call);
    out.extend(r.bytes(len as usize)?);
    let handlers = r.u2()?;
    out.extend(handlers.to_be_bytes());
    for _ in 0..handlers {
        for _ in 0..3 {
            out.extend(moved(r.u2()?));
        }
        out.extend(r.u2()?.to_be_bytes());
    }
    let mut kept = Vec::new();
    for _ in 0..r.u2()? {
        let name = r.u2()?;
        let len = r.u4()?;
        let mut a = Reader::new(r.bytes(len as usize)?);
        let moved = match parts.text(name) {
            b"LineNumberTable" => rows(&mut a, 4)?,
            b"LocalVariableTable" | b"LocalVariableTypeTable" => rows(&mut a, 10)?,
            b"StackMapTable" => frames(&mut a)?,
            // annotations name places in the code, and nobody reads those of an initializer
            _ => continue,
        };
        kept.push((name, moved));
    }
    out.extend((kept.len() as u16).to_be_bytes());
    for (name, body) in kept {
        out.extend(name.to_be_bytes());
        out.extend((body.len() as u32).to_be_bytes());
        out.extend(body);
    }
    Ok(out)
}

/// A place in the code, behind the call.
fn moved(pc: u16) -> [u8; 2] {
    pc.saturating_add(CALL as u16).to_be_bytes()
}

/// A table whose rows begin with a place.
fn rows(r: &mut Reader<'_>, width: usize) -> Result<Vec<u8>> {
    let count = r.u2()?;
    let mut out = count.to_be_bytes().to_vec();
    for _ in 0..count {
        out.extend(moved(r.u2()?));
        out.extend(r.bytes(width - 2)?);
    }
    Ok(out)
}

/// The first frame says where it is; those behind it count from there.
fn frames(r: &mut Reader<'_>) -> Result<Vec<u8>> {
    let count = r.u2()?;
    let mut out = count.to_be_bytes().to_vec();
    if count > 0 {
        let kind = r.u1()?;
        match kind {
            0..=63 => {
                out.push(251);
                out.extend(moved(kind.into()));
            }
            64..=127 => {
                out.push(247);
                out.extend(moved(u16::from(kind) - 64));
            }
            _ => {
                out.push(kind);
                out.extend(moved(r.u2()?));
            }
        }
    }
    out.extend(r.bytes(r.remaining())?);
    Ok(out)
}

/// A class file whose methods of an event can be overridden.
///
/// # Errors
/// Malformed class files.
pub fn with_open_event_methods(bytes: &[u8]) -> Result<Vec<u8>> {
    let parts = Parts::read(bytes)?;
    let mut out = bytes.to_vec();
    let methods = METHODS.iter().map(|m| m.0).chain([SET]);
    let methods: Vec<&[u8]> = methods.map(str::as_bytes).collect();
    for m in &parts.methods {
        if methods.contains(&parts.text(m.name)) {
            let flags = u16::from_be_bytes([out[m.start], out[m.start + 1]]) & !access::FINAL;
            out[m.start..m.start + 2].copy_from_slice(&flags.to_be_bytes());
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClassFile;

    /// `class A { static int x = 1; }` without debug information, built by hand; with or without an initializer.
    fn class(with_initializer: bool) -> Vec<u8> {
        let mut pool = Added {
            next: 1,
            bytes: Vec::new(),
        };
        let name = pool.text("A");
        let this = pool.entry(7, &[name]);
        let object = pool.text("java/lang/Object");
        let object = pool.entry(7, &[object]);
        let (initializer, nothing) = (pool.text("<clinit>"), pool.text("()V"));
        let (code, lines, map) = (
            pool.text("Code"),
            pool.text("LineNumberTable"),
            pool.text("StackMapTable"),
        );
        let mut out = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
        out.extend(pool.next.to_be_bytes());
        out.extend(&pool.bytes);
        for n in [0x20, this, object, 0, 0, u16::from(with_initializer)] {
            out.extend(n.to_be_bytes());
        }
        if with_initializer {
            // goto 3; return
            let mut body = vec![0, 0, 0, 0, 0, 0, 0, 4, 0xA7, 0, 3, RETURN, 0, 0, 0, 2];
            body.extend(lines.to_be_bytes());
            body.extend([0, 0, 0, 6, 0, 1, 0, 0, 0, 7]);
            body.extend(map.to_be_bytes());
            body.extend([0, 0, 0, 3, 0, 1, 3]);
            for n in [access::STATIC, initializer, nothing, 1, code] {
                out.extend(n.to_be_bytes());
            }
            out.extend((body.len() as u32).to_be_bytes());
            out.extend(body);
        }
        out.extend([0, 0]);
        out
    }

    const MEMBERS: EventMembers<'static> = EventMembers {
        configuration: ("configuration", "Ljava/lang/Object;"),
        register: Some(("p/Recorder", "register")),
        unregistered: "Lp/Registered;",
    };

    #[test]
    fn members_are_added_once() {
        for with_initializer in [false, true] {
            let made = with_event_members(&class(with_initializer), &MEMBERS)
                .unwrap()
                .unwrap();
            let cf = ClassFile::parse(&made).unwrap();
            cf.check().unwrap();
            assert_eq!((cf.fields.len(), cf.methods.len()), (3, 6));
            let again = with_event_members(&made, &MEMBERS).unwrap().unwrap();
            let cf = ClassFile::parse(&again).unwrap();
            assert_eq!((cf.fields.len(), cf.methods.len()), (3, 6));
        }
    }

    #[test]
    fn an_initializer_begins_with_the_call() {
        let made = with_event_members(&class(true), &MEMBERS).unwrap().unwrap();
        let cf = ClassFile::parse(&made).unwrap();
        let mut text = Vec::new();
        crate::dis::disassemble(&cf, &mut text).unwrap();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("p/Recorder"), "{text}");
        let code = cf.methods[0].attributes.code.as_ref().unwrap();
        assert_eq!(code.code[CALL..], [0xA7, 0, 3, RETURN]);
        assert_eq!((code.max_stack, code.line_of(CALL as u16)), (1, Some(7)));
    }

    #[test]
    fn malformed_files_are_errors() {
        let whole = class(true);
        for end in 0..whole.len() - 2 {
            assert!(
                with_event_members(&whole[..end], &MEMBERS).is_err(),
                "{end}"
            );
        }
    }
}
