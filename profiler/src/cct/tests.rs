//! Nodes are made, found, walked and folded.

use super::*;

#[test]
fn a_node_takes_half_a_cache_line() {
    assert_eq!(ContextNode::size(0), 32);
    assert_eq!(ContextNode::size(ContextNode::slots_of_links(3)), 48);
    assert_eq!(ContextNode::SLOTS, size_of::<ContextNode>());
}

/// Miri's arenas are too small for this.
#[cfg(not(miri))]
#[test]
fn memory_that_another_thread_has_taken_is_empty() {
    const NODES: u32 = 1 << 19;
    let mut arena = Arena::new();
    arena.take_pages_ahead(true);
    // SAFETY: all nodes are of this arena, which outlives them.
    unsafe {
        let root = arena
            .new_node(ptr::null_mut(), 0, NO_SITE, 0)
            .expect("memory");
        let mut node = root;
        for method in 1..NODES {
            node = arena.find_or_add_child(node, method, 0, 0).expect("memory");
            assert_eq!(((*node).invocations, (*node).inclusive), (0, 0));
            (*node).invocations = method.into();
        }
        // what was written is there still
        let all = Walk::new(root).map(|v| (v.method, v.invocations));
        assert!(all.eq((0..NODES).map(|n| (n, n.into()))));
    }
}

#[test]
fn children_are_found_again_and_walked_once() {
    let mut arena = Arena::new();
    // SAFETY: all nodes are of this arena, which outlives them.
    unsafe {
        let root = arena
            .new_node(ptr::null_mut(), 1, NO_SITE, 3)
            .expect("memory");
        let a = arena.find_or_add_child(root, 2, 5, 0).expect("memory");
        let b = arena.find_or_add_child(root, 2, 6, 0).expect("memory");
        let c = arena.find_or_add_child(a, 3, 0, 1).expect("memory");
        assert_ne!(a, b);
        assert_eq!(arena.find_or_add_child(root, 2, 5, 0).expect("memory"), a);
        assert_eq!(
            ContextNode::first_child(root),
            a,
            "a child that is found moves to the front"
        );
        assert_eq!(arena.find_or_add_child(root, 2, 6, 0).expect("memory"), b);
        assert_eq!(arena.find_or_add_child(a, 3, 0, 1).expect("memory"), c);
        let at = |n: usize| ContextNode::SLOTS + n * ContextNode::LINK;
        assert!((0..6).all(|n| ContextNode::callee(root, at(n)).is_null()));
        ContextNode::set_callee(root, at(5), a);
        assert_eq!(ContextNode::callee(root, at(5)), a);
        assert!(ContextNode::callee(root, at(4)).is_null());
        assert_eq!(ContextNode::parent(a), root);
        assert_eq!(ContextNode::parent(b), root);
        assert_eq!(ContextNode::parent(c), a);
        assert!(ContextNode::parent(root).is_null());
        let seen: Vec<_> = Walk::new(root)
            .map(|v| (v.depth, v.method, v.site))
            .collect();
        assert_eq!(seen, [(0, 1, NO_SITE), (1, 2, 6), (1, 2, 5), (2, 3, 0)]);
        let below: Vec<_> = Walk::new(a).map(|v| (v.depth, v.method)).collect();
        assert_eq!(
            below,
            [(0, 2), (1, 3)],
            "siblings of the walk's root are not in it"
        );
        assert_eq!(Walk::new(ptr::null()).count(), 0);
        // passing over what is below each context leaves out that alone
        for passed in Walk::new(root) {
            let mut walk = Walk::new(root);
            let mut left = Vec::new();
            while let Some(v) = walk.next() {
                left.push(v.node);
                if v.node == passed.node {
                    walk.pass_over(&v);
                }
            }
            let below: Vec<_> = Walk::new(passed.node).skip(1).map(|v| v.node).collect();
            let kept: Vec<_> = Walk::new(root)
                .map(|v| v.node)
                .filter(|n| !below.contains(n))
                .collect();
            assert_eq!(left, kept);
        }
    }
    assert_eq!(arena.nodes(), 4);
}

