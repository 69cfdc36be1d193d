//! What probes make of events.

use crate::common::{Moment, Thing, session, with_limits};
use rjvm_probes::{Datum, Limits, Number, Session};

/// Fires the first point so many times.
fn fired(text: &str, n: usize, mut moment: Moment) -> Session {
    let mut session = session(text);
    for _ in 0..n {
        session.fire(0, &mut moment);
    }
    session
}

#[test]
fn hits_are_counted_without_actions() {
    let session = fired("entry:Main::f", 3, Moment::default());
    assert_eq!(session.text(), "@probe[entry:Main::f]: 3\n");
}

#[test]
fn keys_are_sorted_by_value_then_by_key() {
    let mut session = session("entry:Main::f { @[arg0] = count() }");
    for n in [3, 1, 2, 2, 1, 5, 3, 3, 10] {
        let args = vec![Datum::Int(n)];
        session.fire(
            0,
            &mut Moment {
                args,
                ..Moment::default()
            },
        );
    }
    assert_eq!(
        session.text(),
        "@[3]: 3\n@[1]: 2\n@[2]: 2\n@[5]: 1\n@[10]: 1\n"
    );
}

#[test]
fn expressions() {
    let mut moment = Moment::default();
    let text = moment.text("Hello, world");
    let boxed = moment.thing(Thing::Of(
        "java.lang.Integer",
        vec![("value", Datum::Int(42))],
    ));
    let inner = moment.thing(Thing::Of(
        "a.Point",
        vec![("x", Datum::Int(7)), ("label", text)],
    ));
    let outer = moment.thing(Thing::Of(
        "a.Shape",
        vec![("center", inner), ("none", Datum::Null)],
    ));
    let array = moment.thing(Thing::Array("int[]", vec![Datum::Int(1), Datum::Int(2)]));
    moment.args = vec![
        text,
        boxed,
        outer,
        array,
        Datum::Int(10),
        Datum::Float(0.5),
        Datum::Bool(true),
        Datum::Null,
        Datum::Char(65),
    ];
    moment.stack = vec![(0, 5), (1, 6), (2, 7)];
    moment.numbers = vec![(Number::Bytecodes, 1000)];
    for (expression, expected) in [
        ("arg0", "Hello, world"),
        ("arg0 == \"Hello, world\"", "true"),
        ("arg0 ~ \"*wor?d\"", "true"),
        ("len(arg0)", "12"),
        ("upper(arg0)", "HELLO, WORLD"),
        ("substr(arg0, 7)", "world"),
        ("substr(arg0, 7, 2)", "wo"),
        ("substr(arg0, 100)", ""),
        ("indexof(arg0, \"o\")", "4"),
        ("replace(arg0, \"l\", \"L\")", "HeLLo, worLd"),
        ("contains(arg0, \"lo,\")", "true"),
        ("startswith(arg0, \"He\") && endswith(arg0, \"ld\")", "true"),
        ("arg0 + 1", "Hello, world1"),
        ("arg1", "42"),
        ("arg1 + 1", "43"),
        ("arg1 == 42", "true"),
        ("int(arg1)", "42"),
        ("int(\"12\") + 1", "13"),
        ("arg2", "a.Shape"),
        ("arg2.center.x", "7"),
        ("arg2.center.label", "Hello, world"),
        ("arg2.none.x", "null"),
        ("arg2.none == null", "true"),
        ("classof(arg2.center)", "a.Point"),
        ("simple(classof(arg2.center))", "Point"),
        ("package(\"a.b.C\")", "a.b"),
        ("basename(\"/tmp/x.txt\")", "x.txt"),
        ("sizeof(arg2)", "24"),
        ("hash(arg0)", "null"),
        ("hash(arg1)", "1"),
        ("arg3", "int[2]"),
        ("arg3[1]", "2"),
        ("arg3[9]", "null"),
        ("len(arg3) + arg3.length", "4"),
        ("arg4 / 3", "3"),
        ("arg4 % 3", "1"),
        ("arg4 / 4.0", "2.5"),
        ("-arg4 >> 1", "-5"),
        ("arg4 << 2 | 1", "41"),
        ("~arg4 & 0xff", "245"),
        ("arg4 ^ 3", "9"),
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("10 - 3 - 2", "5"),
        ("arg5 * 2", "1"),
        ("arg6", "true"),
        ("arg6 ? \"yes\" : \"no\"", "yes"),
        ("arg7 ? \"yes\" : \"no\"", "no"),
        ("!arg6", "false"),
        ("arg7", "null"),
        ("chr(arg8)", "A"),
        ("hex(255)", "ff"),
        ("abs(-3)", "3"),
        ("log2(1500)", "10"),
        ("1.5us", "1500"),
        ("64k", "65536"),
        ("method", "a.Shape.m0"),
        ("caller", "a.Shape.m1"),
        ("caller(2)", "a.Shape.m2"),
        ("caller(3)", "null"),
        ("site", "a.Shape.m0:5"),
        ("stack(2)", "\n    a.Shape.m0:5\n    a.Shape.m1:6"),
        ("ustack", "\n    a.Shape.m0:5\n    a.Shape.m2:7"),
        ("len(ustack)", "2"),
        ("point", "entry:Main::f"),
        ("thread", "main"),
        ("bytecodes", "1000"),
        ("\"a\" < \"b\"", "true"),
        ("arg0 < \"Iello\"", "true"),
        ("3 < 2.5 || 2 >= 2", "true"),
        ("9223372036854775807 + 1", "-9223372036854775808"),
        ("0x8000000000000000 / -1", "-9223372036854775808"),
    ] {
        let mut session = session(&format!("entry:Main::f {{ print({expression}) }}"));
        session.fire(0, &mut moment);
        let expected = format!("{expected}\n");
        assert_eq!(session.take_output(), expected, "{expression}");
        assert_eq!(session.text(), "", "{expression}");
    }
}

