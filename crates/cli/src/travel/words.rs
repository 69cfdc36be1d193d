//! Names of a stopped program for a front end: what completes a word, its source files, the calls of a line.

use super::looks::{Looked, Looks};
use super::reading;
use super::seen::{FrameAt, SeenCall, SeenWord};
use super::values;
use rjvm_classfile::{ConstantPool, opcodes};
use rjvm_vm::Vm;
use rjvm_vm::classes::acc;
use rjvm_vm::inspect::FrameInfo;
use rjvm_vm::instruments::{ClassView, MethodView};
use std::collections::BTreeSet;

/// Names that complete a word, at most.
const MOST_WORDS: usize = 1000;

fn word(name: impl Into<String>, kind: &str) -> SeenWord {
    SeenWord {
        name: name.into(),
        kind: kind.into(),
    }
}

/// Where the word at the end of a text begins, and the path of names before its dot: `b.c` of `a + b.c.wo`.
pub fn last_word(text: &str) -> (&str, usize) {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let is_path = |c: char| is_part(c) || matches!(c, '.' | '[' | ']');
    let word = text.trim_end_matches(is_part).len();
    let of = text[..word].strip_suffix('.').unwrap_or_default();
    (&of[of.trim_end_matches(is_path).len()..], word)
}

impl Looks {
    /// The names that begin with a word: locals and members of `this`, or the members of the expression before the word.
    pub(super) fn words(
        &mut self,
        vm: &mut Vm,
        frame: Option<FrameAt>,
        of: &str,
        begin: &str,
    ) -> Looked<Vec<SeenWord>> {
        let known = match frame {
            Some(at) => Some(self.frame(vm, at)?),
            None => None,
        };
        let own = known.as_ref().map(|(info, _)| vm.method(info.id).class);
        let locals = known.map_or_else(Vec::new, |(info, frame)| {
            super::looks::locals(&info, &frame)
        });
        let local = |name: &str| locals.iter().find(|l| l.0 == name).map(|l| l.1);
        let mut all: BTreeSet<SeenWord> = BTreeSet::new();
        let (class, with_object) = if of.is_empty() {
            // a local without a name has its slot's number, which is no word
            let named = locals.iter().filter(|l| !l.0.contains(' '));
            all.extend(named.map(|l| word(l.0.clone(), "variable")));
            (own, local("this").is_some())
        } else {
            let parts = values::parts(of).ok();
            let found = parts.and_then(|parts| reading::path(vm, &parts, local).ok());
            match found.map(|v| v.object()) {
                Some(object) => (object.map(|r| vm.class_of(r)), true),
                None => (class_of_name(vm, of), false),
            }
        };
        if let Some(class) = class {
            if vm.class(class).is_array() {
                all.insert(word("length", "field"));
            }
            let mut classes = vec![class];
            classes.extend(ClassView::new(vm, class).supertypes().map(|c| c.id()));
            for c in classes {
                for (i, f) in vm.class(c).fields.iter().enumerate() {
                    let is_static = f.access & acc::STATIC != 0;
                    if f.index != u16::MAX && (is_static || with_object) {
                        all.insert(word(reading::field_type(vm, (c, i)).0, "field"));
                    }
                }
                for &m in &vm.class(c).methods {
                    let view = MethodView::new(vm, m);
                    let hidden = vm.method(m).access & acc::SYNTHETIC != 0;
                    if !view.name().starts_with('<') && !hidden && (view.is_static() || with_object)
                    {
                        all.insert(word(view.name(), "method"));
                    }
                }
            }
        }
        let begins = |w: &SeenWord| w.name.starts_with(begin);
        Ok(all.into_iter().filter(begins).take(MOST_WORDS).collect())
    }
}

fn class_of_name(vm: &Vm, name: &str) -> Option<rjvm_vm::ClassId> {
    let is = |c: &rjvm_vm::ClassId| {
        let class = ClassView::new(vm, *c);
        let full = class.name();
        full == name || !name.contains('.') && full.rsplit(['.', '$']).next() == Some(name)
    };
    vm.debug_classes().into_iter().find(is)
}

/// The source files of loaded classes that the class library does not have.
pub fn files(vm: &Vm) -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    for class in vm.debug_classes() {
        let view = ClassView::new(vm, class);
        let Some(&method) = vm.class(class).methods.first() else {
            continue;
        };
        if view.is_library() || view.is_hidden() {
            continue;
        }
        if let Some(file) = MethodView::new(vm, method).source_file() {
            let name = view.name();
            let package = name
                .rsplit_once('.')
                .map_or(String::new(), |p| p.0.replace('.', "/") + "/");
            all.insert(package + file);
        }
    }
    all.into_iter().collect()
}

/// The calls that a frame has still to make on its line, in code order. Those of the class library are left out, where the class is
/// loaded.
pub fn calls(vm: &Vm, info: &FrameInfo) -> Vec<SeenCall> {
    let (Some(bci), Some(line)) = (info.bci, info.line) else {
        return Vec::new();
    };
    let Some(code) = vm.method(info.id).code() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for insn in opcodes::insns(code.bytes()).flatten() {
        let at = insn.pc as u16;
        if at < bci || code.attr().line_of(at) != Some(line) {
            continue;
        }
        let bytes = &code.bytes()[insn.pc..];
        // the four that name a method
        if !(0xb6..=0xb9).contains(&bytes[0]) || bytes.len() < 3 {
            continue;
        }
        let index = u16::from_be_bytes([bytes[1], bytes[2]]);
        let Some((class, method)) = member(&code.cf.constant_pool, index) else {
            continue;
        };
        let loaded = vm
            .debug_classes()
            .into_iter()
            .find(|c| *vm.class(*c).name == *class);
        if loaded.is_some_and(|c| ClassView::new(vm, c).is_library()) {
            continue;
        }
        found.push(SeenCall {
            bci: at,
            name: format!("{}.{method}", class.replace('/', ".")),
        });
    }
    found
}

fn member(pool: &ConstantPool, index: u16) -> Option<(String, String)> {
    let member = pool.member_ref(index).ok()?;
    Some((member.class.to_owned(), member.name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::last_word;

    #[test]
    fn a_word_has_a_path_before_it() {
        for (text, of, word) in [
            ("", "", ""),
            ("wo", "", "wo"),
            ("a + b.c[1].wo", "b.c[1]", "wo"),
            ("a.", "a", ""),
            ("print été.x", "été", "x"),
            ("f(x", "", "x"),
        ] {
            let (found, at) = last_word(text);
            assert_eq!((found, &text[at..]), (of, word), "{text}");
        }
    }
}
