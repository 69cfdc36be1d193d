//! Probes as they are written.

use crate::point::Point;
use crate::source::Span;

#[derive(Debug)]
pub struct ScriptItem {
    /// Points, with their places in the source.
    pub points: Vec<(Point, Span)>,
    pub predicate: Option<Expr>,
    /// None: hits are counted.
    pub actions: Option<Vec<Stmt>>,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: Kind,
    pub span: Span,
    /// Levels of expressions inside.
    pub depth: u32,
}

#[derive(Debug)]
pub enum Kind {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(String),
    Null,
    Name(String),
    Var(String),
    Map(String, Vec<Expr>),
    Call(String, Vec<Expr>),
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    If(Box<[Expr; 3]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Not,
    Minus,
    Invert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Like,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Binary {
    /// All, by their texts and how strongly they bind.
    pub const ALL: [(&'static str, Binary, u8); 19] = [
        ("||", Binary::Or, 1),
        ("&&", Binary::And, 2),
        ("|", Binary::BitOr, 3),
        ("^", Binary::BitXor, 4),
        ("&", Binary::BitAnd, 5),
        ("==", Binary::Equal, 6),
        ("!=", Binary::Unequal, 6),
        ("~", Binary::Like, 6),
        ("<", Binary::Less, 7),
        ("<=", Binary::LessEqual, 7),
        (">", Binary::Greater, 7),
        (">=", Binary::GreaterEqual, 7),
        ("<<", Binary::ShiftLeft, 8),
        (">>", Binary::ShiftRight, 8),
        ("+", Binary::Add, 9),
        ("-", Binary::Subtract, 9),
        ("*", Binary::Multiply, 10),
        ("/", Binary::Divide, 10),
        ("%", Binary::Remainder, 10),
    ];
}

#[derive(Debug)]
pub enum Stmt {
    /// `@m[k] = e`, or with an operator such as `+=`. The span is the map's.
    SetMap(String, Vec<Expr>, Option<Binary>, Expr, Span),
    /// `$v = e`
    SetVar(String, Option<Binary>, Expr, Span),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A call for its effect.
    Do(Expr),
}