#[test]
fn what_makes_no_sense_is_null_and_reported_with_its_place() {
    let mut moment = Moment::default();
    let text = moment.text("x");
    let point = moment.thing(Thing::Of("a.Point", vec![("x", Datum::Int(7))]));
    moment.args = vec![text, point, Datum::Int(0)];
    for (expression, note) in [
        (
            "arg0 - 1",
            "--probe:1:23: once: expected a number, but this is an object of class java.lang.String",
        ),
        ("arg1.y", "--probe:1:23: once: a.Point has no field y"),
        (
            "arg2.y",
            "--probe:1:23: once: expected an object, but this is 0",
        ),
        ("1 / arg2", "--probe:1:23: once: a division by zero"),
        (
            "len(arg2)",
            "--probe:1:23: once: this is 0, which has no length",
        ),
        (
            "classof(arg2)",
            "--probe:1:23: once: expected an object, but this is 0",
        ),
        (
            "arg1 ? 1 : 2",
            "--probe:1:23: once: expected true or false, but this is an object of class a.Point",
        ),
        ("arg7", "--probe:1:23: once: the method has no arg7"),
        (
            "this",
            "--probe:1:23: once: there is no this: the method is static",
        ),
    ] {
        let mut session = session(&format!("entry:Main::f {{ print({expression}) }}"));
        session.fire(0, &mut moment);
        assert_eq!(session.text(), format!("note: {note}\n"), "{expression}");
    }
}

#[test]
fn everything_that_gathers() {
    let mut session = session(
        "entry:Main::f { @count = count(); @sum = sum(arg0); @min = min(arg0); @max = max(arg0); @avg = avg(arg0);
           @stats = stats(arg0); @hist = hist(arg0); @lhist = lhist(arg0, 0, 10, 5); @q = quantiles(arg0); @last = arg0; @n++; @n += 2 }",
    );
    for n in [-1, 0, 1, 2, 3, 4, 9, 100] {
        let args = vec![Datum::Int(n)];
        session.fire(
            0,
            &mut Moment {
                args,
                ..Moment::default()
            },
        );
    }
    let expected = "@count: 8

@sum: 118

@min: -1

@max: 100

@avg: 14.75

@stats: count 8, sum 118, min -1, average 14.75, max 100

@hist:
(..., 0)                  1 |@@@@@@@@@@@@@@@@@@@@                    |
[0]                       1 |@@@@@@@@@@@@@@@@@@@@                    |
[1]                       1 |@@@@@@@@@@@@@@@@@@@@                    |
[2, 4)                    2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
[4, 8)                    1 |@@@@@@@@@@@@@@@@@@@@                    |
[8, 16)                   1 |@@@@@@@@@@@@@@@@@@@@                    |
[16, 32)                  0 |                                        |
[32, 64)                  0 |                                        |
[64, 128)                 1 |@@@@@@@@@@@@@@@@@@@@                    |

@lhist:
(..., 0)                  1 |@@@@@@@@                                |
[0, 5)                    5 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
[5, 10)                   1 |@@@@@@@@                                |
[10, ...)                 1 |@@@@@@@@                                |