#[test]
fn many_children_are_found_again() {
    let mut arena = Arena::new();
    // SAFETY: all nodes are of this arena, which outlives them.
    unsafe {
        let root = arena
            .new_node(ptr::null_mut(), 0, NO_SITE, 0)
            .expect("memory");
        // Miri interprets each access
        let (number, methods): (u32, u32) = if cfg!(miri) { (2, 10) } else { (50, 200) };
        let parents: Vec<_> = (0..number)
            .map(|m| arena.new_node(root, m, 3, 0).expect("memory"))
            .collect();
        let mut made = Vec::new();
        for n in 0..methods {
            for &parent in &parents {
                for (method, site) in [(n, 7), (n, 8), (1000 - n, NO_SITE), (n, UPCALL)] {
                    made.push((parent, method, site));
                    let child = arena
                        .find_or_add_child(parent, method, site, 0)
                        .expect("memory");
                    (*child).invocations += 1;
                }
            }
        }
        for &(parent, method, site) in &made {
            let child = arena
                .find_or_add_child(parent, method, site, 0)
                .expect("memory");
            assert_eq!(((*child).method, (*child).site()), (method, site));
            assert_eq!(ContextNode::parent(child), parent);
            (*child).invocations += 1;
        }
        let made = number * methods * 4;
        assert_eq!(arena.nodes(), u64::from(1 + number + made));
        let twice = Walk::new(root).filter(|v| v.invocations == 2);
        assert_eq!(twice.count(), made as usize);
        let wide = parents[number as usize / 7];
        assert!((*wide).is_wide());
        let found = arena.find_wide(wide, 5, 7);
        assert!(found.is_null() || (*found).is_called(5, 7));
        assert!(arena.find_wide(wide, 5, 9).is_null());
    }
}

#[test]
#[cfg_attr(miri, ignore = "a hundred thousand nodes take Miri too long")]
fn big_nodes_fit() {
    let mut arena = Arena::new();
    // SAFETY: all nodes are of this arena, which outlives them.
    unsafe {
        let root = arena
            .new_node(ptr::null_mut(), 0, NO_SITE, 1)
            .expect("memory");
        let wide = arena.new_node(root, 1, NO_SITE, 1 << 20).expect("memory");
        *ContextNode::counter(wide, (1 << 20) - 1) = 1;
        let mut at = root;
        for depth in 0..100_000 {
            at = arena
                .new_node(at, depth, NO_SITE, depth % 4)
                .expect("memory");
            assert_eq!((*at).invocations, 0);
            (*at).invocations = 1;
        }
        assert_eq!(Walk::new(root).count(), 100_002);
        assert_eq!(Walk::new(root).last().map(|v| v.method), Some(1));
    }
    assert!(
        arena.bytes() > (8 << 20) && arena.bytes() < (14 << 20),
        "{}",
        arena.bytes()
    );
}

/// Calls at random, each of some bytecodes; what the contexts have counted: bytecodes, invocations, and two
/// counters.
fn recorded(budget: usize, calls: u64) -> ([u64; 4], u64, Folded, Vec<(usize, u32, i64)>) {
    let mut arena = Arena::with_budget(budget);
    let (mut seed, mut executed) = (7u64, 0i64);
    let mut random = move |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    // SAFETY: all nodes are of this arena, which outlives them; those that may be folded are requested again.
    unsafe {
        let root = arena
            .new_node(ptr::null_mut(), u32::MAX, NO_SITE, 2)
            .expect("memory");
        let main = arena
            .find_or_add_child(root, 0, NO_SITE, 12)
            .expect("memory");
        let mut stack = vec![(main, 0i64)];
        for _ in 0..calls {
            executed += random(5) as i64;
            let (top, _) = *stack.last().expect("main");
            if stack.len() > 1 && random(5) < 2 + u64::from(stack.len() > 300) {
                let (node, begun) = stack.pop().expect("main");
                (*node).inclusive += executed - begun;
                continue;
            }
            let method = 1 + random(40) as u32;
            let at = ContextNode::size(2) + method as usize % 20 * ContextNode::LINK;
            let mut child = ContextNode::callee(top, at);
            if child.is_null() || (*child).method != method {
                child = arena
                    .find_or_add_child(top, method, NO_SITE, 12)
                    .expect("memory");
                assert_eq!((*child).method, method);
                ContextNode::set_callee(top, at, child);
            }
            assert_eq!(ContextNode::parent(child), top);
            (*child).invocations += 1;
            *ContextNode::counter(child, 0) += 1;
            *ContextNode::counter(child, 1) += 16;
            stack.push((child, executed));
            if arena.is_full() {
                let open: Vec<_> = stack.iter().map(|frame| frame.0).collect();
                let live = arena.fold(&open, true, &|method| match method {
                    u32::MAX => 0..0,
                    _ => ContextNode::size(2)..ContextNode::size(12),
                });
                assert!(live.is_none_or(|live| open.iter().all(|&node| live.has(node))));
            }
        }
        for (node, begun) in stack {
            (*node).inclusive += executed - begun;
        }
        let mut sums = [(*main).inclusive as u64, 0, 0, 0];
        let mut own = Vec::new();
        for visit in Walk::new(main) {
            let node = visit.node.cast_mut();
            sums[1] += visit.invocations;
            sums[2] += *ContextNode::counter(node, 0);
            sums[3] += *ContextNode::counter(node, 1);
            let mut exclusive = visit.inclusive;
            let mut child = ContextNode::first_child(node);
            while !child.is_null() {
                exclusive -= (*child).inclusive;
                child = ContextNode::next_sibling(child);
            }
            assert!(exclusive >= 0, "callees count no more than their caller");
            own.push((visit.depth, visit.method, exclusive));
        }
        assert_eq!(own.len() as u64 + 1, arena.nodes());
        (sums, arena.bytes(), arena.folded(), own)
    }
}

