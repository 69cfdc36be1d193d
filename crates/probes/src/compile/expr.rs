//! Expressions.

use super::{Captured, CompileResult, Compiler, arity};
use crate::ast::{Binary, Expr, Kind, Unary};
use crate::builtins::{FUNCTIONS, GATHERS, Gather, Ty};
use crate::code::{Code, Op};
use crate::hit::{Number, Text};
use crate::names::{Builtin, ELAPSED, NAMES, at};
use crate::source::{Span, SpannedMistake, meant};
use crate::value::Val;

/// Frames of a stack whose number is not reported.
const FRAMES: u32 = 32;

impl Compiler {
    /// Pushes a value.
    pub(super) fn expr(&mut self, expr: &Expr) -> CompileResult<Ty> {
        let span = expr.span;
        if self.at_exit() && of_argument(expr) {
            return self.capture(expr);
        }
        match &expr.kind {
            Kind::Int(n) => self.value(Op::Const(Val::Int(*n)), Ty::Int, span),
            Kind::Float(x) => self.value(Op::Const(Val::Float(*x)), Ty::Float, span),
            Kind::Bool(b) => self.value(Op::Const(Val::Bool(*b)), Ty::Bool, span),
            Kind::Null => self.value(Op::Const(Val::Null), Ty::Any, span),
            Kind::Str(text) => {
                let constant = self.constant(text);
                self.value(Op::Const(constant), Ty::Str, span)
            }
            Kind::Name(name) => self.name(name, span),
            Kind::Var(name) => match self.out.vars.iter().position(|v| v == name) {
                Some(i) => self.value(Op::Var(i as u32), Ty::Any, span),
                None => {
                    let hint = meant(name, self.out.vars.iter().map(String::as_str));
                    SpannedMistake::new(span, format!("${name} has not been assigned before{hint}"))
                }
            },
            Kind::Map(name, keys) => {
                let map = self.known_map(name, keys.len(), span)?;
                let gather = self.out.maps[map as usize].gather;
                let ty = match gather {
                    Some(Gather::Count) => Ty::Int,
                    Some(
                        g @ (Gather::Hist | Gather::Lhist | Gather::Quantiles | Gather::Stats),
                    ) => {
                        let name = g.name();
                        return SpannedMistake::new(
                            span,
                            format!(
                                "{name}() aggregates: its result can be printed, but is not a value"
                            ),
                        );
                    }
                    _ => Ty::Any,
                };
                self.keys(keys)?;
                self.value(Op::Map(map), ty, span)
            }
            Kind::Call(name, args) => self.call(name, args, span),
            Kind::Field(object, name) => self.field(object, name, span),
            Kind::Index(array, index) => {
                match self.expr(array)? {
                    Ty::Any | Ty::Object => {}
                    ty => {
                        return SpannedMistake::new(
                            array.span,
                            format!("expected an array, but this is {}", ty.reported()),
                        );
                    }
                }
                let ty = self.expr(index)?;
                number(ty, index.span)?;
                self.value(Op::Index, Ty::Any, span)
            }
            Kind::Unary(op, inside) => {
                let ty = self.expr(inside)?;
                match op {
                    Unary::Not => {
                        self.truth(ty, inside.span)?;
                        self.value(Op::Unary(*op), Ty::Bool, span)
                    }
                    Unary::Minus | Unary::Invert => {
                        number(ty, inside.span)?;
                        self.value(Op::Unary(*op), ty, span)
                    }
                }
            }
            Kind::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                let ty = self.expr(left)?;
                self.truth(ty, left.span)?;
                let jump = self.jump(
                    match op {
                        Binary::And => Op::JumpFalse(0),
                        _ => Op::JumpTrue(0),
                    },
                    span,
                );
                let ty = self.expr(right)?;
                self.truth(ty, right.span)?;
                self.land(jump);
                Ok(Ty::Bool)
            }
            Kind::Binary(op, left, right) => {
                let a = self.expr(left)?;
                let b = self.expr(right)?;
                let ty = binary(*op, (a, left.span), (b, right.span), span)?;
                self.value(Op::Binary(*op), ty, span)
            }
            Kind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let ty = self.expr(condition)?;
                self.truth(ty, condition.span)?;
                let skip = self.jump(Op::JumpUnless(0), condition.span);
                let a = self.expr(then)?;
                let end = self.jump(Op::Jump(0), span);
                self.land(skip);
                let b = self.expr(otherwise)?;
                self.land(end);
                Ok(if a == b { a } else { Ty::Any })
            }
        }
    }

    fn value(&mut self, op: Op, ty: Ty, span: Span) -> CompileResult<Ty> {
        self.push(op, span);
        Ok(ty)
    }

    /// Pushes the keys of a map.
    pub(super) fn keys(&mut self, keys: &[Expr]) -> CompileResult<()> {
        for key in keys {
            self.expr(key)?;
        }
        Ok(())
    }

    /// A map that is assigned somewhere.
    pub(super) fn known_map(&self, name: &str, keys: usize, span: Span) -> CompileResult<u32> {
        let Some(i) = self.out.maps.iter().position(|m| m.name == name) else {
            let hint = meant(name, self.out.maps.iter().map(|m| m.name.as_str()));
            let hint = hint.replace('\'', "").replace("mean ", "mean @");
            return SpannedMistake::new(span, format!("@{name} is not assigned anywhere{hint}"));
        };
        arity(&self.out.maps[i], keys, span)?;
        Ok(i as u32)
    }

    /// Remembers at entry the value of an expression over arguments.
    fn capture(&mut self, expr: &Expr) -> CompileResult<Ty> {
        if self.at & !at::EXIT != 0 {
            return SpannedMistake::new(
                expr.span,
                "arguments belong to the entered or left method: write separate probes for entry and return",
            );
        }
        let outer = std::mem::take(&mut self.code);
        self.in_capture = true;
        let ty = self.expr(expr);
        self.in_capture = false;
        let code = std::mem::replace(&mut self.code, outer);
        let ty = ty?;
        // Fields are numbered by place; for what is the same, they are not.
        let text = format!("{:?}", without_places(&expr.kind));
        let slot = self.captured(Captured::Expr(text), code);
        self.push(Op::Captured(slot), expr.span);
        Ok(ty)
    }

    fn captured(&mut self, what: Captured, code: Code) -> u32 {
        let i = self.captured.iter().position(|c| *c == what);
        let i = i.unwrap_or_else(|| {
            self.captured.push(what);
            self.captures.push(code);
            self.captures.len() - 1
        });
        i as u32
    }

    fn name(&mut self, name: &str, span: Span) -> CompileResult<Ty> {
        if let Some(n) = argument(name) {
            return self.argument(n, span);
        }
        if name == "elapsed" {
            return self.elapsed("bytecodes", span, span);
        }
        let Some(named) = NAMES.iter().find(|n| n.name == name) else {
            if FUNCTIONS.iter().any(|f| f.name == name) || GATHERS.iter().any(|g| g.0 == name) {
                return SpannedMistake::new(span, format!("{name} is a function: write {name}(…)"));
            }
            let known = NAMES.iter().map(|n| n.name).chain(["arg0", "elapsed"]);
            let hint = meant(name, known);
            return SpannedMistake::new(span, format!("unknown name '{name}'{hint}"));
        };
        if self.at & !named.at != 0 {
            let known: Vec<&str> = points_of(named.at);
            return SpannedMistake::new(
                span,
                format!(
                    "{name} is not available at {}, only at {}",
                    points_of(self.at & !named.at).join(", "),
                    known.join(", ")
                ),
            );
        }
        let op = match named.builtin {
            Builtin::Number(n) => Op::Number(n),
            Builtin::Text(t) => Op::Text(t),
            Builtin::This => Op::This,
            Builtin::Value => Op::Value,
            Builtin::Method => Op::Method,
            Builtin::Caller => Op::Caller(1),
            Builtin::Site => Op::Site,
            Builtin::Stack => Op::Stack {
                user: false,
                most: FRAMES,
            },
            Builtin::UserStack => Op::Stack {
                user: true,
                most: FRAMES,
            },
            Builtin::Point => Op::Text(Text::Point),
        };
        self.value(op, named.ty, span)
    }

    fn argument(&mut self, n: u32, span: Span) -> CompileResult<Ty> {
        let with = at::ENTRY | at::EXIT | at::CALL | at::INSIDE;
        if self.at & !with != 0 {
            let known = points_of(with).join(", ");
            let here = points_of(self.at & !with).join(", ");
            return SpannedMistake::new(
                span,
                format!("arguments are not available at {here}, only at {known}"),
            );
        }
        let ty = match self.args.get(n as usize) {
            Some(Some(ty)) => match ty.as_str() {
                "int" | "long" | "short" | "byte" | "char" => Ty::Int,
                "double" | "float" => Ty::Float,
                "boolean" => Ty::Bool,
                "String" | "java.lang.String" => Ty::Object,
                ty if ty.ends_with("[]") => Ty::Object,
                _ => Ty::Any,
            },
            Some(None) => Ty::Any,
            None if self.args.is_empty() => Ty::Any,
            None => {
                let count = self.args.len();
                let reported = match count {
                    1 => "one argument, arg0".to_owned(),
                    _ => format!("{count} arguments, arg0 to arg{}", count - 1),
                };
                return SpannedMistake::new(span, format!("the method has {reported}"));
            }
        };
        self.value(Op::Arg(n), ty, span)
    }

    /// `elapsed.what`
    fn elapsed(&mut self, what: &str, name: Span, span: Span) -> CompileResult<Ty> {
        if self.at & !at::EXIT != 0 {
            return SpannedMistake::new(
                span,
                "elapsed is available only at return, throw and around",
            );
        }
        let Some((_, number)) = ELAPSED.iter().find(|(known, _)| *known == what) else {
            let known: Vec<&str> = ELAPSED.iter().map(|(n, _)| *n).collect();
            let hint = meant(what, known.iter().copied());
            return SpannedMistake::new(name, format!("elapsed has {}{hint}", known.join(", ")));
        };
        match number {
            None => self.push(Op::Number(Number::ElapsedBytecodes), span),
            Some(number) => {
                let code = Code {
                    ops: vec![Op::Number(*number)],
                    spans: vec![span],
                    ..Code::default()
                };
                let slot = self.captured(Captured::Number(*number), code);
                self.push(Op::Number(*number), span);
                self.push(Op::Captured(slot), span);
                self.push(Op::Binary(Binary::Subtract), span);
            }
        }
        Ok(Ty::Int)
    }

    fn field(&mut self, object: &Expr, name: &str, span: Span) -> CompileResult<Ty> {
        if matches!(&object.kind, Kind::Name(n) if n == "elapsed") {
            let at = Span {
                start: object.span.end + 1,
                ..span
            };
            return self.elapsed(name, at, span);
        }
        match self.expr(object)? {
            Ty::Any | Ty::Object => {}
            ty => {
                return SpannedMistake::new(
                    object.span,
                    format!("only objects have fields, but this is {}", ty.reported()),
                );
            }
        }
        self.out.fields.push(name.to_owned());
        let place = (self.out.fields.len() - 1) as u32;
        self.value(Op::Field(place), Ty::Any, span)
    }

    fn call(&mut self, name: &str, args: &[Expr], span: Span) -> CompileResult<Ty> {
        if let "caller" | "stack" | "ustack" = name {
            let most = if name == "caller" { 255 } else { 1024 };
            let n = match args {
                [
                    Expr {
                        kind: Kind::Int(n), ..
                    },
                ] if (1..=most).contains(n) => *n as u32,
                _ => {
                    return SpannedMistake::new(
                        span,
                        format!("expected {name}(n), with a number from 1 to {most}"),
                    );
                }
            };
            self.name(name, span)?;
            if let Some(op) = self.code.ops.last_mut() {
                *op = match *op {
                    Op::Stack { user, .. } => Op::Stack { user, most: n },
                    _ => Op::Caller(n),
                };
            }
            return Ok(if name == "caller" { Ty::Str } else { Ty::Stack });
        }
        if name == "len"
            && let [
                Expr {
                    kind: Kind::Map(map, keys),
                    span: at,
                    ..
                },
            ] = args
            && keys.is_empty()
            && let Some(i) = self
                .out
                .maps
                .iter()
                .position(|m| m.name == *map && m.keys > 0)
        {
            return self.value(Op::MapLen(i as u32), Ty::Int, *at);
        }
        let Some(f) = FUNCTIONS.iter().find(|f| f.name == name) else {
            if GATHERS.iter().any(|(known, ..)| *known == name) {
                return SpannedMistake::new(
                    span,
                    format!("{name}() aggregates: assign it to a map, as in @x = {name}(…)"),
                );
            }
            if crate::builtins::ACTIONS
                .iter()
                .any(|(known, _)| *known == name)
            {
                return SpannedMistake::new(
                    span,
                    format!("{name}() is an action and has no value"),
                );
            }
            if NAMES.iter().any(|n| n.name == name) {
                return SpannedMistake::new(span, format!("{name} is a value, not a function"));
            }
            let hint = meant(
                name,
                FUNCTIONS
                    .iter()
                    .map(|f| f.name)
                    .chain(GATHERS.iter().map(|g| g.0)),
            );
            return SpannedMistake::new(span, format!("unknown function '{name}'{hint}"));
        };
        let most = f.parameters.len();
        if args.len() > most || args.len() < most - f.optional {
            let reported = match (most - f.optional, most) {
                (1, 1) => "one value".to_owned(),
                (a, b) if a == b => format!("{a} values"),
                (a, b) => format!("{a} or {b} values"),
            };
            return SpannedMistake::new(span, format!("{name} takes {reported}"));
        }
        for (arg, wanted) in args.iter().zip(f.parameters) {
            let ty = self.expr(arg)?;
            let good = match wanted {
                Ty::Str => matches!(ty, Ty::Str | Ty::Any | Ty::Object),
                Ty::Int | Ty::Float => matches!(ty, Ty::Int | Ty::Float | Ty::Any),
                _ => true,
            };
            if !good {
                return SpannedMistake::new(
                    arg.span,
                    format!(
                        "{name} takes {} here, but this is {}",
                        wanted.reported(),
                        ty.reported()
                    ),
                );
            }
        }
        self.value(Op::Call(f.function, args.len() as u32), f.result, span)
    }
}