@q: 50% <= 2, 90% <= 101, 99% <= 101, 100% <= 101

@last: 100

@n: 24
";
    assert_eq!(session.text(), expected);
    let json = session.json();
    assert_eq!(json["maps"][0]["kind"], "count");
    assert_eq!(json["maps"][0]["entries"][0]["value"], 8);
    assert_eq!(json["maps"][5]["entries"][0]["value"]["average"], 14.75);
    assert_eq!(json["maps"][6]["entries"][0]["value"][3]["range"], "[2, 4)");
    assert_eq!(json["points"][0]["hits"], 8);
}

#[test]
fn what_was_at_entry_is_known_at_the_exit() {
    let mut session =
        session("around:Main::f { @[arg0, len(arg1)] = sum(elapsed); @ns = sum(elapsed.wall) }");
    assert!(session.script().points().all(|p| p.wants_entry));
    let moment = |depth, at: i64| {
        let mut moment = Moment {
            depth,
            ..Moment::default()
        };
        moment.numbers = vec![(Number::Wall, at), (Number::ElapsedBytecodes, 5)];
        moment
    };
    let enter = |session: &mut Session, depth, n, at| {
        let mut moment = moment(depth, at);
        let text = moment.text("abc");
        moment.args = vec![Datum::Int(n), text];
        session.enter(0, &mut moment);
    };
    enter(&mut session, 1, 10, 100);
    enter(&mut session, 2, 11, 200);
    session.fire(0, &mut moment(2, 230));
    // Entered and left in a way nobody saw.
    enter(&mut session, 2, 12, 300);
    enter(&mut session, 2, 13, 400);
    session.fire(0, &mut moment(2, 401));
    session.fire(0, &mut moment(1, 600));
    // Entered before the probe was there.
    session.fire(0, &mut moment(0, 700));
    assert_eq!(
        session.text(),
        "@[null, null]: 5\n@[10, 3]: 5\n@[11, 3]: 5\n@[13, 3]: 5\n\n@ns: 531\n
note: --probe:1:20: once: the method had been entered before the probe saw it
note: --probe:1:26: once: the method had been entered before the probe saw it
note: --probe:1:63: once: the method had been entered before the probe saw it\n"
    );
}

#[test]
fn variables_belong_to_threads() {
    let mut session =
        session("entry:Main::f { $n = arg0 } return:Main::f { @[tid] = sum($n); $n = 0 }");
    let mut at = |point, thread, n| {
        let args = vec![Datum::Int(n)];
        session.fire(
            point,
            &mut Moment {
                args,
                thread,
                ..Moment::default()
            },
        );
    };
    at(0, 1, 10);
    at(0, 2, 20);
    at(1, 1, 0);
    at(1, 2, 0);
    at(1, 1, 0);
    at(1, 3, 0);
    session.thread_ended(1);
    assert_eq!(session.text(), "@[2]: 20\n@[1]: 10\n");
}

#[test]
fn objects_do_not_outlive_the_event() {
    let mut session =
        session("entry:Main::f { $o = arg0; @len = sum(len($o)) } return:Main::f { print($o) }");
    let mut moment = Moment::default();
    moment.args = vec![moment.clone().text("x")];
    moment.text("abc");
    session.fire(0, &mut moment);
    // A moment without objects: asking it for one would panic.
    session.fire(1, &mut Moment::default());
    assert_eq!(session.take_output(), "abc\n");
    assert_eq!(session.text(), "@len: 3\n");
}

