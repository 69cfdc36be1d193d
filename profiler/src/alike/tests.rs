//! Pairs of profiles with lambdas and anonymous classes, and their matches.

use super::*;
use crate::origin::{Scope, Step};
use std::sync::Arc;

fn body(code: u64, shape: u64) -> Body {
    Body {
        deep: code,
        own: code,
        shape,
    }
}

/// A profile with a lambda of `A.main` for each body that is executed; all have one shape.
fn lambdas(bodies: &[u64], executed: &[u32]) -> Profile {
    shaped(
        &bodies.iter().map(|&b| (b, 1)).collect::<Vec<_>>(),
        executed,
    )
}

fn shaped(bodies: &[(u64, u64)], executed: &[u32]) -> Profile {
    let scope = Arc::new(Scope {
        place: "A.main()V lambda".into(),
        methods: true,
        members: bodies.iter().map(|&(b, s)| body(b, s)).collect(),
    });
    profile(executed, |at| {
        let method = MethodInfo::new("A", &format!("lambda$main${at}"), "()V", false, false);
        (method, scope.clone(), scope.members[at as usize])
    })
}

/// In the same way of anonymous classes, whose bodies are known only where they are executed.
fn classes(count: usize, bodies: &[(u32, u64)]) -> Profile {
    let scope = Arc::new(Scope {
        place: "A.main()V class".into(),
        methods: false,
        members: vec![Body::default(); count],
    });
    let at: Vec<u32> = bodies.iter().map(|b| b.0).collect();
    profile(&at, |at| {
        let code = bodies.iter().find(|b| b.0 == at).expect("it is executed").1;
        let method = MethodInfo::new(&format!("A${}", at + 1), "a", "()V", false, false);
        (method, scope.clone(), body(code, 1))
    })
}

fn profile(executed: &[u32], of: impl Fn(u32) -> (MethodInfo, Arc<Scope>, Body)) -> Profile {
    let method = |&at: &u32| {
        let (mut method, scope, body) = of(at);
        method.origin = Some([Step { scope, at, body }].into());
        method
    };
    Profile {
        methods: executed.iter().map(method).collect(),
        ..Profile::default()
    }
}

/// What each method of the second profile is in the first one, and how many are in doubt.
fn matched(before: &Profile, after: &Profile) -> (Vec<Option<usize>>, usize) {
    let common = Common::of(&[before, after]);
    assert!(!common.by_number);
    let labels = common.methods.iter().map(MethodInfo::label);
    let labels: Vec<String> = labels.collect();
    assert!(labels.windows(2).all(|l| l[0] < l[1]), "{labels:?}");
    let was = |new: &u32| common.renamed[0].iter().position(|old| old == new);
    let doubtful = common.numbered.values().filter(|r| r.in_doubt).count();
    (common.renamed[1].iter().map(was).collect(), doubtful)
}

#[test]
fn another_lambda_in_front_changes_nothing() {
    let (before, after) = (
        lambdas(&[10, 11], &[0, 1]),
        lambdas(&[9, 10, 11], &[0, 1, 2]),
    );
    assert_eq!(matched(&before, &after), (vec![None, Some(0), Some(1)], 0));
    assert_eq!(matched(&after, &before), (vec![Some(1), Some(2)], 0));
    // swapped
    let swapped = lambdas(&[11, 10], &[0, 1]);
    assert_eq!(matched(&before, &swapped), (vec![Some(1), Some(0)], 0));
}

#[test]
fn a_body_that_changed_is_known_by_its_neighbours() {
    let before = lambdas(&[10, 11, 12], &[0, 1, 2]);
    let after = lambdas(&[9, 10, 99, 12], &[0, 1, 2, 3]);
    let expected = vec![None, Some(0), Some(1), Some(2)];
    assert_eq!(matched(&before, &after), (expected, 0));
    // all changed
    let all = lambdas(&[20, 21, 22], &[0, 1, 2]);
    let expected = vec![Some(0), Some(1), Some(2)];
    assert_eq!(matched(&before, &all), (expected, 0));
}

#[test]
fn what_may_be_one_of_several_is_in_doubt() {
    let (before, after) = (lambdas(&[10], &[0]), lambdas(&[20, 21], &[0, 1]));
    assert_eq!(matched(&before, &after), (vec![None, None], 3));
    // two that do the same, and then three
    let (before, after) = (lambdas(&[5, 5], &[0, 1]), lambdas(&[5, 5, 5], &[0, 1, 2]));
    assert_eq!(matched(&before, &after), (vec![None; 3], 5));
    // distinguished by their purpose
    let (before, after) = (
        shaped(&[(10, 1)], &[0]),
        shaped(&[(20, 2), (21, 1)], &[0, 1]),
    );
    assert_eq!(matched(&before, &after), (vec![None, Some(0)], 0));
    // another one at the same place, for something else
    let (before, after) = (shaped(&[(10, 1)], &[0]), shaped(&[(20, 2)], &[0]));
    assert_eq!(matched(&before, &after), (vec![None], 2));
}

#[test]
fn what_is_not_executed_is_not_taken_for_something_else() {
    // the first one is gone from the run, the second is new in it
    let (before, after) = (lambdas(&[10, 11], &[0]), lambdas(&[10, 11], &[1]));
    assert_eq!(matched(&before, &after), (vec![None], 0));
    let (before, after) = (classes(2, &[(0, 10)]), classes(2, &[(1, 11)]));
    assert_eq!(matched(&before, &after), (vec![None], 0));
    // one changed, and it is not known which of them is new
    let (before, after) = (classes(1, &[(0, 10)]), classes(2, &[(1, 20)]));
    assert_eq!(matched(&before, &after), (vec![None], 2));
    let (before, after) = (classes(1, &[(0, 10)]), classes(2, &[(1, 10)]));
    assert_eq!(matched(&before, &after), (vec![Some(0)], 0));
}

#[test]
fn names_of_earlier_profiles_give_way() {
    let (before, after) = (
        lambdas(&[10, 11], &[0, 1]),
        lambdas(&[11, 12, 13], &[0, 1, 2]),
    );
    let common = Common::of(&[&before, &after]);
    let names: Vec<&str> = common.methods.iter().map(|m| &*m.name).collect();
    assert_eq!(
        names,
        [
            "lambda$main$0",
            "lambda$main$0~1",
            "lambda$main$1",
            "lambda$main$2"
        ]
    );
    assert_eq!(common.renamed[0], [1, 0]);
}

#[test]
fn a_profile_without_origins_is_matched_by_number() {
    let mut before = lambdas(&[10, 11], &[0, 1]);
    before.methods.iter_mut().for_each(|m| m.origin = None);
    let common = Common::of(&[&before, &lambdas(&[9, 10, 11], &[0, 1, 2])]);
    assert!(common.by_number);
    assert_eq!(common.renamed, [vec![0, 1], vec![0, 1, 2]]);
}

#[test]
fn the_longest_ascent() {
    assert_eq!(
        ascending(&[(0, 3), (1, 0), (2, 1), (3, 9)]),
        [(1, 0), (2, 1), (3, 9)]
    );
    assert_eq!(ascending(&[]), []);
}
