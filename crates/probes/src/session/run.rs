//! Evaluation.

use super::{EvaluationError, State};
use crate::ast::{Binary, Unary};
use crate::code::{Compiled, Op};
use crate::gathered::{Num, Slot};
use crate::hit::{Hit, Number, Text};
use crate::source::Span;
use crate::value::{Part, Sym, Val};

/// Keys of an entry at most.
const MAX_KEYS: usize = 16;

impl State {
    #[inline]
    pub(super) fn pop(&mut self) -> Val {
        self.stack.pop().unwrap_or(Val::Null)
    }

    /// Strings and objects of the event are gone.
    #[inline]
    pub(super) fn event_over(&mut self, hit: &mut dyn Hit) {
        if self.objects_kept {
            self.objects_kept = false;
            if let Some((thread, mut vars)) = self.current.take() {
                for var in &mut vars {
                    *var = self.keepable(*var, hit);
                }
                self.current = Some((thread, vars));
            }
        }
        self.stack.clear();
        self.strings.forget();
    }

    #[cold]
    pub(super) fn trouble(
        &mut self,
        what: EvaluationError,
        span: Span,
        about: impl FnOnce() -> String,
    ) {
        self.trouble
            .entry((what, span.source, span.start))
            .or_insert_with(|| (span, 0, about()))
            .1 += 1;
    }

    /// The running thread's variables.
    fn vars(&mut self, count: usize, hit: &mut dyn Hit) -> &mut Vec<Val> {
        let thread = hit.number(Number::ThreadId).unwrap_or(-1);
        if self.current.as_ref().is_none_or(|(t, _)| *t != thread) {
            if let Some((old, vars)) = self.current.take() {
                self.vars.insert(old, vars);
            }
            let vars = self
                .vars
                .remove(&thread)
                .unwrap_or_else(|| vec![Val::Null; count]);
            self.current = Some((thread, vars));
        }
        &mut self
            .current
            .get_or_insert_with(|| (thread, vec![Val::Null; count]))
            .1
    }

    /// Pops the keys of a map.
    #[inline]
    fn key(&mut self, count: usize, hit: &mut dyn Hit) -> Option<[Part; MAX_KEYS]> {
        let mut key = [Part::Null; MAX_KEYS];
        for i in (0..count.min(MAX_KEYS)).rev() {
            let value = self.pop();
            key[i] = self.part(value, hit)?;
        }
        Some(key)
    }

    /// With a key's slot.
    #[inline]
    fn with_slot(
        &mut self,
        compiled: &Compiled,
        map: u32,
        hit: &mut dyn Hit,
        act: impl FnOnce(&mut Slot),
    ) {
        let info = &compiled.maps[map as usize];
        let map = map as usize;
        // The usual cases, without an array for all keys there may be.
        let one;
        let two;
        let few: Option<&[Part]> = match info.keys {
            0 => Some(&[]),
            1 => {
                let a = self.pop();
                let Some(a) = self.part(a, hit) else {
                    return;
                };
                one = [a];
                Some(&one)
            }
            2 => {
                let (b, a) = (self.pop(), self.pop());
                let (Some(a), Some(b)) = (self.part(a, hit), self.part(b, hit)) else {
                    return;
                };
                two = [a, b];
                Some(&two)
            }
            _ => None,
        };
        if let Some(key) = few {
            let slot = self.maps[map].slot(key, info, self.limits.keys, &mut self.memory);
            if let Some(slot) = slot {
                act(slot);
            }
            return;
        }
        let Some(key) = self.key(info.keys, hit) else {
            return;
        };
        if let Some(slot) =
            self.maps[map].slot(&key[..info.keys], info, self.limits.keys, &mut self.memory)
        {
            act(slot);
        }
    }