#[test]
fn actions_print_forget_and_ask() {
    let mut session = session(
        "entry:Main::f { @a[arg0] = count(); @b[arg0] = 1; if (arg0 == 3) { print(@a, 1); clear(@a); delete(@b[1]); snapshot(); stop() }
             else if (arg0 == 2) { printf(\"%5d|%-5d|%05d|%x|%.2f|%s|%,d|%%\\n\", arg0, arg0, -arg0, 255, 1.0 / 3, \"s\", 1234567) } else { discard(@c); @c = 1 } }",
    );
    for n in [1, 2, 2, 3] {
        let args = vec![Datum::Int(n)];
        session.fire(
            0,
            &mut Moment {
                args,
                ..Moment::default()
            },
        );
    }
    let line = "    2|2    |-0002|ff|0.33|s|1,234,567|%\n";
    assert_eq!(
        session.take_output(),
        format!("{line}{line}@a[2]: 2\n@a: 2 more keys\n")
    );
    assert!(session.has_requests());
    let requested = session.take_requests();
    assert_eq!(requested.stop.as_deref(), Some("--probe:1:120"));
    assert!(requested.snapshot);
    assert!(!session.has_requests());
    assert_eq!(session.text(), "@b[2]: 1\n@b[3]: 1\n");
}

#[test]
fn limits_are_kept_and_reported() {
    let limits = Limits {
        keys: 10,
        string: 20,
        lines: 5,
        ..Limits::default()
    };
    let mut session = with_limits(
        "entry:Main::f { @[arg0] = count(); print(arg1); @s[arg1 + arg1] = count() }",
        limits,
    );
    for n in 0..1000 {
        let mut moment = Moment::default();
        let huge = moment.text(&"x".repeat(1_000_000));
        moment.args = vec![Datum::Int(n), huge];
        session.fire(0, &mut moment);
    }
    let line = format!("{}…\n", "x".repeat(20));
    assert_eq!(session.take_output(), line.repeat(5));
    let text = session.text();
    assert!(text.contains("note: @ has 10 keys; 990 events with other keys are not in it (limits keys=10, memory=67108864)\n"), "{text}");
    assert!(text.contains("note: 995 times a line was not printed (limit lines=5)\n"));
    assert!(text.contains(&format!("@s[{}…]: 1000\n", "x".repeat(20))));
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        keys: 10_000_000,
        memory: 1 << 16,
        entries: 10,
        ..Limits::default()
    };
    let mut session = with_limits(
        "around:Main::f { @q[arg0] = quantiles(1); @h[arg0] = hist(1); @s[arg0, \"s\" + str(arg0)] = count(); @st[stack] = count() }",
        limits,
    );
    for n in 0..20_000_i64 {
        let mut moment = Moment {
            args: vec![Datum::Int(n)],
            depth: n,
            stack: (0..200).map(|i| (i + n as u32, 0)).collect(),
            ..Moment::default()
        };
        session.enter(0, &mut moment);
        if n % 2 == 0 {
            session.fire(0, &mut moment);
        }
    }
    let text = session.text();
    assert!(text.len() < 1 << 17, "{}", text.len());
    for message in [
        "@q has 3 keys; 9997 events",
        "there was no memory for a string or stack",
        "method entries were not remembered",
    ] {
        assert!(
            text.contains(message),
            "{message}\n{}",
            text.lines()
                .filter(|l| l.contains("note"))
                .collect::<String>()
        );
    }
}

#[test]
fn one_number_bounds_all_that_is_kept() {
    let limits = Limits {
        memory: 1 << 16,
        ..Limits::default()
    };
    // each of them takes all there is, so that nothing is left for the others
    for (script, message) in [
        (
            "entry:Main::f { @[arg0] = count(); @s[str(arg0)] = count() }",
            "no memory for a string",
        ),
        (
            "return:Main::f { @[arg0] = count() }",
            "method entries were not remembered",
        ),
        ("entry:Main::f { print(arg0) }", "no memory for a string"),
    ] {
        let mut session = with_limits(script, limits);
        session.keep_output();
        let mut printed = 0;
        for n in 0..5_000_i64 {
            let mut moment = Moment {
                args: vec![Datum::Int(n + 1_000_000_000_000_000_000)],
                depth: n,
                ..Moment::default()
            };
            session.enter(0, &mut moment);
            if !script.starts_with("return") {
                session.fire(0, &mut moment);
            }
            printed += session.take_output().len();
        }
        assert!(printed <= 1 << 16, "{printed}");
        let text = session.text();
        assert!(text.contains(message), "{script}\n{text}");
        // what is remembered of a method is given back when its thread ends
        session.thread_ended(0);
        let mut moment = Moment {
            args: vec![Datum::Int(1)],
            ..Moment::default()
        };
        session.enter(0, &mut moment);
        session.fire(0, &mut moment);
        if script.starts_with("return") {
            assert!(session.text().contains("@[1]: 1"), "{}", session.text());
        }
    }
}

#[test]
fn results_are_the_same_again() {
    let run = || {
        let mut session = session(
            "entry:Main::f { @[arg0 % 97, str(arg0 % 31)] = hist(arg0); @s[stack] = sum(arg0) }",
        );
        for n in 0..5000_i64 {
            let mut moment = Moment {
                args: vec![Datum::Int(n * 7919 % 4999)],
                stack: vec![(n as u32 % 13, 1), (n as u32 % 7, 2)],
                ..Moment::default()
            };
            session.fire(0, &mut moment);
        }
        (session.text(), session.json().to_string())
    };
    assert_eq!(run(), run());
}
