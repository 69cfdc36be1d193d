//! The usual bodies, known as such when they are compiled: comparisons and arithmetic of integers, and one thing that is gathered at the end,
//! under two keys at most. Nothing is done before the end, so where a value is not an integer after all, or a key is new, the
//! steps run as if nothing had been tried.

use super::State;
use super::steps::{Names, holds, whole};
use crate::ast::Binary;
use crate::builtins::Gather;
use crate::code::{Body, MapInfo, Op};
use crate::hit::{Datum, FastEvent, Hit, MethodId, Text};
use crate::maps::ShortKey;
use crate::steps::{Operand, Step};
use crate::value::{Part, Sym, Val};

/// An integer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Term {
    Const(i64),
    Arg(u32),
    /// The subject of the event.
    Value,
    /// A made value, by number.
    Made(u8),
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Key {
    Whole(Term),
    Method,
    Caller,
    Thread,
}

/// An action before something is gathered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum QuickAction {
    Make(Binary, Term, Term),
    /// All has ended unless it holds.
    Unless(Binary, Term, Term),
}

/// A body that is known.
#[derive(Clone, Debug)]
pub(super) struct Quick {
    first: Box<[QuickAction]>,
    map: u32,
    key: Option<Key>,
    /// The second one.
    key2: Option<Key>,
    /// Constant if it is counted.
    value: Term,
    gather: Gather,
    /// Events at which the steps had to run.
    failed: u64,
}

/// Most integers that are made: a power of two.
const MADE: usize = 8;

/// An item on the stack when a body is analysed.
#[derive(Clone, Copy)]
enum StackItem {
    Key(Key),
    /// A comparison.
    Truth(Binary, Term, Term),
}

/// Makes a quick body of steps.
#[derive(Default)]
struct QuickCompiler {
    stack: Vec<StackItem>,
    first: Vec<QuickAction>,
    made: u8,
}

impl QuickCompiler {
    fn take(&mut self, operand: Operand) -> Option<StackItem> {
        Some(StackItem::Key(match operand {
            Operand::Stack => return self.stack.pop(),
            Operand::Const(Val::Int(n)) => Key::Whole(Term::Const(n)),
            Operand::Arg(n) => Key::Whole(Term::Arg(n)),
            Operand::Value => Key::Whole(Term::Value),
            Operand::Method => Key::Method,
            Operand::Thread => Key::Thread,
            _ => return None,
        }))
    }

    fn key(&mut self, operand: Operand) -> Option<Key> {
        match self.take(operand)? {
            StackItem::Key(key) => Some(key),
            StackItem::Truth(..) => None,
        }
    }

    fn term(&mut self, operand: Operand) -> Option<Term> {
        match self.key(operand)? {
            Key::Whole(term) => Some(term),
            _ => None,
        }
    }

    /// Two operands, of which the second one is nearer to the top.
    fn terms(&mut self, a: Operand, b: Operand) -> Option<(Term, Term)> {
        let b = self.term(b)?;
        Some((self.term(a)?, b))
    }

    /// All has ended unless the comparison on top holds.
    fn truth(&mut self) -> Option<()> {
        let StackItem::Truth(op, a, b) = self.stack.pop()? else {
            return None;
        };
        self.first.push(QuickAction::Unless(op, a, b));
        Some(())
    }

    /// A step that is not the last one. `ends`: all has ended at a place; `lands`: so it is where the step jumps to with false on top.
    fn step(&mut self, step: Step, ends: impl Fn(u32) -> bool, lands: bool) -> Option<()> {
        match step {
            Step::Push(operand) => {
                let item = self.take(operand)?;
                self.stack.push(item);
            }
            Step::Op(Op::Caller(1)) => self.stack.push(StackItem::Key(Key::Caller)),
            Step::Binary(op, a, b) => {
                let (a, b) = self.terms(a, b)?;
                let item = if holds(op, 0, 0).is_some() {
                    StackItem::Truth(op, a, b)
                } else if whole(op, 0, 1).is_some() && usize::from(self.made) < MADE {
                    self.first.push(QuickAction::Make(op, a, b));
                    self.made += 1;
                    StackItem::Key(Key::Whole(Term::Made(self.made - 1)))
                } else {
                    return None;
                };
                self.stack.push(item);
            }
            Step::Unless(op, a, b, to) if ends(to) => {
                let (a, b) = self.terms(a, b)?;
                self.first.push(QuickAction::Unless(op, a, b));
            }
            Step::JumpUnless(to) if ends(to) => self.truth()?,
            Step::JumpFalse(_) if lands => self.truth()?,
            _ => return None,
        }
        Some(())
    }
}

