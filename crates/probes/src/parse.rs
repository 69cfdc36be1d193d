//! From text to probes as they are written.

use crate::ast::{Binary, Expr, Kind, ScriptItem, Stmt, Unary};
use crate::lex::{Lexer, Token};
use crate::points::point;
use crate::source::{Source, Span, SpannedMistake};

/// Levels of expressions inside each other, and of blocks.
const MAX_DEPTH: u32 = 100;

/// All probes of a source.
pub fn parse(source: &Source, number: u32) -> Result<Vec<ScriptItem>, SpannedMistake> {
    let lexer = Lexer {
        text: &source.text,
        source: number,
        at: 0,
    };
    let mut parser = Parser {
        lexer,
        next: (Token::End, Span::default()),
        slash_ends: false,
        depth: 0,
    };
    parser.items()
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token that has been looked at.
    next: (Token, Span),
    /// A `/` is the predicate's end.
    slash_ends: bool,
    depth: u32,
}

type Read<T> = Result<T, SpannedMistake>;

impl Parser<'_> {
    fn items(&mut self) -> Read<Vec<ScriptItem>> {
        let mut items = Vec::new();
        loop {
            self.lexer.skip()?;
            while self.lexer.rest().starts_with(';') {
                self.lexer.at += 1;
                self.lexer.skip()?;
            }
            if self.lexer.rest().is_empty() {
                return Ok(items);
            }
            items.push(self.item()?);
        }
    }

    fn item(&mut self) -> Read<ScriptItem> {
        let mut points = vec![point(&mut self.lexer)?];
        loop {
            self.lexer.skip()?;
            if !self.lexer.rest().starts_with(',') {
                break;
            }
            self.lexer.at += 1;
            points.push(point(&mut self.lexer)?);
        }
        let rest = self.lexer.rest();
        let mut predicate = None;
        if rest.starts_with('/') {
            let open = self.lexer.span(self.lexer.at, self.lexer.at + 1);
            self.lexer.at += 1;
            self.advance()?;
            self.slash_ends = true;
            let read = self.expr()?;
            self.slash_ends = false;
            if self.next.0 != Token::Sign("/") {
                if self.next.0 == Token::End {
                    return SpannedMistake::new(open, "the predicate does not end: / is missing");
                }
                return self.unexpected("expected / at the predicate's end");
            }
            predicate = Some(read);
            self.lexer.skip()?;
        }
        let rest = self.lexer.rest();
        let actions = if rest.starts_with('{') {
            self.lexer.at += 1;
            self.advance()?;
            let body = self.body()?;
            // `body` has looked at the brace only.
            Some(body)
        } else if rest.is_empty() || rest.starts_with(';') {
            None
        } else {
            let span = self.lexer.span(self.lexer.at, self.lexer.at + 1);
            return SpannedMistake::new(
                span,
                "expected a predicate /…/ or actions {…} after the point",
            );
        };
        Ok(ScriptItem {
            points,
            predicate,
            actions,
        })
    }

    fn advance(&mut self) -> Read<()> {
        self.next = self.lexer.next()?;
        Ok(())
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.next.0, Token::Sign(s) if s == sign)
    }

    fn accept(&mut self, sign: &str) -> Read<bool> {
        let is = self.is(sign);
        if is {
            self.advance()?;
        }
        Ok(is)
    }

    fn expect(&mut self, sign: &str, what: &str) -> Read<Span> {
        let span = self.next.1;
        if self.is(sign) {
            self.advance()?;
            return Ok(span);
        }
        self.unexpected(&format!("expected {sign} {what}"))
    }

    fn unexpected<T>(&self, message: &str) -> Read<T> {
        let found = match &self.next.0 {
            Token::End => ", but the text ends".to_owned(),
            _ => String::new(),
        };
        SpannedMistake::new(self.next.1, format!("{message}{found}"))
    }

    /// Statements up to a brace, which becomes the current token; the text after it is not read, because it may be a point.
    fn body(&mut self) -> Read<Vec<Stmt>> {
        self.deeper()?;
        let mut stmts = Vec::new();
        loop {
            while self.accept(";")? {}
            if self.is("}") {
                self.depth -= 1;
                return Ok(stmts);
            }
            if self.next.0 == Token::End {
                return self.unexpected("expected } at the actions' end");
            }
            let (stmt, block) = self.stmt()?;
            stmts.push(stmt);
            if !block && !self.is(";") && !self.is("}") {
                return self.unexpected("expected ; or } after an action");
            }
        }
    }

    fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => SpannedMistake::new(
                self.next.1,
                format!("nested more than {MAX_DEPTH} levels deep"),
            ),
            false => Ok(()),
        }
    }

    /// And whether it ends with a brace.
    fn stmt(&mut self) -> Read<(Stmt, bool)> {
        let (token, span) = self.next.clone();
        match token {
            Token::Name(name) if name == "if" => Ok((self.branch()?, true)),
            Token::Name(name) if matches!(&*name, "while" | "for" | "do") => {
                SpannedMistake::new(span, "there are no loops: each probe must end")
            }
            Token::Map(name) => {
                self.advance()?;
                let (keys, end) = self.keys(span)?;
                let span = span.to(end);
                let (op, value) = self.assigned(span)?;
                Ok((Stmt::SetMap(name, keys, op, value, span), false))
            }
            Token::Var(name) => {
                self.advance()?;
                let (op, value) = self.assigned(span)?;
                Ok((Stmt::SetVar(name, op, value, span), false))
            }
            _ => {
                let expr = self.expr()?;
                Ok((Stmt::Do(expr), false))
            }
        }
    }

    fn branch(&mut self) -> Read<Stmt> {
        self.advance()?;
        self.expect("(", "after if")?;
        let condition = self.expr()?;
        self.expect(")", "after the condition")?;
        let then = self.block()?;
        let otherwise = match &self.next.0 {
            Token::Name(name) if name == "else" => {
                self.advance()?;
                match &self.next.0 {
                    Token::Name(name) if name == "if" => {
                        self.deeper()?;
                        let stmt = self.branch()?;
                        self.depth -= 1;
                        vec![stmt]
                    }
                    _ => self.block()?,
                }
            }
            _ => Vec::new(),
        };
        Ok(Stmt::If(condition, then, otherwise))
    }

    fn block(&mut self) -> Read<Vec<Stmt>> {
        self.expect("{", "before actions")?;
        let body = self.body()?;
        self.advance()?;
        Ok(body)
    }

    /// `= e`, `+= e`, `++` and so on.
    fn assigned(&mut self, target: Span) -> Read<(Option<Binary>, Expr)> {
        let (token, span) = self.next.clone();
        let Token::Sign(sign) = token else {
            return self
                .unexpected("expected =: use values in expressions, assign them in actions");
        };
        let one = Expr {
            kind: Kind::Int(1),
            span: target,
            depth: 1,
        };
        let op = match sign {
            "=" => None,
            "++" | "--" => {
                self.advance()?;
                let op = if sign == "++" {
                    Binary::Add
                } else {
                    Binary::Subtract
                };
                return Ok((Some(op), one));
            }
            _ => {
                let op = sign
                    .strip_suffix('=')
                    .and_then(|op| Binary::ALL.iter().find(|(text, ..)| *text == op));
                match op {
                    Some((_, op, _)) if !matches!(sign, "==" | "<=" | ">=" | "!=") => Some(*op),
                    _ => {
                        return SpannedMistake::new(
                            span,
                            "expected =: use values in expressions, assign them in actions",
                        );
                    }
                }
            }
        };
        self.advance()?;
        Ok((op, self.expr()?))
    }

    /// `[a, b]` after a map, and the place of its end.
    fn keys(&mut self, map: Span) -> Read<(Vec<Expr>, Span)> {
        if !self.accept("[")? {
            return Ok((Vec::new(), map));
        }
        let (keys, end) = self.list("]")?;
        if keys.is_empty() {
            return SpannedMistake::new(end, "expected a key");
        }
        Ok((keys, end))
    }

    /// Expressions up to a closing sign, which is passed.
    fn list(&mut self, close: &str) -> Read<(Vec<Expr>, Span)> {
        let outside = std::mem::replace(&mut self.slash_ends, false);
        let mut list = Vec::new();
        if !self.is(close) {
            loop {
                list.push(self.expr()?);
                if !self.accept(",")? {
                    break;
                }
            }
        }
        let end = self.next.1;
        if !self.is(close) {
            return self.unexpected(&format!("expected , or {close}"));
        }
        // What follows is read in the surrounding mode.
        self.slash_ends = outside;
        self.advance()?;
        Ok((list, end))
    }

    fn expr(&mut self) -> Read<Expr> {
        self.deeper()?;
        let condition = self.binary(1)?;
        let expr = if self.accept("?")? {
            let then = self.expr()?;
            self.expect(":", "after ? and a value")?;
            let otherwise = self.expr()?;
            let span = condition.span.to(otherwise.span);
            let depth = condition.depth.max(then.depth).max(otherwise.depth);
            self.made(
                Kind::If(Box::new([condition, then, otherwise])),
                span,
                depth,
            )?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn made(&self, kind: Kind, span: Span, inside: u32) -> Read<Expr> {
        let depth = inside + 1;
        if depth > MAX_DEPTH {
            return SpannedMistake::new(span, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        Ok(Expr { kind, span, depth })
    }

    fn binary(&mut self, least: u8) -> Read<Expr> {
        let mut left = self.unary()?;
        loop {
            let Token::Sign(sign) = self.next.0 else {
                return Ok(left);
            };
            if sign == "/" && self.slash_ends {
                return Ok(left);
            }
            let Some((_, op, strength)) = Binary::ALL.iter().find(|(text, ..)| *text == sign)
            else {
                return Ok(left);
            };
            if *strength < least {
                return Ok(left);
            }
            self.advance()?;
            let right = self.binary(strength + 1)?;
            let span = left.span.to(right.span);
            let depth = left.depth.max(right.depth);
            left = self.made(
                Kind::Binary(*op, Box::new(left), Box::new(right)),
                span,
                depth,
            )?;
        }
    }

    fn unary(&mut self) -> Read<Expr> {
        let (token, span) = self.next.clone();
        let op = match token {
            Token::Sign("!") => Unary::Not,
            Token::Sign("-") => Unary::Minus,
            Token::Sign("~") => Unary::Invert,
            _ => return self.postfix(),
        };
        self.advance()?;
        self.deeper()?;
        let inside = self.unary()?;
        self.depth -= 1;
        let span = span.to(inside.span);
        let depth = inside.depth;
        self.made(Kind::Unary(op, Box::new(inside)), span, depth)
    }

    fn postfix(&mut self) -> Read<Expr> {
        let mut expr = self.primary()?;
        loop {
            if self.accept(".")? {
                let (token, end) = self.next.clone();
                let Token::Name(name) = token else {
                    return self.unexpected("expected the name of a field after .");
                };
                self.advance()?;
                let (span, depth) = (expr.span.to(end), expr.depth);
                expr = self.made(Kind::Field(Box::new(expr), name), span, depth)?;
            } else if self.accept("[")? {
                let outside = std::mem::replace(&mut self.slash_ends, false);
                let index = self.expr()?;
                self.slash_ends = outside;
                let end = self.expect("]", "after an index")?;
                let (span, depth) = (expr.span.to(end), expr.depth.max(index.depth));
                expr = self.made(Kind::Index(Box::new(expr), Box::new(index)), span, depth)?;
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let (token, span) = self.next.clone();
        let simple = |kind| Expr {
            kind,
            span,
            depth: 1,
        };
        let expr = match token {
            Token::Int(n) => simple(Kind::Int(n)),
            Token::Float(x) => simple(Kind::Float(x)),
            Token::Str(s) => simple(Kind::Str(s)),
            Token::Var(name) => simple(Kind::Var(name)),
            Token::Map(name) => {
                self.advance()?;
                let (keys, end) = self.keys(span)?;
                let depth = keys.iter().map(|k| k.depth).max().unwrap_or(0);
                return self.made(Kind::Map(name, keys), span.to(end), depth);
            }
            Token::Name(name) => {
                self.advance()?;
                if self.accept("(")? {
                    let (args, end) = self.list(")")?;
                    let depth = args.iter().map(|a| a.depth).max().unwrap_or(0);
                    return self.made(Kind::Call(name, args), span.to(end), depth);
                }
                return Ok(simple(match name.as_str() {
                    "true" => Kind::Bool(true),
                    "false" => Kind::Bool(false),
                    "null" => Kind::Null,
                    _ => Kind::Name(name),
                }));
            }
            Token::Sign("(") => {
                let outside = std::mem::replace(&mut self.slash_ends, false);
                self.advance()?;
                let inside = self.expr()?;
                self.slash_ends = outside;
                self.expect(")", "after an expression in parentheses")?;
                return Ok(inside);
            }
            _ => return self.unexpected("expected a value"),
        };
        self.advance()?;
        Ok(expr)
    }
}
