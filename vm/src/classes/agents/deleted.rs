//! Methods that a new class file lacks, where they may be deleted: they stay in the class as methods that throw, since code
//! that has resolved them still calls them, and reflection has their numbers.

use super::same::Pair;
use crate::classes::acc;
use rjvm_classfile::descriptor::MethodDescriptor;
use rjvm_classfile::{ClassFile, MethodInfo, opcodes as op};

/// Whether a method may be added to a class or deleted from it: nothing overrides it, and it overrides nothing.
pub(super) fn is_alone(m: &MethodInfo) -> bool {
    m.access_flags & acc::PRIVATE != 0 && m.access_flags & (acc::STATIC | acc::FINAL) != 0
}

/// A class file with the methods of the old one that it lacks, and their places in the old one. `None` if it lacks none that
/// may be deleted, or cannot be read.
pub(super) fn put_back(
    old: &ClassFile,
    new: &ClassFile,
    bytes: &[u8],
) -> Option<(Vec<u8>, Vec<usize>)> {
    let files = Pair { old, new };
    let is_there = |m: &MethodInfo| new.methods.iter().any(|n| files.method(m, n));
    let lacks = |m: &MethodInfo| is_alone(m) && !is_there(m);
    let all = old.methods.iter().enumerate();
    let deleted: Vec<usize> = all.filter(|(_, m)| lacks(m)).map(|(i, _)| i).collect();
    if deleted.is_empty() {
        return None;
    }
    let shape = Shape::of(bytes)?;
    let mut pool = Constants::after(shape.constants);
    let code = pool.text(b"Code");
    let class = pool.text(b"java/lang/NoSuchMethodError");
    let class = pool.add(7, &class.to_be_bytes());
    let (init, desc) = (pool.text(b"<init>"), pool.text(b"()V"));
    let init = pool.add(12, &pair(init, desc));
    let init = pool.add(10, &pair(class, init));
    let mut methods = Vec::new();
    for &i in &deleted {
        let m = &old.methods[i];
        let name = old.constant_pool.utf8(m.name).ok()?;
        let desc = old.constant_pool.utf8(m.descriptor).ok()?;
        let parameters = MethodDescriptor::parse(std::str::from_utf8(desc).ok()?)
            .ok()?
            .parameter_slots;
        let locals = parameters + u16::from(m.access_flags & acc::STATIC == 0);
        let [c0, c1] = class.to_be_bytes();
        let [i0, i1] = init.to_be_bytes();
        let body = [
            op::NEW,
            c0,
            c1,
            op::DUP,
            op::INVOKESPECIAL,
            i0,
            i1,
            op::ATHROW,
        ];
        let flags = m.access_flags & !acc::NATIVE;
        for half in [flags, pool.text(name), pool.text(desc), 1, code] {
            methods.extend(half.to_be_bytes());
        }
        methods.extend((12 + body.len() as u32).to_be_bytes());
        methods.extend(pair(2, locals));
        methods.extend((body.len() as u32).to_be_bytes());
        methods.extend(body);
        // neither handlers nor attributes
        methods.extend([0; 4]);
    }
    let count = u16::try_from(usize::from(shape.methods) + deleted.len()).ok()?;
    let (constants, end) = (pool.count?, shape.methods_end);
    let mut file = bytes[..8].to_vec();
    file.extend(constants.to_be_bytes());
    file.extend(&bytes[10..shape.pool_end]);
    file.extend(pool.bytes);
    file.extend(&bytes[shape.pool_end..shape.methods_start]);
    file.extend(count.to_be_bytes());
    file.extend(&bytes[shape.methods_start + 2..end]);
    file.extend(methods);
    file.extend(&bytes[end..]);
    Some((file, deleted))
}

fn pair(a: u16, b: u16) -> [u8; 4] {
    let ([a, b], [c, d]) = (a.to_be_bytes(), b.to_be_bytes());
    [a, b, c, d]
}

/// Constants that come after those of a class file.
struct Constants {
    bytes: Vec<u8>,
    /// How many there are with them; none if they are too many.
    count: Option<u16>,
}

impl Constants {
    fn after(count: u16) -> Constants {
        Constants {
            bytes: Vec::new(),
            count: Some(count),
        }
    }
    /// The number of a new constant.
    fn add(&mut self, tag: u8, content: &[u8]) -> u16 {
        self.bytes.push(tag);
        self.bytes.extend(content);
        let number = self.count.unwrap_or(0);
        self.count = self.count.and_then(|n| n.checked_add(1));
        number
    }
    fn text(&mut self, text: &[u8]) -> u16 {
        let len = text.len() as u16;
        self.add(1, &[&len.to_be_bytes(), text].concat())
    }
}

/// Where parts of a class file are (JVMS 4.1).
struct Shape {
    /// One more than the number of the last constant.
    constants: u16,
    pool_end: usize,
    /// The count of methods.
    methods_start: usize,
    methods: u16,
    methods_end: usize,
}

impl Shape {
    fn of(bytes: &[u8]) -> Option<Shape> {
        let mut at = 8;
        let constants = half(bytes, &mut at)?;
        let mut number = 1;
        while number < constants {
            let tag = *bytes.get(at)?;
            at += 1;
            let len = match tag {
                1 => usize::from(half(bytes, &mut at)?),
                3 | 4 | 9..=12 | 17 | 18 => 4,
                5 | 6 => 8,
                7 | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                _ => return None,
            };
            at += len;
            number += if matches!(tag, 5 | 6) { 2 } else { 1 };
        }
        let pool_end = at;
        // flags, this class, superclass
        at += 6;
        let interfaces = half(bytes, &mut at)?;
        at += usize::from(interfaces) * 2;
        members(bytes, &mut at)?;
        let methods_start = at;
        let methods = members(bytes, &mut at)?;
        bytes.get(at..)?;
        Some(Shape {
            constants,
            pool_end,
            methods_start,
            methods,
            methods_end: at,
        })
    }
}

/// Skips fields or methods; how many there are.
fn members(bytes: &[u8], at: &mut usize) -> Option<u16> {
    let count = half(bytes, at)?;
    for _ in 0..count {
        *at += 6;
        for _ in 0..half(bytes, at)? {
            *at += 2;
            let len = u32::from(half(bytes, at)?) << 16 | u32::from(half(bytes, at)?);
            *at += len as usize;
        }
    }
    Some(count)
}

fn half(bytes: &[u8], at: &mut usize) -> Option<u16> {
    let two = bytes.get(*at..*at + 2)?;
    *at += 2;
    Some(u16::from_be_bytes([two[0], two[1]]))
}
