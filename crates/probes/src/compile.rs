//! From probes as written to code: names, types, and where each is known. Mistakes are found here, before anything runs.

mod expr;
mod stmt;

use crate::ast::{Expr, Kind, ScriptItem, Stmt};
use crate::builtins::{GATHERS, Gather, Ty};
use crate::code::{Body, Code, Compiled, MapInfo, Op, Unit};
use crate::hit::Number;
use crate::names::{at, kind};
use crate::parse::parse;
use crate::point::Point;
use crate::source::{MAX_SOURCE, Source, Span, SpannedMistake};
use crate::value::{Sym, Val};

/// What a probe without actions counts its hits in.
pub(crate) const HITS: &str = "probe";

/// Operations of all probes together.
const MAX_CODE: usize = 1 << 20;

pub fn compile(sources: &[Source]) -> Result<Compiled, SpannedMistake> {
    let nowhere = Span::default();
    if sources.iter().map(|s| s.text.len()).sum::<usize>() > MAX_SOURCE {
        return SpannedMistake::new(
            nowhere,
            format!("the probes are longer than {MAX_SOURCE} bytes"),
        );
    }
    let mut items = Vec::new();
    for (i, source) in sources.iter().enumerate() {
        let read = parse(source, i as u32)?;
        if read.is_empty() {
            let span = Span {
                source: i as u32,
                ..nowhere
            };
            return SpannedMistake::new(span, "the probe is missing");
        }
        items.extend(read);
    }
    let mut compiler = Compiler {
        out: Compiled::default(),
        at: 0,
        args: Vec::new(),
        code: Code::default(),
        captures: Vec::new(),
        captured: Vec::new(),
        in_capture: false,
    };
    for item in &items {
        compiler.declare(item)?;
    }
    for item in &items {
        compiler.item(item)?;
    }
    let mut out = compiler.out;
    for body in &mut out.bodies {
        for code in body.captures.iter_mut().chain([&mut body.code]) {
            code.finish(&out.maps);
        }
    }
    Ok(out)
}

/// A value that is remembered at entry.
#[derive(Clone, Debug, PartialEq)]
enum Captured {
    /// Of a text, which is the same if it means the same.
    Expr(String),
    Number(Number),
}

struct Compiler {
    out: Compiled,
    /// The points of the probe, as a set.
    at: u32,
    /// Types of arguments, if the same at all of its points.
    args: Vec<Option<String>>,
    code: Code,
    captures: Vec<Code>,
    captured: Vec<Captured>,
    in_capture: bool,
}

type CompileResult<T> = Result<T, SpannedMistake>;

impl Compiler {
    fn push(&mut self, op: Op, span: Span) {
        self.code.ops.push(op);
        self.code.spans.push(span);
    }

    /// A jump whose target is set later.
    fn jump(&mut self, op: Op, span: Span) -> usize {
        self.push(op, span);
        self.code.ops.len() - 1
    }

    /// Sets a jump's target to here.
    fn land(&mut self, jump: usize) {
        let here = self.code.ops.len() as u32;
        if let Some(op) = self.code.ops.get_mut(jump) {
            *op = match *op {
                Op::JumpUnless(_) => Op::JumpUnless(here),
                Op::JumpFalse(_) => Op::JumpFalse(here),
                Op::JumpTrue(_) => Op::JumpTrue(here),
                Op::Jump(_) => Op::Jump(here),
                other => other,
            };
        }
    }

    fn constant(&mut self, text: &str) -> Val {
        let strings = &mut self.out.strings;
        let i = strings.iter().position(|s| s == text).unwrap_or_else(|| {
            strings.push(text.to_owned());
            strings.len() - 1
        });
        Val::Str(Sym(i as u32))
    }

    /// Finds the maps that actions assign, with their kinds.
    fn declare(&mut self, item: &ScriptItem) -> CompileResult<()> {
        match &item.actions {
            Some(actions) => self.declare_in(actions),
            None => {
                let span = item.points.first().map_or_else(Span::default, |p| p.1);
                self.map(HITS, 1, Some((Gather::Count, (0, 0, 0))), span)?;
                Ok(())
            }
        }
    }

    fn declare_in(&mut self, stmts: &[Stmt]) -> CompileResult<()> {
        for stmt in stmts {
            match stmt {
                Stmt::SetMap(name, keys, op, value, span) => {
                    let gather = match (op, self.gather(value)?) {
                        (Some(_), Some(_)) => {
                            return SpannedMistake::new(value.span, "assign aggregations with =");
                        }
                        (_, gather) => gather,
                    };
                    self.map(name, keys.len(), gather, *span)?;
                }
                Stmt::If(_, then, otherwise) => {
                    self.declare_in(then)?;
                    self.declare_in(otherwise)?;
                }
                Stmt::SetVar(..) | Stmt::Do(_) => {}
            }
        }
        Ok(())
    }