/// `arg0` and so on.
fn argument(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("arg")?;
    let good = digits == "0" || !digits.starts_with('0');
    digits.parse().ok().filter(|n| good && *n < 256)
}

/// Only made of an argument and what it leads to?
fn of_argument(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Name(name) => argument(name).is_some(),
        Kind::Field(object, _) => of_argument(object),
        Kind::Index(array, index) => {
            of_argument(array) && (matches!(index.kind, Kind::Int(_)) || of_argument(index))
        }
        Kind::Call(name, args) => {
            matches!(args.as_slice(), [arg] if of_argument(arg))
                && FUNCTIONS.iter().any(|f| f.name == name)
        }
        _ => false,
    }
}

/// An expression as text, without spans.
fn without_places(kind: &Kind) -> String {
    match kind {
        Kind::Name(name) => name.clone(),
        Kind::Int(n) => n.to_string(),
        Kind::Field(object, name) => format!("{}.{name}", without_places(&object.kind)),
        Kind::Index(array, index) => format!(
            "{}[{}]",
            without_places(&array.kind),
            without_places(&index.kind)
        ),
        Kind::Call(name, args) => {
            let args: Vec<String> = args.iter().map(|a| without_places(&a.kind)).collect();
            format!("{name}({})", args.join(","))
        }
        _ => String::new(),
    }
}

