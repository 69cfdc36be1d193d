//! Actions.

use super::expr::{binary, number};
use super::{CompileResult, Compiler};
use crate::ast::{Expr, Kind, Stmt};
use crate::builtins::{ACTIONS, FUNCTIONS, Gather, Ty};
use crate::code::Op;
use crate::format::Format;
use crate::source::{Span, SpannedMistake, meant};
use crate::value::Val;

impl Compiler {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) -> CompileResult<()> {
        stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> CompileResult<()> {
        match stmt {
            Stmt::SetMap(name, keys, op, value, span) => {
                let gather = self.gather(value)?;
                let map = self.map(name, keys.len(), gather, *span)?;
                self.keys(keys)?;
                match (gather, &value.kind) {
                    (Some((Gather::Count, _)), _) => self.push(Op::Count(map), *span),
                    (Some(_), Kind::Call(_, args)) => {
                        let ty = self.expr(&args[0])?;
                        number(ty, args[0].span)?;
                        self.push(Op::Gather(map), value.span);
                    }
                    _ => {
                        let ty = self.expr(value)?;
                        match op {
                            Some(op) => {
                                binary(*op, (Ty::Any, *span), (ty, value.span), *span)?;
                                self.push(Op::UpdateMap(map, *op), *span);
                            }
                            None => self.push(Op::SetMap(map), *span),
                        }
                    }
                }
                Ok(())
            }
            Stmt::SetVar(name, op, value, span) => {
                if self.gather(value)?.is_some() {
                    return SpannedMistake::new(value.span, "only maps (@) aggregate");
                }
                let known = self.out.vars.iter().position(|v| v == name);
                if let Some(op) = op {
                    let Some(i) = known else {
                        return SpannedMistake::new(
                            *span,
                            format!("${name} has not been assigned before"),
                        );
                    };
                    self.push(Op::Var(i as u32), *span);
                    let ty = self.expr(value)?;
                    binary(*op, (Ty::Any, *span), (ty, value.span), *span)?;
                    self.push(Op::Binary(*op), *span);
                } else {
                    self.expr(value)?;
                }
                let i = known.unwrap_or_else(|| {
                    self.out.vars.push(name.clone());
                    self.out.vars.len() - 1
                });
                if i >= 1024 {
                    return SpannedMistake::new(*span, "there are more than 1024 variables");
                }
                self.push(Op::SetVar(i as u32), *span);
                Ok(())
            }
            Stmt::If(condition, then, otherwise) => {
                let ty = self.expr(condition)?;
                self.truth(ty, condition.span)?;
                let skip = self.jump(Op::JumpUnless(0), condition.span);
                self.stmts(then)?;
                if otherwise.is_empty() {
                    self.land(skip);
                    return Ok(());
                }
                let end = self.jump(Op::Jump(0), condition.span);
                self.land(skip);
                self.stmts(otherwise)?;
                self.land(end);
                Ok(())
            }
            Stmt::Do(expr) => match &expr.kind {
                Kind::Call(name, args) => self.action(name, args, expr.span),
                Kind::Name(name) if ACTIONS.iter().any(|(known, _)| known == name) => {
                    SpannedMistake::new(
                        expr.span,
                        format!("{name} is an action: expected {name}(…), with parentheses"),
                    )
                }
                _ => SpannedMistake::new(expr.span, "expected an action: this value would be lost"),
            },
        }
    }