#[test]
#[cfg_attr(miri, ignore = "its budgets are full after hundred thousands of calls")]
fn folded_contexts_leave_all_sums_as_they_are() {
    let calls = 300_000;
    let (all, bytes, folded, _) = recorded(usize::MAX, calls);
    assert_eq!(folded.contexts, 0);
    for budget in [1 << 18, 1 << 20, 4 << 20] {
        assert!(bytes > 2 * budget as u64);
        let (sums, bytes, folded, own) = recorded(budget, calls);
        assert_eq!(sums, all, "with {budget} bytes");
        assert!(folded.contexts > 10_000);
        assert!(own.iter().any(|node| node.1 == TRUNCATED));
        assert!(bytes < 3 * budget as u64, "{bytes} bytes for {budget}");
        assert_eq!(recorded(budget, calls).3, own, "the same again");
    }
}

#[test]
fn an_empty_arena_has_what_is_open() {
    let mut arena = Arena::new();
    // SAFETY: all nodes are of this arena, which outlives them; those that went are not touched.
    unsafe {
        let root = arena
            .new_node(ptr::null_mut(), 1, NO_SITE, 0)
            .expect("memory");
        let top = arena
            .find_or_add_child(root, 2, NO_SITE, 1)
            .expect("memory");
        let open = arena.find_or_add_child(top, 3, NO_SITE, 0).expect("memory");
        let closed = arena.find_or_add_child(top, 4, NO_SITE, 0).expect("memory");
        let other = arena
            .find_or_add_child(root, 4, NO_SITE, 0)
            .expect("memory");
        for node in [root, top, open, closed, other] {
            ((*node).inclusive, (*node).invocations) = (7, 1);
        }
        ContextNode::set_callee(top, ContextNode::SLOTS, open);
        ContextNode::set_callee(top, ContextNode::SLOTS + ContextNode::LINK, closed);
        assert_eq!(arena.nodes_by_method(), Some(&[0, 0, 1, 1, 2][..]));
        arena.give_method(other, 5);
        assert_eq!(arena.nodes_by_method(), Some(&[0, 0, 1, 1, 1, 1][..]));
        assert_eq!(arena.find_or_add_child(root, 5, NO_SITE, 0), Ok(other));
        arena.give_method(other, 4);
        assert_eq!(arena.nodes_by_method(), Some(&[0, 0, 1, 1, 2, 0][..]));
        let links = |method| match method {
            2 => ContextNode::SLOTS..ContextNode::SLOTS + 2 * ContextNode::LINK,
            _ => ContextNode::SLOTS..ContextNode::SLOTS,
        };
        let live = arena.empty(&[open], false, &links).expect("memory");
        assert!(live.has(open) && live.has(other) && !live.has(closed));
        assert_eq!(ContextNode::callee(top, ContextNode::SLOTS), open);
        assert!(ContextNode::callee(top, ContextNode::SLOTS + ContextNode::LINK).is_null());
        let mut left: Vec<_> = Walk::new(root)
            .map(|v| (v.depth, v.method, v.inclusive, v.invocations))
            .collect();
        left.sort_unstable();
        assert_eq!(
            left,
            [(0, 1, 0, 0), (1, 2, 0, 0), (1, 4, 0, 0), (2, 3, 0, 0)]
        );
        assert_eq!((arena.nodes(), arena.folded().contexts), (4, 0));
        // nobody knows any more how many there are
        assert_eq!(arena.nodes_by_method(), None);
        let again = arena.find_or_add_child(top, 4, NO_SITE, 0).expect("memory");
        assert_eq!((again, (*again).inclusive), (closed, 0));
    }
}

#[test]
fn room_is_requested_before_the_budget_is_used_up() {
    let mut arena = Arena::with_budget(4 * STRETCH);
    // SAFETY: all nodes are of this arena, which outlives them.
    unsafe {
        arena.ask_every(Some(2 * STRETCH));
        let root = arena
            .new_node(ptr::null_mut(), 1, NO_SITE, 0)
            .expect("memory");
        let mut method = 2;
        let mut fill = |arena: &mut Arena| {
            while !arena.is_full() {
                method += 1;
                arena.new_node(root, method, NO_SITE, 0).expect("memory");
            }
            arena.bytes()
        };
        assert_eq!(fill(&mut arena), 2 * STRETCH as u64);
        arena.ask_every(None);
        assert_eq!(fill(&mut arena), 4 * STRETCH as u64);
    }
}