    /// Does an operation that is not among the frequent ones.
    pub(super) fn operation(
        &mut self,
        compiled: &Compiled,
        op: Op,
        span: Span,
        unit: usize,
        hit: &mut dyn Hit,
    ) {
        let value = match op {
            Op::Const(value) => value,
            Op::Number(what) => hit.number(what).map_or(Val::Null, Val::Int),
            Op::Text(Text::Point) => self.point(compiled, unit),
            Op::Text(what) => {
                let text = self.strings.temporary(|into| hit.text(what, into));
                text.map_or(Val::Null, Val::Str)
            }
            Op::Caller(n) => match hit.caller(n) {
                Some(frame) => Val::Str(self.method(frame.method, hit).0),
                None => Val::Null,
            },
            Op::Site => self.site(hit),
            Op::Stack { user, most } => self.frames(user, most, hit),
            Op::Var(i) => {
                let vars = self.vars(compiled.vars.len(), hit);
                vars.get(i as usize).copied().unwrap_or(Val::Null)
            }
            Op::Map(map) => {
                let keys = compiled.maps[map as usize].keys;
                match self.key(keys, hit) {
                    Some(key) => self.maps[map as usize]
                        .get(&key[..keys])
                        .map_or(Val::Null, Slot::val),
                    None => Val::Null,
                }
            }
            Op::MapLen(map) => Val::Int(self.maps[map as usize].len() as i64),
            Op::Field(place) => {
                let object = self.pop();
                self.field(compiled, object, place, span, hit)
            }
            Op::Index => {
                let (index, array) = (self.pop(), self.pop());
                self.element(array, index, span, hit)
            }
            Op::Unary(op) => {
                let value = self.pop();
                self.unary(op, value, span, hit)
            }
            Op::Call(function, count) => {
                let mut args = [Val::Null; 3];
                for i in (0..count.min(3) as usize).rev() {
                    args[i] = self.pop();
                }
                self.call(function, args, count as usize, span, hit)
            }
            Op::Truth => {
                let value = self.pop();
                Val::Bool(self.truth(value, span, hit))
            }
            Op::Count(map) => {
                return self.with_slot(compiled, map, hit, |slot| {
                    if let Slot::Count(n) = slot {
                        *n += 1;
                    }
                });
            }
            Op::Gather(map) => {
                let value = self.pop();
                match self.number(value, span, hit) {
                    Some(n) => {
                        let info = &compiled.maps[map as usize];
                        self.with_slot(compiled, map, hit, |slot| slot.add(info, n));
                    }
                    None => _ = self.key(compiled.maps[map as usize].keys, hit),
                }
                return;
            }
            Op::SetMap(map) => {
                let value = self.pop();
                let part = self.part(value, hit);
                return self.with_slot(compiled, map, hit, |slot| {
                    if let Some(part) = part {
                        *slot = Slot::Value(part);
                    }
                });
            }
            Op::UpdateMap(map, op) => return self.update(compiled, map, op, span, hit),
            Op::SetVar(i) => {
                let value = self.pop();
                let value = match value {
                    Val::Str(sym) => self.kept(sym).map_or(Val::Null, Val::Str),
                    Val::Object(_) => {
                        self.objects_kept = true;
                        value
                    }
                    value => value,
                };
                let vars = self.vars(compiled.vars.len(), hit);
                if let Some(var) = vars.get_mut(i as usize) {
                    *var = value;
                }
                return;
            }
            other => return self.act(compiled, other, span, hit),
        };
        self.stack.push(value);
    }

    /// `+=` and similar operators; a missing value is 0.
    fn update(&mut self, compiled: &Compiled, map: u32, op: Binary, span: Span, hit: &mut dyn Hit) {
        let value = self.pop();
        let keys = compiled.maps[map as usize].keys;
        let Some(key) = self.key(keys, hit) else {
            return;
        };
        let text = matches!(value, Val::Str(_) | Val::Object(_));
        let start = if op == Binary::Add && text {
            Val::Null
        } else {
            Val::Int(0)
        };
        let old = self.maps[map as usize]
            .get(&key[..keys])
            .map_or(start, Slot::val);
        let new = match (old, value) {
            (Val::Null, value) if text => value,
            (old, value) => self.binary(op, old, value, span, hit),
        };
        let Some(part) = self.part(new, hit) else {
            return;
        };
        let info = &compiled.maps[map as usize];
        if let Some(slot) =
            self.maps[map as usize].slot(&key[..keys], info, self.limits.keys, &mut self.memory)
        {
            *slot = Slot::Value(part);
        }
    }