    /// The aggregation that a value asks for, and the range of `lhist`.
    fn gather(&self, value: &Expr) -> CompileResult<Option<(Gather, (i64, i64, i64))>> {
        let Kind::Call(name, args) = &value.kind else {
            return Ok(None);
        };
        let Some((_, gather, most, _)) = GATHERS.iter().find(|(known, ..)| known == name) else {
            return Ok(None);
        };
        if args.len() != *most {
            let shape = match gather {
                Gather::Count => "count()".to_owned(),
                Gather::Lhist => "lhist(number, from, to, step)".to_owned(),
                _ => format!("{name}(number)"),
            };
            return SpannedMistake::new(value.span, format!("expected {shape}"));
        }
        if *gather != Gather::Lhist {
            return Ok(Some((*gather, (0, 0, 0))));
        }
        let number = |e: &Expr| match &e.kind {
            Kind::Int(n) => Ok(*n),
            Kind::Unary(crate::ast::Unary::Minus, inner) => match inner.kind {
                Kind::Int(n) => Ok(-n),
                _ => SpannedMistake::new(
                    e.span,
                    "expected a number that is known before the program runs",
                ),
            },
            _ => SpannedMistake::new(
                e.span,
                "expected a number that is known before the program runs",
            ),
        };
        let (from, to, step) = (number(&args[1])?, number(&args[2])?, number(&args[3])?);
        if step < 1 || from >= to {
            return SpannedMistake::new(
                value.span,
                "from must be less than to, and the step must be at least 1",
            );
        }
        if (i128::from(to) - i128::from(from)) / i128::from(step) > 1000 {
            return SpannedMistake::new(value.span, "a histogram has at most 1000 steps");
        }
        Ok(Some((*gather, (from, to, step))))
    }

    /// The number of a map that is assigned.
    fn map(
        &mut self,
        name: &str,
        keys: usize,
        gather: Option<(Gather, (i64, i64, i64))>,
        span: Span,
    ) -> CompileResult<u32> {
        let range = gather.map_or((0, 0, 0), |(_, range)| range);
        let gather = gather.map(|(gather, _)| gather);
        if keys > 16 {
            return SpannedMistake::new(span, "a map has at most 16 keys in an entry");
        }
        if let Some(i) = self.out.maps.iter().position(|m| m.name == name) {
            let known = &self.out.maps[i];
            arity(known, keys, span)?;
            let reported = |g: Option<Gather>| g.map_or("values", Gather::name);
            if known.gather != gather {
                return SpannedMistake::new(
                    span,
                    format!(
                        "@{name} gathers {} elsewhere, and {} here",
                        reported(known.gather),
                        reported(gather)
                    ),
                );
            }
            if known.range != range {
                return SpannedMistake::new(span, format!("@{name} has another range elsewhere"));
            }
            return Ok(i as u32);
        }
        self.out.maps.push(MapInfo {
            name: name.to_owned(),
            keys,
            gather,
            range,
        });
        Ok((self.out.maps.len() - 1) as u32)
    }

    fn item(&mut self, item: &ScriptItem) -> CompileResult<()> {
        self.at = item.points.iter().fold(0, |set, (p, _)| set | kind(p));
        self.args = common_args(&item.points);
        self.code = Code::default();
        self.captures.clear();
        self.captured.clear();
        let mut skip = None;
        if let Some(predicate) = &item.predicate {
            let ty = self.expr(predicate)?;
            self.truth(ty, predicate.span)?;
            skip = Some(self.jump(Op::JumpUnless(0), predicate.span));
        }
        match &item.actions {
            Some(actions) => self.stmts(actions)?,
            None => {
                let span = item.points.first().map_or_else(Span::default, |p| p.1);
                let map = self.map(HITS, 1, Some((Gather::Count, (0, 0, 0))), span)?;
                self.push(Op::Text(crate::hit::Text::Point), span);
                self.push(Op::Count(map), span);
            }
        }
        if let Some(skip) = skip {
            self.land(skip);
        }
        let total: usize = self.out.bodies.iter().map(|b| b.code.ops.len()).sum();
        if total + self.code.ops.len() > MAX_CODE {
            return SpannedMistake::new(item.points[0].1, "there are too many actions");
        }
        let body = self.out.bodies.len() as u32;
        self.out.bodies.push(Body {
            code: std::mem::take(&mut self.code),
            captures: std::mem::take(&mut self.captures),
        });
        for (point, span) in &item.points {
            self.out.units.push(Unit {
                point: point.clone(),
                span: *span,
                body,
            });
        }
        Ok(())
    }

    /// Converts the pushed value to true or false.
    fn truth(&mut self, ty: Ty, span: Span) -> CompileResult<()> {
        match ty {
            Ty::Bool => Ok(()),
            Ty::Any => {
                self.push(Op::Truth, span);
                Ok(())
            }
            ty => SpannedMistake::new(
                span,
                format!("expected true or false, but this is {}", ty.reported()),
            ),
        }
    }

    /// Is an exit among the probe's points?
    fn at_exit(&self) -> bool {
        self.at & at::EXIT != 0 && !self.in_capture
    }
}

fn arity(map: &MapInfo, keys: usize, span: Span) -> CompileResult<()> {
    if map.keys == keys {
        return Ok(());
    }
    let reported = |n| match n {
        0 => "no key".to_owned(),
        1 => "one key".to_owned(),
        n => format!("{n} keys"),
    };
    let message = format!(
        "@{} has {} elsewhere, and {} here",
        map.name,
        reported(map.keys),
        reported(keys)
    );
    SpannedMistake::new(span, message)
}

/// Types of the arguments by the patterns of all points.
fn common_args(points: &[(Point, Span)]) -> Vec<Option<String>> {
    let mut common: Option<Vec<Option<String>>> = None;
    for (point, _) in points {
        let pattern = match point {
            Point::Entry(p)
            | Point::Return(p)
            | Point::Throw(p)
            | Point::Around(p)
            | Point::Block(p)
            | Point::Line { within: p, .. }
            | Point::Bytecode { within: p, .. }
            | Point::Call { callee: p, .. } => p,
            _ => return Vec::new(),
        };
        let Some(types) = pattern.known_parameters() else {
            return Vec::new();
        };
        common = Some(match common {
            None => types.into_iter().map(Some).collect(),
            Some(old) if old.len() == types.len() => old
                .into_iter()
                .zip(types)
                .map(|(a, b)| a.filter(|a| *a == b))
                .collect(),
            Some(_) => return Vec::new(),
        });
    }
    common.unwrap_or_default()
}
