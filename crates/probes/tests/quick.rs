//! Bodies that are evaluated at once gather what the same bodies do step by step.

use crate::common::{Moment, session};
use rjvm_probes::Datum;

/// Moments with all kinds of arguments, the same each time.
fn moments() -> Vec<Moment> {
    let mut seed = 1_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as i64
    };
    (0..20_000)
        .map(|n| {
            let any = next();
            let arg = match next() % 8 {
                0 => Datum::Int(any - (1 << 30)),
                1 => Datum::Int(any << 32 | any),
                2 => Datum::Int(5000 + any % 300),
                3 => [Datum::Null, Datum::Bool(true), Datum::Float(0.5)][any as usize % 3],
                _ => Datum::Int(any % 40),
            };
            Moment {
                args: vec![arg, Datum::Int(next() % 100 - 50), Datum::Int(n % 7)],
                stack: vec![(any as u32 % 3, 1), (any as u32 / 3 % 400, 2)],
                ..Moment::default()
            }
        })
        .collect()
}

/// What a probe has gathered in the end, with keys deleted now and then, and all of them once.
fn gathered(condition: &str, action: &str, keys: &str) -> String {
    let delete = match keys {
        "" => "clear(@)".to_owned(),
        keys => format!("delete(@[{keys}])"),
    };
    let mut session = session(&format!(
        "entry:M::f /{condition}/ {{ @{action} }}
         entry:M::g {{ {delete} }}
         entry:M::h {{ clear(@) }}"
    ));
    for (n, moment) in moments().iter_mut().enumerate() {
        let point = match n {
            12_000 => 2,
            n if keys.is_empty() || n % 10 > 0 || n > 19_000 => 0,
            _ => 1,
        };
        session.fire(point, moment);
    }
    assert!(session.hits().iter().sum::<u64>() == 20_000);
    session.text()
}

#[test]
fn the_same_is_gathered_at_once_and_step_by_step() {
    let gathers = [
        "count()",
        "sum(arg1)",
        "min(arg1)",
        "max(arg0)",
        "avg(arg1)",
        "stats(arg1)",
        "hist(arg0)",
        "lhist(arg1, -20, 20, 4)",
        "quantiles(arg0)",
        "sum(arg1 * 3 - arg0 / 2)",
        "sum(100 / arg1)",
    ];
    let keys = [
        "",
        "arg0",
        "arg0 & 7",
        "arg2",
        "method",
        "caller",
        "thread",
        "arg0, method",
        "caller, arg1 % 5",
    ];
    let conditions = [
        "arg2 >= 0",
        "arg0 > 10",
        "arg1 < 20 && arg0 % 3 != 1 && -40 <= arg1",
    ];
    for (i, condition) in conditions.into_iter().enumerate() {
        for (j, keys) in keys.into_iter().enumerate() {
            for (k, gather) in gathers.into_iter().enumerate() {
                if (i + j + k) % 3 != 0 && k > 1 {
                    continue;
                }
                let action = match keys {
                    "" => format!(" = {gather}"),
                    _ => format!("[{keys}] = {gather}"),
                };
                let once = gathered(condition, &action, keys);
                // never true, and nothing that is evaluated at once
                let steps = format!("({condition}) || arg2 < 0");
                assert!(once.contains('@'), "{once}");
                // places in the source are others
                let all = |text: &str| -> Vec<String> {
                    let lines = text.lines().filter(|line| !line.contains("probe:"));
                    lines.map(str::to_owned).collect()
                };
                let stepped = gathered(&steps, &action, keys);
                assert_eq!(all(&once), all(&stepped), "/{condition}/ @{action}");
            }
        }
    }
}
