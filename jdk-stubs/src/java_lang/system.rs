//! Natives of `java.lang.System`.

use crate::support::{non_null, string_arg};
use rjvm_vm::boot::primitive_name;
use rjvm_vm::classes::ClassKind;
use rjvm_vm::{ClassId, Env, LoaderId, R, Ref, Throw, jdk, natives};

natives! { "java/lang/System";
    registerNatives "()V" => register_natives;
    arraycopy "(Ljava/lang/Object;ILjava/lang/Object;II)V" => arraycopy, inlined CopyBytes;
    identityHashCode "(Ljava/lang/Object;)I" => identity_hash_code, inlined IdentityHash;
    currentTimeMillis "()J" => current_time_millis;
    nanoTime "()J" => nano_time;
    setIn0 "(Ljava/io/InputStream;)V" => set_in;
    setOut0 "(Ljava/io/PrintStream;)V" => set_out;
    setErr0 "(Ljava/io/PrintStream;)V" => set_err;
    mapLibraryName "(Ljava/lang/String;)Ljava/lang/String;" => map_library_name;
}

/// Tables are bound by name, so there is nothing to register.
fn register_natives(_: &mut Env) -> R<()> {
    Ok(())
}

fn identity_hash_code(vm: &mut Env, x: Ref) -> R<i32> {
    Ok(vm.identity_hash(x))
}

/// The class library asks the clock for the seed of its random numbers (`ThreadLocalRandom`,
/// `SplittableRandom`), which decide how many bytecodes skip lists, counters and prime tests take: it gets
/// the seed of the VM instead. `new Random()` (and so `Math.random()`) is a program's wish for entropy,
/// unless it was run with a seed; `SecureRandom` always is.
fn seeds_library(vm: &mut Env) -> bool {
    let Some(caller) = vm.caller() else {
        return false;
    };
    let method = vm.method(caller);
    let class = vm.class(method.class);
    class.loader == LoaderId::BOOT
        && match (&*class.name, &**vm.symbols().str(method.name)) {
            ("java/util/concurrent/ThreadLocalRandom", "<clinit>")
            | ("jdk/internal/util/random/RandomSupport", "initialSeed") => true,
            ("java/util/Random", "<init>") => vm.options().seeds_random,
            _ => false,
        }
}

fn current_time_millis(vm: &mut Env) -> R<i64> {
    if seeds_library(vm) {
        return Ok(0);
    }
    let (seconds, nanos) = vm.wall_clock();
    Ok(seconds * 1000 + i64::from(nanos / 1_000_000))
}

fn nano_time(vm: &mut Env) -> R<i64> {
    if seeds_library(vm) {
        let options = vm.options();
        return Ok(options.reseeded.unwrap_or(options.seed) as i64);
    }
    Ok(vm.clock_ns())
}

fn set_in(vm: &mut Env, stream: Ref) -> R<()> {
    vm.set_static(jdk::system::IN, stream);
    Ok(())
}

fn set_out(vm: &mut Env, stream: Ref) -> R<()> {
    vm.set_static(jdk::system::OUT, stream);
    Ok(())
}

fn set_err(vm: &mut Env, stream: Ref) -> R<()> {
    vm.set_static(jdk::system::ERR, stream);
    Ok(())
}

fn map_library_name(vm: &mut Env, name: Ref) -> R<Ref> {
    let name = string_arg(vm, name)?;
    if name.encode_utf16().count() > 240 {
        return Err(Throw::msg(
            "java/lang/IllegalArgumentException",
            "name too long",
        ));
    }
    vm.new_string(&format!("lib{name}.so"))
}

/// The kind of an array for `arraycopy`.
#[derive(Clone, Copy)]
enum ArrayKind {
    /// Component type by descriptor character.
    Prim(u8),
    /// Component class.
    Ref(ClassId),
}

fn arraycopy(vm: &mut Env, src: Ref, src_pos: i32, dst: Ref, dst_pos: i32, len: i32) -> R<()> {
    // most are copies of a few elements between arrays of one class
    if vm
        .heap_mut()
        .copy_alike((src, src_pos), (dst, dst_pos), len, PIECE as i32)
    {
        return Ok(());
    }
    let (src, dst) = (non_null(src)?, non_null(dst)?);
    let sk = kind(vm, src, "source")?;
    // a primitive source looks at the destination's kind first, as does a reference source
    let dk = match vm.class_of(src) == vm.class_of(dst) {
        true => sk,
        false => kind(vm, dst, "destination")?,
    };
    match (sk, dk) {
        (ArrayKind::Prim(a), ArrayKind::Prim(b)) if a == b => {}
        (ArrayKind::Ref(_), ArrayKind::Ref(_)) => {}
        _ => {
            let m = format!(
                "arraycopy: type mismatch: can not copy {}[] into {}[]",
                kind_name(sk),
                kind_name(dk)
            );
            return Err(Throw::msg("java/lang/ArrayStoreException", m));
        }
    }
    check_ranges(vm, sk, (src, src_pos), dk, (dst, dst_pos), len)?;
    let (sp, dp, n) = (src_pos as usize, dst_pos as usize, len as usize);
    if let (ArrayKind::Ref(s), ArrayKind::Ref(d)) = (sk, dk)
        && s != d
        && !vm.is_subtype(s, d)
    {
        return copy_checked(vm, (src, sp, s), (dst, dp, d), n);
    }
    if n > PIECE {
        return copy_in_pieces(vm, (src, sp), (dst, dp), n);
    }
    vm.heap_mut().copy_elems((src, sp), (dst, dp), n);
    Ok(())
}