    /// A statement, run for its effect.
    #[cold]
    fn act(&mut self, compiled: &Compiled, op: Op, span: Span, hit: &mut dyn Hit) {
        match op {
            Op::Delete(map) => {
                let info = &compiled.maps[map as usize];
                if let Some(key) = self.key(info.keys, hit) {
                    self.maps[map as usize].delete(&key[..info.keys], info, &mut self.memory);
                }
            }
            Op::Clear(map) => {
                self.maps[map as usize].clear(&compiled.maps[map as usize], &mut self.memory)
            }
            Op::Discard(map) => self.maps[map as usize].discarded = true,
            Op::PrintMap(map) => {
                let most = match self.pop() {
                    Val::Null => usize::MAX,
                    value => self
                        .number(value, span, hit)
                        .map_or(0, |n| n.int().max(0) as usize),
                };
                if self.may_print() {
                    let text = self.map_text(compiled, map as usize, most);
                    self.say(&text, text.matches('\n').count());
                }
            }
            Op::Print(count) => {
                let at = self.stack.len().saturating_sub(count as usize);
                let values = self.stack.split_off(at);
                if self.may_print() {
                    let mut line = String::new();
                    for (i, value) in values.into_iter().enumerate() {
                        if i > 0 {
                            line.push(' ');
                        }
                        self.write(value, &mut line, hit);
                    }
                    // a stack ends with its last frame's line
                    if !line.ends_with('\n') {
                        line.push('\n');
                    }
                    self.say(&line, line.matches('\n').count());
                }
            }
            Op::Printf(format) => {
                let format = &compiled.formats[format as usize];
                let at = self.stack.len().saturating_sub(format.values());
                let values = self.stack.split_off(at);
                if self.may_print() {
                    let mut text = String::new();
                    self.printf(format, &values, span, &mut text, hit);
                    self.say(&text, text.matches('\n').count().max(1));
                }
            }
            Op::Snapshot => self.snapshot = true,
            Op::Stop => {
                self.stop.get_or_insert(span);
            }
            _ => {}
        }
    }

    fn may_print(&mut self) -> bool {
        let may = self.lines < self.limits.lines;
        self.lines_refused += u64::from(!may);
        may
    }

    /// Prints so many lines, if there is memory for them where they are stored.
    fn say(&mut self, text: &str, lines: usize) {
        if self.keeps_output {
            let Some(rest) = self.memory.checked_sub(text.len()) else {
                self.strings_refused += 1;
                return;
            };
            self.memory = rest;
        }
        self.lines += lines;
        self.output.push_str(text);
    }

    fn point(&mut self, compiled: &Compiled, unit: usize) -> Val {
        if let Some(Some(sym)) = self.points.get(unit) {
            return Val::Str(*sym);
        }
        let text = compiled.units.get(unit).map(|u| u.point.to_string());
        let sym = self.strings.own(&text.unwrap_or_default());
        if let Some(point) = self.points.get_mut(unit) {
            *point = sym;
        }
        sym.map_or(Val::Null, Val::Str)
    }

    /// A string that stays.
    pub(super) fn kept(&mut self, sym: Sym) -> Option<Sym> {
        let kept = self.strings.keep(sym, &mut self.memory);
        self.strings_refused += u64::from(kept.is_none());
        kept
    }

    fn unary(&mut self, op: Unary, value: Val, span: Span, hit: &mut dyn Hit) -> Val {
        match op {
            Unary::Not => match value {
                Val::Bool(b) => Val::Bool(!b),
                value => Val::Bool(!self.truth(value, span, hit)),
            },
            Unary::Minus => match self.number(value, span, hit) {
                Some(Num::Int(n)) => Val::Int(n.wrapping_neg()),
                Some(Num::Float(x)) => Val::Float(-x),
                None => Val::Null,
            },
            Unary::Invert => match self.number(value, span, hit) {
                Some(n) => Val::Int(!n.int()),
                None => Val::Null,
            },
        }
    }
}

/// A value of the program as one of expressions.
#[inline]
pub(super) fn datum(datum: crate::hit::Datum) -> Val {
    use crate::hit::Datum;
    match datum {
        Datum::Absent | Datum::Null => Val::Null,
        Datum::Bool(b) => Val::Bool(b),
        Datum::Char(c) => Val::Int(i64::from(c)),
        Datum::Int(n) => Val::Int(n),
        Datum::Float(x) => Val::Float(x),
        Datum::Object(object) => Val::Object(object),
    }
}