impl Quick {
    /// A body, if it is such a one.
    pub fn of(body: &Body, maps: &[MapInfo]) -> Option<Quick> {
        let (last, steps) = body.code.steps.steps.split_last()?;
        let ends = |to: u32| to as usize > steps.len();
        let mut maker = QuickCompiler::default();
        for step in steps {
            // false stays on top until it leads to the end
            let mut lands = *step;
            while let Step::JumpFalse(to) = lands {
                lands = *steps.get(to as usize)?;
            }
            let lands = matches!(lands, Step::JumpUnless(to) if ends(to));
            maker.step(*step, ends, lands)?;
        }
        let top = Operand::Stack;
        let (map, value, key2, key) = match *last {
            Step::Count(map) => (map, None, None, None),
            Step::CountOf(map, key) => (map, None, None, Some(key)),
            Step::Gather(map, value) => (map, Some(value), None, None),
            Step::GatherOf(map, key, value) => (map, Some(value), None, Some(key)),
            Step::Op(Op::Count(map)) => (map, None, Some(top), Some(top)),
            Step::Op(Op::Gather(map)) => (map, Some(top), Some(top), Some(top)),
            _ => return None,
        };
        let info = maps.get(map as usize)?;
        let many = usize::from(key.is_some()) + usize::from(key2.is_some());
        let value = match value {
            Some(value) => maker.term(value)?,
            None => Term::Const(0),
        };
        let mut key_of = |of: Option<Operand>| match of {
            Some(operand) => maker.key(operand).map(Some),
            None => Some(None),
        };
        let (key2, key) = (key_of(key2)?, key_of(key)?);
        (info.keys == many && maker.stack.is_empty()).then_some(Quick {
            first: maker.first.into(),
            map,
            key,
            key2,
            value,
            gather: info.gather?,
            failed: 0,
        })
    }
}

/// The data at hand of an event that can be asked to provide more.
pub(super) struct FastView<'h, H>(pub &'h mut H);

impl<H: Hit> FastEvent for FastView<'_, H> {
    #[inline(always)]
    fn arg(&mut self, n: u32) -> Option<i64> {
        whole_of(self.0.arg(n))
    }
    #[inline(always)]
    fn value(&mut self) -> Option<i64> {
        whole_of(self.0.value())
    }
    #[inline(always)]
    fn method(&mut self) -> Option<MethodId> {
        self.0.method()
    }
    fn caller(&mut self) -> Option<MethodId> {
        self.0.caller(1).map(|frame| frame.method)
    }
    #[inline(always)]
    fn thread(&mut self) -> Option<u64> {
        self.0.stamp(Text::Thread)
    }
}

fn whole_of(datum: Datum) -> Option<i64> {
    match datum {
        Datum::Int(n) => Some(n),
        _ => None,
    }
}

impl State {
    /// Runs the body of a point. False: nothing has been done. `None`: the body cannot run at once.
    #[inline(always)]
    pub(super) fn quick<G: FastEvent>(&mut self, point: usize, at: &mut G) -> Option<bool> {
        let quick = self.quick.get(point)?.as_ref()?;
        let mut room;
        let mut made = &[0; MADE];
        if !quick.first.is_empty() {
            room = [0; MADE];
            match passes(&quick.first, &mut room, at) {
                Some(true) => {}
                Some(false) => return Some(self.hit(point)),
                None => return self.slow(point),
            }
            made = &room;
        }
        let mut key = None;
        if let Some(of) = quick.key {
            let Some(first) = part(of, made, at, &self.methods, &mut self.names) else {
                return self.slow(point);
            };
            let short = ShortKey::one(first);
            key = Some(short);
            if let Some(of) = quick.key2 {
                let Some(second) = second(of, made, at, &self.methods, &mut self.names) else {
                    return self.slow(point);
                };
                key = Some(short.and(second));
            }
        }
        let Some(value) = get(quick.value, made, at) else {
            return self.slow(point);
        };
        // a key that is new, or a bucket, is added by the steps
        let map = self.maps.get_mut(quick.map as usize);
        let slot = map.and_then(|map| map.known(key));
        let added = slot.is_some_and(|slot| slot.add_int(quick.gather, value));
        Some(added && self.hit(point))
    }