/// Elements that are copied at once.
pub(super) const PIECE: usize = 1 << 20;

/// Copies much: a request to stop need not wait for all of it. The progress is kept for the next time the native runs.
fn copy_in_pieces(vm: &mut Env, src: (Ref, usize), dst: (Ref, usize), n: usize) -> R<()> {
    // from the end, if the beginning of the source would be overwritten by then
    let backwards = src.0 == dst.0 && src.1 < dst.1;
    vm.in_pieces(n, PIECE, |vm, done, piece| {
        let at = match backwards {
            true => n - done - piece,
            false => done,
        };
        let place = |array: (Ref, usize)| (array.0, array.1 + at);
        vm.heap_mut().copy_elems(place(src), place(dst), piece);
        Ok(())
    })
}

fn kind(vm: &Env, array: Ref, role: &str) -> R<ArrayKind> {
    let class = vm.class(vm.class_of(array));
    match class.kind {
        ClassKind::Array(e) => Ok(match vm.class(e).kind {
            ClassKind::Primitive(ch) => ArrayKind::Prim(ch),
            _ => ArrayKind::Ref(e),
        }),
        _ => Err(Throw::msg(
            "java/lang/ArrayStoreException",
            format!("arraycopy: {role} type {} is not an array", class.dotted()),
        )),
    }
}

/// `int`, `object array`, as HotSpot's messages have it.
fn kind_name(k: ArrayKind) -> &'static str {
    match k {
        ArrayKind::Ref(_) => "object array",
        ArrayKind::Prim(ch) => primitive_name(ch).unwrap_or_default(),
    }
}

fn check_ranges(
    vm: &Env,
    sk: ArrayKind,
    (src, sp): (Ref, i32),
    dk: ArrayKind,
    (dst, dp): (Ref, i32),
    len: i32,
) -> R<()> {
    let (sl, dl) = (vm.heap().len(src), vm.heap().len(dst));
    let array = |k: ArrayKind, l: usize| format!("{}[{l}]", kind_name(k));
    let problem = if sp < 0 {
        format!("source index {sp} out of bounds for {}", array(sk, sl))
    } else if dp < 0 {
        format!("destination index {dp} out of bounds for {}", array(dk, dl))
    } else if len < 0 {
        format!("length {len} is negative")
    } else if sp as u64 + len as u64 > sl as u64 {
        format!(
            "last source index {} out of bounds for {}",
            sp as u64 + len as u64,
            array(sk, sl)
        )
    } else if dp as u64 + len as u64 > dl as u64 {
        format!(
            "last destination index {} out of bounds for {}",
            dp as u64 + len as u64,
            array(dk, dl)
        )
    } else {
        return Ok(());
    };
    Err(Throw::msg(
        "java/lang/ArrayIndexOutOfBoundsException",
        format!("arraycopy: {problem}"),
    ))
}

/// Copies element by element until one doesn't fit the destination. The arrays differ, so
/// they cannot overlap.
fn copy_checked(
    vm: &mut Env,
    (src, sp, s): (Ref, usize, ClassId),
    (dst, dp, d): (Ref, usize, ClassId),
    n: usize,
) -> R<()> {
    for i in 0..n {
        let e = vm.heap().elem_ref(src, sp + i);
        if !e.is_null() && !vm.instance_of(e, d) {
            let (sn, dn) = (vm.class(s).dotted(), vm.class(d).dotted());
            let m = match vm.is_subtype(d, s) {
                false => format!("arraycopy: type mismatch: can not copy {sn}[] into {dn}[]"),
                true => format!(
                    "arraycopy: element type mismatch: can not cast one of the elements of {sn}[] to the type of the destination array, {dn}"
                ),
            };
            return Err(Throw::msg("java/lang/ArrayStoreException", m));
        }
        vm.heap_mut().set_elem_ref(dst, dp + i, e);
    }
    Ok(())
}
