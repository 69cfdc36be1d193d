//! Expressions without a program: their values, and texts that are no expressions.

use super::*;

/// A world without a program.
struct Nothing;

impl ExpressionWorld for Nothing {
    fn vm(&self) -> &Vm {
        unreachable!("these expressions ask for nothing of a program")
    }
    fn local(&mut self, _: &str) -> Option<Typed> {
        None
    }
    fn class(&self) -> Option<ClassId> {
        None
    }
}

/// The value of an expression without names.
fn value(text: &str) -> Result<Computed, ExpressionError> {
    let expression = read(text)?;
    evaluate(&mut Nothing, &expression)
}

#[test]
fn values_of_expressions() {
    let text = |s: &str| Computed::text_of(s.into());
    for (source, want) in [
        ("1 + 2 * 3", Computed::Int(7)),
        ("(1 + 2) * -3", Computed::Int(-9)),
        ("5 % 2 == 1 && !(7 < 7)", Computed::Bool(true)),
        ("\"a\\\"b\" == \"a\\\"b\"", Computed::Bool(true)),
        ("null != \"\"", Computed::Bool(true)),
        ("'a' + 1", Computed::Int(98)),
        ("(char) ('a' + 1)", Computed::Char(98)),
        ("'\\n' == 10", Computed::Bool(true)),
        ("0x1F + 1_000L", Computed::Long(1031)),
        ("0b101 + 017", Computed::Int(20)),
        ("0xFFFFFFFF", Computed::Int(-1)),
        ("7 / 2.0", Computed::Double(3.5)),
        ("7 / 2f", Computed::Float(3.5)),
        ("1e3 + .5", Computed::Double(1000.5)),
        ("1.5f < 2", Computed::Bool(true)),
        ("2147483647 + 1", Computed::Int(i32::MIN)),
        ("-9223372036854775807L - 1 - 1", Computed::Long(i64::MAX)),
        ("(byte) 300", Computed::Byte(44)),
        ("(int) 3.9e10", Computed::Int(i32::MAX)),
        ("(long) -2.7f", Computed::Long(-2)),
        ("(short) 70000 + (byte) -1", Computed::Int(4463)),
        ("-8 >> 1", Computed::Int(-4)),
        ("-8 >>> 28", Computed::Int(15)),
        ("1 << 33", Computed::Int(2)),
        ("1L << 33", Computed::Long(1 << 33)),
        ("6 & 3 | 8 ^ 1", Computed::Int(11)),
        ("~5", Computed::Int(-6)),
        ("true ^ false | false", Computed::Bool(true)),
        ("1 < 2 ? 'a' : 'b'", Computed::Char(97)),
        ("false ? 1 : true ? 2 : 3", Computed::Int(2)),
        ("0.0 / 0 == 0.0 / 0", Computed::Bool(false)),
        ("\"n is \" + 3 + 'c' + null + true", text("n is 3cnulltrue")),
        ("1 + 2 + \"3\"", text("33")),
    ] {
        assert_eq!(value(source), Ok(want), "{source}");
    }
}

#[test]
fn what_is_no_expression() {
    let deep = "(".repeat(100_000);
    let long = "1+".repeat(4096);
    for text in [
        "",
        "1 +",
        "(1",
        "1)",
        "\"a",
        "'",
        "''",
        "'ab'",
        "1x",
        "a..b",
        "a[",
        "#",
        "1 / 0",
        "1L % 0",
        "1 && true",
        "!1",
        "-\"a\"",
        "1 - \"a\"",
        "i i",
        "f(",
        "f(1,",
        "new",
        "new A",
        "new int[]",
        "new int[2]{1}",
        "a ? b",
        "x instanceof",
        "()",
        "(int)",
        "1 ? 2 : 3",
        "true + 1",
        "1 & 2.0",
        "99999999999999999999",
        "a++",
        "a = 1",
        "x -> x",
        &deep,
        &long,
    ] {
        let found = value(text);
        assert!(found.is_err(), "{text}: {found:?}");
    }
}

#[test]
fn calls_and_types_are_read() {
    let name = |n: &str| Expression::Name(n.into());
    let array = |n: &str, dimensions| syntax::TypeName {
        name: n.into(),
        dimensions,
    };
    let call = |of: Option<Expression>, n: &str, a| Expression::Call(of.map(Box::new), n.into(), a);
    for (text, want) in [
        ("f()", call(None, "f", vec![])),
        (
            "a.f(b, c)",
            call(Some(name("a")), "f", vec![name("b"), name("c")]),
        ),
        (
            "(a) + b",
            Expression::Binary("+", Box::new(name("a")), Box::new(name("b"))),
        ),
        (
            "(A) b",
            Expression::Cast(array("A", 0), Box::new(name("b"))),
        ),
        (
            "(p.A[]) b",
            Expression::Cast(array("p.A", 1), Box::new(name("b"))),
        ),
        (
            "(int) -b",
            Expression::Cast(
                array("int", 0),
                Box::new(Expression::Unary("-", Box::new(name("b")))),
            ),
        ),
        (
            "a instanceof p.B",
            Expression::InstanceOf(Box::new(name("a")), array("p.B", 0)),
        ),
        (
            "new p.A(b)",
            Expression::New(array("p.A", 0), vec![name("b")]),
        ),
        (
            "new int[a][]",
            Expression::NewArray(array("int", 2), vec![name("a")], None),
        ),
        (
            "new int[]{a, b}",
            Expression::NewArray(array("int", 1), vec![], Some(vec![name("a"), name("b")])),
        ),
    ] {
        assert_eq!(read(text), Ok(want), "{text}");
    }
}