    /// A point has been reached, and all is done.
    #[inline(always)]
    fn hit(&mut self, point: usize) -> bool {
        if let Some(hits) = self.hits.get_mut(point) {
            *hits += 1;
        }
        true
    }

    /// The steps have to run. Where that is so too often, nothing else is tried.
    #[cold]
    fn slow(&mut self, point: usize) -> Option<bool> {
        let hits = self.hits.get(point).copied()?;
        let place = self.quick.get_mut(point)?;
        let quick = place.as_mut()?;
        quick.failed += 1;
        if quick.failed > 1000 && quick.failed > hits / 2 {
            *place = None;
            return None;
        }
        Some(false)
    }
}

/// Makes the values. False: all has ended. `None`: a value is not an integer.
#[inline(always)]
fn passes<G: FastEvent>(first: &[QuickAction], made: &mut [i64; MADE], at: &mut G) -> Option<bool> {
    let mut next = 0;
    for step in first {
        match *step {
            QuickAction::Unless(op, a, b) => {
                let (a, b) = (get(a, made, at)?, get(b, made, at)?);
                if !holds(op, a, b)? {
                    return Some(false);
                }
            }
            QuickAction::Make(op, a, b) => {
                let (a, b) = (get(a, made, at)?, get(b, made, at)?);
                made[next % MADE] = whole(op, a, b)?;
                next += 1;
            }
        }
    }
    Some(true)
}

/// A part of a key, if it is known.
#[inline(always)]
fn part<G: FastEvent>(
    key: Key,
    made: &[i64; MADE],
    at: &mut G,
    methods: &[Option<(Sym, bool)>],
    names: &mut Names,
) -> Option<Part> {
    let name = |m: MethodId| methods.get(m.0 as usize).copied().flatten();
    Some(match key {
        Key::Whole(term) => Part::Int(get(term, made, at)?),
        Key::Method => Part::Str(name(at.method()?)?.0.0),
        Key::Caller => Part::Str(name(at.caller()?)?.0.0),
        Key::Thread => match names.known(at.thread()?)? {
            Val::Str(name) => Part::Str(name.0),
            _ => return None,
        },
    })
}

/// The same where it is needed less often.
#[inline(never)]
fn second<G: FastEvent>(
    key: Key,
    made: &[i64; MADE],
    at: &mut G,
    methods: &[Option<(Sym, bool)>],
    names: &mut Names,
) -> Option<Part> {
    part(key, made, at, methods, names)
}

/// An integer, if it is one.
#[inline(always)]
fn get<G: FastEvent>(term: Term, made: &[i64; MADE], at: &mut G) -> Option<i64> {
    match term {
        Term::Const(n) => Some(n),
        Term::Arg(n) => at.arg(n),
        Term::Value => at.value(),
        Term::Made(n) => Some(made[usize::from(n) % MADE]),
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
        Quick::of(&compiled.bodies[0], &compiled.maps).is_some()
    }

    #[test]
    fn usual_bodies_are_known() {
        for probe in [
            "{ @ = count() }",
            "/ret > 10/ { @ = count() }",
            "/ret == -1/ { @[method] = sum(ret) }",
            "{ @[ret] = count() }",
            "{ @[thread] = hist(ret) }",
            "{ @[ret + 1] = count() }",
            "{ @[caller] = count() }",
            "{ @[ret, method] = count() }",
            "{ @[thread, ret & 7] = sum((ret - 1) * 3 + ret / 2) }",
            "/ret > 10 && ret % 5 < 3 && 4 > ret/ { @[ret] = avg(ret) }",
        ] {
            assert!(is_quick(probe), "{probe}");
        }
        for probe in [
            "/ret > 10 || ret < 5/ { @ = count() }",
            "{ @ = count(); @b = count() }",
            "{ @[ret, method, thread] = count() }",
            "{ @ = sum(ret | 1) }",
            "{ @[ret > 10] = count() }",
            "{ @ = ret }",
            "{ @[caller(2)] = count() }",
            "/ret/ { @ = count() }",
            "{ @ = sum(1+(1+(1+(1+(1+(1+(1+(1+(1+ret))))))))) }",
        ] {
            assert!(!is_quick(probe), "{probe}");
        }
    }
}
