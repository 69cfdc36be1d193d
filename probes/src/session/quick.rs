//! The usual bodies, known as such when they are compiled: a comparison of a number with a constant, perhaps, and one thing that is
//! gathered. Where a value is no integer after all, nothing has been done yet, and the steps run.

use super::State;
use super::steps::holds;
use crate::ast::Binary;
use crate::code::{Code, Compiled};
use crate::gathered::{Num, Slot};
use crate::hit::{Datum, Hit};
use crate::steps::{Operand, Step};
use crate::value::{Part, Val};

/// An integer of the event.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Whole {
    Arg(u32),
    /// What it is about.
    Value,
}

/// What is a key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    None,
    Whole(Whole),
    Method,
    Thread,
}

/// A body that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quick {
    test: Option<(Binary, Whole, i64)>,
    map: u32,
    key: Key,
    /// None: it is counted.
    value: Option<Whole>,
}

fn whole(operand: Operand) -> Option<Whole> {
    match operand {
        Operand::Arg(n) => Some(Whole::Arg(n)),
        Operand::Value => Some(Whole::Value),
        _ => None,
    }
}

fn key(operand: Operand) -> Option<Key> {
    match operand {
        Operand::Method => Some(Key::Method),
        Operand::Thread => Some(Key::Thread),
        other => whole(other).map(Key::Whole),
    }
}

impl Quick {
    /// A body, if it is such a one.
    pub fn of(code: &Code) -> Option<Quick> {
        let (test, last) = match code.steps.steps[..] {
            [Step::Unless(op, a, Operand::Const(Val::Int(n)), 2), last] => {
                (Some((op, whole(a)?, n)), last)
            }
            [last] => (None, last),
            _ => return None,
        };
        let (map, key, value) = match last {
            Step::Count(map) => (map, Key::None, None),
            Step::CountOf(map, k) => (map, key(k)?, None),
            Step::Gather(map, value) => (map, Key::None, Some(whole(value)?)),
            Step::GatherOf(map, k, value) => (map, key(k)?, Some(whole(value)?)),
            _ => return None,
        };
        Some(Quick {
            test,
            map,
            key,
            value,
        })
    }
}

impl State {
    /// Does what the body says. False: nothing has been done.
    #[inline(always)]
    pub(super) fn quick<H: Hit>(
        &mut self,
        quick: &Quick,
        compiled: &Compiled,
        hit: &mut H,
    ) -> bool {
        if let Some((op, of, n)) = quick.test {
            let Some(is) = ask(of, hit) else {
                return false;
            };
            match holds(op, is, n) {
                Some(true) => {}
                Some(false) => return true,
                None => return false,
            }
        }
        let value = match quick.value {
            None => 0,
            Some(value) => match ask(value, hit) {
                Some(value) => value,
                None => return false,
            },
        };
        let one;
        let key: &[Part] = match quick.key {
            Key::None => &[],
            Key::Whole(of) => match ask(of, hit) {
                Some(n) => {
                    one = [Part::Int(n)];
                    &one
                }
                None => return false,
            },
            Key::Method => {
                let Some(method) = hit.method() else {
                    return false;
                };
                let name = Val::Str(self.method(method, hit).0);
                let Some(part) = self.part(name, hit) else {
                    return true;
                };
                one = [part];
                &one
            }
            Key::Thread => {
                let name = self.thread_name(hit);
                let Some(part) = self.part(name, hit) else {
                    return true;
                };
                one = [part];
                &one
            }
        };
        let (slot, info) = match quick.key {
            Key::None => self.only_slot(compiled, quick.map),
            _ => self.slot(compiled, quick.map, key),
        };
        match slot {
            Some(Slot::Count(n)) => *n += 1,
            Some(slot) => {
                if !slot.add_int(info, value) {
                    slot.add(info, Num::Int(value));
                }
            }
            None => {}
        }
        true
    }
}

/// An integer, if it is one.
#[inline(always)]
fn ask<H: Hit>(of: Whole, hit: &mut H) -> Option<i64> {
    match of {
        Whole::Arg(n) => hit.whole_arg(n),
        Whole::Value => match hit.value() {
            Datum::Int(n) => Some(n),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::source::Source;

    fn is_quick(probe: &str) -> bool {
        let source = Source::new("", format!("return:M::f(int) {probe}"));
        let compiled = compile(&[source]).expect("a probe");
        Quick::of(&compiled.bodies[0].code).is_some()
    }

    #[test]
    fn usual_bodies_are_known() {
        for probe in [
            "{ @ = count() }",
            "/ret > 10/ { @ = count() }",
            "/ret == -1/ { @[method] = sum(ret) }",
            "{ @[ret] = count() }",
            "{ @[thread] = hist(ret) }",
        ] {
            assert!(is_quick(probe), "{probe}");
        }
        for probe in [
            "{ @[ret + 1] = count() }",
            "/ret > 10 || ret < 5/ { @ = count() }",
            "{ @ = count(); @b = count() }",
            "{ @[ret, method] = count() }",
            "{ @ = ret }",
        ] {
            assert!(!is_quick(probe), "{probe}");
        }
    }
}
