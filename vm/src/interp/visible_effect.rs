//! What natives of the class library do that other threads could see, by their names.

use rjvm_ops::Mode;

/// What a native does that others could see.
#[derive(Clone, Copy, Debug)]
pub(crate) enum VisibleEffect {
    Read,
    Write,
    /// Compare and set (false), or exchange.
    Update(bool),
    /// Reported as it is.
    Plain,
    /// Waits: reported when it has begun to.
    Waits,
    /// Looks whether a thread has ended.
    Looks,
    /// Starts a thread.
    Starts,
    /// A weak compare and set that fails without a reason: it is not done at all.
    Fails,
    /// Copies a part of an array.
    Copies,
    /// Copies an object.
    Clones,
    /// It is done, with this result: it is not called.
    Done(u64),
}

/// The natives of `Unsafe` by name: what they do, with which type.
pub(super) fn unsafe_native(name: &str) -> Option<(VisibleEffect, u8, Mode)> {
    let (reported, rest) = if let Some(rest) = name.strip_prefix("compareAndSet") {
        (VisibleEffect::Update(false), rest)
    } else if let Some(rest) = name.strip_prefix("compareAndExchange") {
        (VisibleEffect::Update(true), rest)
    } else if let Some(rest) = name.strip_prefix("get") {
        (VisibleEffect::Read, rest)
    } else {
        (VisibleEffect::Write, name.strip_prefix("put")?)
    };
    let (ty, mode) = match rest.strip_suffix("Volatile") {
        Some(ty) => (ty, Mode::Volatile),
        None => (rest, Mode::Plain),
    };
    let mode = match reported {
        VisibleEffect::Update(_) => Mode::Volatile,
        _ => mode,
    };
    let ty = match ty {
        "Boolean" => b'Z',
        "Byte" => b'B',
        "Char" => b'C',
        "Short" => b'S',
        "Int" => b'I',
        "Long" => b'J',
        "Float" => b'F',
        "Double" => b'D',
        "Reference" => b'L',
        _ => return None,
    };
    Some((reported, ty, mode))
}

/// The mode that a method of `Unsafe`, which only calls a native, has in its name.
pub(super) fn mode_of(caller: &str, native: Mode) -> Mode {
    let named = [
        ("Plain", Mode::Plain),
        ("Opaque", Mode::Opaque),
        ("Acquire", Mode::Acquire),
        ("Release", Mode::Release),
    ];
    let found = named.iter().find(|n| caller.ends_with(n.0));
    found.map_or(native, |n| n.1)
}