pub(super) fn number(ty: Ty, span: Span) -> CompileResult<()> {
    match ty {
        Ty::Any | Ty::Int | Ty::Float => Ok(()),
        ty => SpannedMistake::new(
            span,
            format!("expected a number, but this is {}", ty.reported()),
        ),
    }
}

/// The type of an operation's result.
pub(super) fn binary(op: Binary, a: (Ty, Span), b: (Ty, Span), span: Span) -> CompileResult<Ty> {
    let text = |ty| matches!(ty, Ty::Str | Ty::Object | Ty::Any);
    match op {
        Binary::Add if a.0 == Ty::Str || b.0 == Ty::Str => Ok(Ty::Str),
        Binary::Equal | Binary::Unequal => {
            let numbers = |ty| matches!(ty, Ty::Int | Ty::Float);
            let wrong = match (a.0, b.0) {
                (Ty::Any, _) | (_, Ty::Any) => false,
                (x, y) if x == y || numbers(x) && numbers(y) => false,
                (Ty::Str, Ty::Object) | (Ty::Object, Ty::Str) => false,
                _ => true,
            };
            if wrong {
                return SpannedMistake::new(
                    span,
                    format!("{} is never {}", a.0.reported(), b.0.reported()),
                );
            }
            Ok(Ty::Bool)
        }
        Binary::Like => {
            for (ty, at) in [a, b] {
                if !text(ty) {
                    return SpannedMistake::new(
                        at,
                        format!("expected a string, but this is {}", ty.reported()),
                    );
                }
            }
            Ok(Ty::Bool)
        }
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
            if a.0 == Ty::Str && text(b.0) || b.0 == Ty::Str && text(a.0) {
                return Ok(Ty::Bool);
            }
            number(a.0, a.1)?;
            number(b.0, b.1)?;
            Ok(Ty::Bool)
        }
        _ => {
            number(a.0, a.1)?;
            number(b.0, b.1)?;
            Ok(match (a.0, b.0) {
                (Ty::Int, Ty::Int) => Ty::Int,
                (Ty::Any, _) | (_, Ty::Any) => Ty::Any,
                _ => Ty::Float,
            })
        }
    }
}

/// Points of a set, as words.
pub(super) fn points_of(set: u32) -> Vec<&'static str> {
    let all = [
        (at::BEGIN_END, "BEGIN and END"),
        (at::ENTRY, "entry"),
        (at::RETURN, "return"),
        (at::THROW, "throw"),
        (at::AROUND, "around"),
        (at::CALL, "call"),
        (at::INSIDE, "block, line and bytecode"),
        (at::ALLOC, "alloc"),
        (at::FIELD, "read and write"),
        (at::MONITOR, "monitor:enter and exit"),
        (at::WAITED, "monitor:contended and wait"),
        (at::THREAD, "thread"),
        (at::CLASS, "class"),
        (at::GC_START, "gc:start"),
        (at::GC_END, "gc:end"),
        (at::EXCEPTION, "exception"),
        (at::IO, "io"),
        (at::EVERY, "every"),
    ];
    all.iter()
        .filter(|(bit, _)| set & bit != 0)
        .map(|(_, name)| *name)
        .collect()
}
