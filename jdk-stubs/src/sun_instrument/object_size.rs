//! How large HotSpot would make an object with its default layout: compressed references and class pointers, a header of
//! 12 bytes (16 with an array's length), multiples of 8. The layout here is different. What HotSpot adds to single
//! classes (`Class`, `Thread`, `ClassLoader`, ...) is not in it.

use rjvm_vm::classes::{ClassKind, acc};
use rjvm_vm::{ClassId, Env, Ref};

const HEADER: usize = 12;
const ARRAY_HEADER: usize = 16;

fn up(n: usize, to: usize) -> usize {
    n.next_multiple_of(to)
}

/// Bytes of a value of a type.
fn size_of(ty: u8) -> usize {
    match ty {
        b'Z' | b'B' => 1,
        b'C' | b'S' => 2,
        b'J' | b'D' => 8,
        _ => 4,
    }
}

/// Fields that are laid out, with the gaps between them.
struct Layout {
    end: usize,
    gaps: Vec<(usize, usize)>,
}

impl Layout {
    /// A field takes the smallest gap that it fits into, or follows all others.
    fn place(&mut self, size: usize) {
        let fits = |&(at, len): &(usize, usize)| up(at, size) + size <= at + len;
        let mut best: Option<usize> = None;
        for i in (0..self.gaps.len()).rev() {
            let smaller = best.is_none_or(|b| self.gaps[i].1 < self.gaps[b].1);
            if fits(&self.gaps[i]) && smaller {
                best = Some(i);
            }
        }
        let (at, len) = match best {
            Some(i) => self.gaps.remove(i),
            None => (self.end, usize::MAX - self.end),
        };
        let start = up(at, size);
        if start > at {
            self.gaps.push((at, start - at));
        }
        match best {
            None => self.end = start + size,
            Some(_) if start + size < at + len => {
                self.gaps.push((start + size, at + len - start - size));
            }
            Some(_) => {}
        }
        self.gaps.sort_unstable();
    }
}

/// Bytes of an instance of a class.
fn instance_size(vm: &Env, class: ClassId) -> usize {
    let mut chain = Vec::new();
    let mut next = Some(class);
    while let Some(c) = next {
        chain.push(c);
        next = vm.class(c).super_class;
    }
    let mut layout = Layout {
        end: HEADER,
        gaps: Vec::new(),
    };
    for c in chain.into_iter().rev() {
        let fields = vm.class(c).fields.iter();
        let own = fields.filter(|f| f.access & acc::STATIC == 0 && f.index != u16::MAX);
        let (references, mut primitives): (Vec<u8>, Vec<u8>) =
            own.map(|f| f.ty).partition(|ty| matches!(ty, b'L' | b'['));
        primitives.sort_by_key(|&ty| std::cmp::Reverse(size_of(ty)));
        for ty in primitives.into_iter().chain(references) {
            layout.place(size_of(ty));
        }
    }
    up(layout.end, 8)
}

/// Bytes of an object.
pub fn object_size(vm: &Env, object: Ref) -> i64 {
    let class = vm.class_of(object);
    let bytes = match vm.class(class).kind {
        ClassKind::Array(element) => {
            let each = match vm.class(element).kind {
                ClassKind::Primitive(ty) => size_of(ty),
                _ => 4,
            };
            up(ARRAY_HEADER + vm.heap().len(object) * each, 8)
        }
        _ => instance_size(vm, class),
    };
    bytes as i64
}