    fn action(&mut self, name: &str, args: &[Expr], span: Span) -> CompileResult<()> {
        let one_map = |wanted: &str| match args {
            [
                Expr {
                    kind: Kind::Map(map, keys),
                    span: at,
                    ..
                },
            ] => Ok((map, keys, *at)),
            _ => SpannedMistake::new(span, format!("expected {wanted}")),
        };
        let whole = |c: &Compiler, map: &str, at: Span| {
            let keys = c
                .out
                .maps
                .iter()
                .find(|m| m.name == map)
                .map_or(0, |m| m.keys);
            c.known_map(map, keys, at)
        };
        match name {
            "clear" | "discard" => {
                let (map, keys, at) = one_map(&format!("{name}(@map)"))?;
                if !keys.is_empty() {
                    return SpannedMistake::new(
                        at,
                        "expected a whole map; delete(@m[k]) forgets one key",
                    );
                }
                let map = whole(self, map, at)?;
                let op = match name {
                    "clear" => Op::Clear(map),
                    _ => Op::Discard(map),
                };
                self.push(op, span);
            }
            "delete" => {
                let (map, keys, at) = one_map("delete(@map[key])")?;
                let map = self.known_map(map, keys.len(), at)?;
                self.keys(keys)?;
                self.push(Op::Delete(map), span);
            }
            "print" => return self.print(args, span),
            "printf" => {
                let Some(Expr {
                    kind: Kind::Str(text),
                    span: at,
                    ..
                }) = args.first()
                else {
                    return SpannedMistake::new(
                        span,
                        "expected a format in quotes: printf(\"%s %d\\n\", …)",
                    );
                };
                let format =
                    Format::parse(text).or_else(|message| SpannedMistake::new(*at, message))?;
                let values = &args[1..];
                if format.values() != values.len() {
                    return SpannedMistake::new(
                        span,
                        format!(
                            "the number of placeholders ({}) differs from the number of values ({})",
                            format.values(),
                            values.len()
                        ),
                    );
                }
                for (i, value) in values.iter().enumerate() {
                    let ty = self.expr(value)?;
                    if format.wants_number(i) {
                        number(ty, value.span)?;
                    }
                }
                self.out.formats.push(format);
                let i = self.out.formats.len() - 1;
                self.push(Op::Printf(i as u32), span);
            }
            "snapshot" | "stop" => {
                if !args.is_empty() {
                    return SpannedMistake::new(span, format!("expected {name}()"));
                }
                let op = match name {
                    "stop" => Op::Stop,
                    _ => Op::Snapshot,
                };
                self.push(op, span);
            }
            _ => {
                let actions = ACTIONS.iter().map(|(known, _)| *known);
                if FUNCTIONS.iter().any(|f| f.name == name) {
                    return SpannedMistake::new(
                        span,
                        "expected an action: this value would be lost",
                    );
                }
                if crate::builtins::GATHERS
                    .iter()
                    .any(|(known, ..)| *known == name)
                {
                    return SpannedMistake::new(
                        span,
                        format!("{name}() aggregates: assign it to a map, as in @x = {name}(…)"),
                    );
                }
                let hint = meant(name, actions);
                return SpannedMistake::new(span, format!("unknown action '{name}'{hint}"));
            }
        }
        Ok(())
    }

    /// Values in a line, or a map.
    fn print(&mut self, args: &[Expr], span: Span) -> CompileResult<()> {
        if let Some(Expr {
            kind: Kind::Map(name, keys),
            span: at,
            ..
        }) = args.first()
        {
            let has_keys = self
                .out
                .maps
                .iter()
                .any(|m| m.name == *name && (m.keys > 0 || m.gather.is_some()));
            if keys.is_empty() && has_keys {
                let count = self
                    .out
                    .maps
                    .iter()
                    .find(|m| m.name == *name)
                    .map_or(0, |m| m.keys);
                let map = self.known_map(name, count, *at)?;
                match &args[1..] {
                    [] => self.push(Op::Const(Val::Null), span),
                    [count] => {
                        let ty = self.expr(count)?;
                        number(ty, count.span)?;
                    }
                    _ => {
                        return SpannedMistake::new(
                            span,
                            "expected print(@map) or print(@map, how many)",
                        );
                    }
                }
                self.push(Op::PrintMap(map), span);
                return Ok(());
            }
        }
        if args.is_empty() {
            return SpannedMistake::new(span, "print accepts values, or a map");
        }
        for arg in args {
            self.expr(arg)?;
        }
        self.push(Op::Print(args.len() as u32), span);
        Ok(())
    }
}
