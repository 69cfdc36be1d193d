//! The VM as a library: what its embedder sees of calls, values, errors and fuel.

use crate::common::embed::{CALC, builder, class_path, engine, failure, vm};
use rjvm::{Classes, Context, Error, Object, Value};

#[test]
fn values_go_in_and_come_out() -> Result<(), Error> {
    let vm = &mut vm();
    assert!(!vm.call::<bool>(CALC, "z", (true,))?);
    assert_eq!(vm.call::<i8>(CALC, "b", (i8::MAX,))?, -127);
    assert_eq!(
        vm.call::<u16>(CALC, "c", (u16::from(b'x'),))?,
        u16::from(b'y')
    );
    assert_eq!(vm.call::<i16>(CALC, "s", (-300i16,))?, 300);
    assert_eq!(vm.call::<i32>(CALC, "i", (i32::MIN,))?, i32::MIN);
    assert_eq!(vm.call::<i64>(CALC, "j", (1i64 << 40,))?, -1 << 40);
    assert_eq!(vm.call::<f32>(CALC, "f", (1.5f32,))?, -1.5);
    assert_eq!(vm.call::<f64>(CALC, "d", (-1e300,))?, 1e300);
    assert_eq!(vm.call::<String>(CALC, "str", ("ü𝄞",))?, "ü𝄞!");
    assert_eq!(
        vm.call::<Option<String>>(CALC, "str", (None::<String>,))?,
        None
    );
    assert_eq!(vm.call::<Vec<i32>>(CALC, "ints", ([7, 8],))?, [-7, 8]);
    assert_eq!(
        vm.call::<Vec<u8>>(CALC, "bytes", (vec![1u8, 2],))?,
        [255, 2]
    );
    assert_eq!(vm.call::<Vec<i8>>(CALC, "bytes", (vec![1i8, 2],))?, [-1, 2]);
    assert_eq!(
        vm.call::<Vec<bool>>(CALC, "flags", ([true, true],))?,
        [false, true]
    );
    assert_eq!(vm.call::<Vec<u16>>(CALC, "chars", ([9u16],))?, [9]);
    assert_eq!(vm.call::<Vec<i16>>(CALC, "shorts", ([-9i16],))?, [-9]);
    assert_eq!(
        vm.call::<Vec<i64>>(CALC, "longs", ([i64::MIN],))?,
        [i64::MIN]
    );
    assert_eq!(vm.call::<Vec<f32>>(CALC, "floats", ([0.5f32],))?, [0.5]);
    assert_eq!(vm.call::<Vec<f64>>(CALC, "doubles", ([0.25],))?, [0.25]);
    assert_eq!(
        vm.call::<Vec<String>>(CALC, "strings", (["a", "b"],))?,
        ["A", "b"]
    );
    // boxes
    assert_eq!(vm.call::<i32>(CALC, "boxed", (41,))?, 42);
    assert_eq!(vm.call::<Option<i32>>(CALC, "boxed", (None::<i32>,))?, None);
    assert_eq!(vm.call::<i64>(CALC, "same", (5i64,))?, 5);
    assert_eq!(vm.call::<String>(CALC, "same", ("s",))?, "s");
    assert_eq!(vm.call::<Vec<i32>>(CALC, "same", (vec![1, 2],))?, [1, 2]);
    // whatever it is
    let value: Value = vm.call(CALC, "same", (2.5f64,))?;
    let Value::Object(boxed) = value else {
        panic!("{value:?}");
    };
    assert_eq!(boxed.to::<f64>(vm)?, 2.5);
    assert_eq!(boxed.class(vm)?.name(), "java.lang.Double");
    vm.call::<()>(CALC, "run", (1,))
}

#[test]
fn objects_fields_and_constructors() -> Result<(), Error> {
    let vm = &mut vm();
    let a = vm.new_object(CALC, ("a", 10))?;
    assert_eq!(a.call::<i32>(vm, "add", (5,))?, 15);
    assert_eq!(a.get::<i32>(vm, "count")?, 15);
    a.set(vm, "count", 100)?;
    assert_eq!(a.call::<String>(vm, "toString", ())?, "a:100");
    assert_eq!(a.get::<i64>(vm, "wide")?, 1 << 40);
    a.set(vm, "wide", -1i64)?;
    assert_eq!(a.get::<i64>(vm, "wide")?, -1);
    assert_eq!(a.get::<Vec<i32>>(vm, "numbers")?, [1, 2, 3]);
    assert_eq!(a.get::<Option<Object>>(vm, "any")?.map(drop), None);
    a.set(vm, "any", &a)?;
    assert!(a.get::<Object>(vm, "any")?.is_same(vm, &a)?);
    a.set(vm, "any", "now a string")?;
    assert_eq!(a.get::<String>(vm, "any")?, "now a string");
    assert_eq!(vm.get_static::<String>(CALC, "text")?, "text");
    vm.set_static(CALC, "text", "changed")?;
    assert_eq!(vm.get_static::<String>(CALC, "text")?, "changed");
    assert_eq!(vm.get_static::<i32>(CALC, "LIMIT")?, 7);
    let class = vm.class(CALC)?;
    let b = class.new_object(vm, ())?;
    assert_eq!(b.call::<String>(vm, "toString", ())?, "nameless:0");
    let swapped: Vec<Option<Object>> = class.call(vm, "both", (vec![a.clone(), b.clone()],))?;
    assert!(swapped[0].as_ref().expect("not null").is_same(vm, &b)?);
    assert!(swapped[2].is_none());
    // private methods, interfaces, overridden methods
    assert_eq!(class.call::<i32>(vm, "hidden", ())?, 99);
    let shape: Object = class.call(vm, "shape", ())?;
    assert_eq!(shape.call::<String>(vm, "describe", ())?, "shape of 4.0");
    let interface = vm.class("app.Calc$Shape")?;
    assert!(shape.is_instance(vm, &interface)?);
    assert!(!a.is_instance(vm, &interface)?);
    assert_eq!(shape.class(vm)?.name(), "app.Calc$Square");
    let text = vm.object("text")?;
    assert_eq!(text.call::<i32>(vm, "length", ())?, 4);
    Ok(())
}

#[test]
fn methods_are_chosen_by_arguments_or_descriptor() -> Result<(), Error> {
    let vm = &mut vm();
    assert_eq!(vm.call::<String>(CALC, "which", ("s",))?, "string");
    let sequence = vm.new_object("java.lang.StringBuilder", ())?;
    assert_eq!(vm.call::<String>(CALC, "which", (1,))?, "object");
    let desc = "which(Ljava/lang/CharSequence;)Ljava/lang/String;";
    assert_eq!(vm.call::<String>(CALC, desc, (&sequence,))?, "sequence");
    assert_eq!(vm.call::<String>(CALC, desc, ("s",))?, "sequence");
    let text = failure(vm.call::<String>(CALC, "which", (&sequence,)));
    assert!(text.contains("which(Ljava/lang/CharSequence;)"), "{text}");
    assert!(matches!(
        vm.call::<String>(CALC, "either", (1, 1)),
        Err(Error::Ambiguous(_))
    ));
    let desc = "either(Ljava/lang/Object;Ljava/lang/Integer;)Ljava/lang/String;";
    assert_eq!(vm.call::<String>(CALC, desc, (1, 1))?, "right");
    Ok(())
}

#[test]
fn what_is_not_there_or_does_not_fit_is_an_error() -> Result<(), Error> {
    let vm = &mut vm();
    let a = vm.new_object(CALC, ("a", 1))?;
    for (text, want) in [
        (
            failure(vm.class("app.Missing")),
            "there is no class app.Missing",
        ),
        (failure(vm.class("[I;")), "there is no class [I;"),
        (failure(vm.class("")), "there is no class "),
        (
            failure(vm.call::<i32>("app.Missing", "run", (1,))),
            "class app.Missing",
        ),
        (
            failure(vm.call::<i32>(CALC, "missing", (1,))),
            "static method app.Calc.missing",
        ),
        (
            failure(vm.call::<()>(CALC, "<clinit>", ())),
            "static method app.Calc.<clinit>",
        ),
        (
            failure(a.call::<i32>(vm, "run", (1,))),
            "method app.Calc.run",
        ),
        (
            failure(vm.call::<i64>(CALC, "run", (1i64,))),
            "takes different arguments; declared: run(I)J",
        ),
        (
            failure(vm.call::<i64>(CALC, "run", ())),
            "takes different arguments",
        ),
        (
            failure(vm.call::<i32>(CALC, "run", (1,))),
            "does not return int",
        ),
        (
            failure(vm.call::<i64>(CALC, "run(J)J", (1i64,))),
            "static method app.Calc.run(J)J",
        ),
        (
            failure(vm.call::<i64>(CALC, "run(I)J", (1i64,))),
            "long is not int",
        ),
        (
            failure(vm.call::<i64>(CALC, "same", ("s",))),
            "java.lang.String is not long",
        ),
        (
            failure(vm.call::<String>(CALC, "str", (None::<String>,))),
            "null is not java.lang.String",
        ),
        (
            failure(vm.new_object(CALC, (true,))),
            "takes different arguments",
        ),
        (
            failure(vm.new_object("java.lang.Class", (None::<Object>, None::<Object>))),
            "IllegalAccessException",
        ),
        (
            failure(vm.new_object("java.lang.Number", ())),
            "InstantiationException",
        ),
        (
            failure(vm.new_object("java.lang.Runnable", ())),
            "constructor of java.lang.Runnable",
        ),
        (
            failure(vm.get_static::<i32>(CALC, "count")),
            "static field app.Calc.count",
        ),
        (failure(a.get::<i32>(vm, "calls")), "field app.Calc.calls"),
        (failure(a.get::<i64>(vm, "count")), "int is not long"),
        (failure(a.set(vm, "count", 1i64)), "long is not int"),
        (failure(a.set(vm, "numbers", [1i64])), "long[] is not int[]"),
        (
            failure(a.set(vm, "name", &a)),
            "the object is not java.lang.String",
        ),
        (failure(vm.set_static(CALC, "LIMIT", 8)), "is final"),
        (
            failure(vm.set_static(CALC, "text", 8)),
            "int is not java.lang.String",
        ),
        (
            failure(a.to::<String>(vm)),
            "an object of app.Calc is not java.lang.String",
        ),
    ] {
        assert!(text.contains(want), "{text:?} lacks {want:?}");
    }
    // the VM is none the worse
    assert_eq!(vm.call::<i64>(CALC, "run", (4,))?, 6);
    Ok(())
}

#[test]
fn fields_of_the_vms_own_are_not_written() -> Result<(), Error> {
    let vm = &mut vm();
    let class = vm.class(CALC)?.object();
    for field in ["classLoader", "module", "componentType"] {
        let before = class.get::<Option<Object>>(vm, field)?;
        let _ = class.set(vm, field, Value::Null);
        drop(before);
    }
    let thread: Object = vm.call("java.lang.Thread", "currentThread", ())?;
    for eetop in [i64::MAX, -1, 77, 0] {
        let _ = thread.set(vm, "eetop", eetop);
        let _ = thread.call::<bool>(vm, "isAlive", ());
        let _ = thread.call::<()>(vm, "interrupt", ());
        let _ = thread.call::<Vec<Option<Object>>>(vm, "getStackTrace", ());
    }
    Ok(())
}

#[test]
fn handles_outlive_collections() -> Result<(), Error> {
    let vm = &mut vm();
    let objects: Vec<Object> = (0..2000)
        .map(|i| vm.new_object(CALC, (format!("object {i}"), i)))
        .collect::<Result<_, _>>()?;
    let before = vm.executed();
    vm.call::<i32>(CALC, "churn", (200_000,))?;
    vm.collect_garbage();
    let after = vm.executed();
    assert!(after.young_collections > before.young_collections);
    assert!(after.full_collections > before.full_collections);
    for (i, o) in objects.iter().enumerate() {
        assert_eq!(
            o.call::<String>(vm, "toString", ())?,
            format!("object {i}:{i}")
        );
    }
    Ok(())
}

#[test]
fn objects_without_handles_are_collected() -> Result<(), Error> {
    for bytes in [0, 1, (2 << 20) - 1] {
        let Err(Error::Setup(text)) = builder().heap(bytes).build().map(drop) else {
            panic!("{bytes} bytes are no heap");
        };
        assert_eq!(
            text,
            format!("a heap of {bytes} bytes is too small: the minimum is 2 MiB")
        );
    }
    let least = &mut builder().heap(2 << 20).build()?;
    assert_eq!(least.call::<i64>(CALC, "run", (4,))?, 6);
    let vm = &mut builder().heap(24 << 20).build()?;
    for _ in 0..200 {
        let big = vm.object(vec![0i64; 100_000])?;
        let other = big.clone();
        drop(big);
        // handles may be dropped on any thread
        std::thread::spawn(move || drop(other))
            .join()
            .expect("no panic");
    }
    let kept: Result<Vec<Object>, Error> =
        (0..200).map(|_| vm.object(vec![0i64; 100_000])).collect();
    let text = failure(kept);
    assert!(
        text.starts_with("java.lang.OutOfMemoryError: Java heap space"),
        "{text}"
    );
    assert_eq!(vm.call::<i64>(CALC, "run", (4,))?, 6);
    Ok(())
}

#[test]
fn objects_of_another_vm_are_refused() -> Result<(), Error> {
    let (a, b) = (&mut vm(), &mut vm());
    let (object, class) = (a.new_object(CALC, ())?, a.class(CALC)?);
    assert!(matches!(
        object.call::<String>(b, "toString", ()),
        Err(Error::Foreign)
    ));
    assert!(matches!(object.get::<i32>(b, "count"), Err(Error::Foreign)));
    assert!(matches!(class.new_object(b, ()), Err(Error::Foreign)));
    assert!(matches!(
        b.call::<Object>(CALC, "same", (&object,)),
        Err(Error::Foreign)
    ));
    assert!(matches!(
        b.call::<Object>(CALC, "same", (&class,)),
        Err(Error::Foreign)
    ));
    let list = b.new_object("java.util.ArrayList", ())?;
    assert!(matches!(
        list.call::<bool>(b, "add", (&object,)),
        Err(Error::Foreign)
    ));
    assert!(matches!(object.to::<String>(b), Err(Error::Foreign)));
    let own = b.new_object(CALC, ())?;
    assert!(matches!(own.is_same(b, &object), Err(Error::Foreign)));
    Ok(())
}

#[test]
fn handles_may_outlive_their_vm() -> Result<(), Error> {
    let object = {
        let mut vm = vm();
        vm.new_object(CALC, ())?
    };
    let other = &mut vm();
    assert!(matches!(
        object.call::<String>(other, "toString", ()),
        Err(Error::Foreign)
    ));
    Ok(())
}

#[test]
fn exceptions_are_shown_as_in_java() -> Result<(), Error> {
    let vm = &mut vm();
    let error = vm
        .call::<()>(CALC, "fail", ("why",))
        .expect_err("it throws");
    let e = error.exception().expect("an exception");
    assert_eq!(e.class, "java.lang.IllegalStateException");
    assert_eq!(e.message.as_deref(), Some("outer"));
    let top = &e.stack[0];
    assert_eq!((&*top.class, &*top.method), (CALC, "fail"));
    assert_eq!(top.file.as_deref(), Some("Calc.java"));
    assert!(top.line.is_some_and(|l| l > 10));
    let cause = e.cause.as_ref().expect("a cause");
    assert_eq!(cause.to_string(), "java.lang.IllegalArgumentException: why");
    assert_eq!(e.suppressed[0].class, "java.lang.Error");
    assert_eq!(e.chain().count(), 2);
    let text = vm.new_object("java.io.StringWriter", ())?;
    let writer = vm.new_object("java.io.PrintWriter", (&text,))?;
    e.object.call::<()>(vm, "printStackTrace", (&writer,))?;
    assert_eq!(e.stack_trace(), text.call::<String>(vm, "toString", ())?);
    // a line by default, all of it if that is requested
    assert_eq!(error.to_string(), "java.lang.IllegalStateException: outer");
    assert_eq!(format!("{error:#}\n"), e.stack_trace());
    let lines = vm.call::<i32>("java.lang.Integer", "parseInt", ("1\n2",));
    let lines = lines.expect_err("no number").to_string();
    assert_eq!(
        lines,
        "java.lang.NumberFormatException: For input string: \"1 2\""
    );
    // the same once Java has made elements of it
    let again = vm
        .call::<()>(CALC, "rethrow", (&e.object,))
        .expect_err("it throws");
    assert_eq!(
        again.exception().expect("an exception").stack_trace(),
        e.stack_trace()
    );
    // frames that are common to an exception and its cause, and names of modules
    let error = vm.call::<()>(CALC, "lists", ()).expect_err("it throws");
    let e = error.exception().expect("an exception");
    let text = vm.new_object("java.io.StringWriter", ())?;
    let writer = vm.new_object("java.io.PrintWriter", (&text,))?;
    e.object.call::<()>(vm, "printStackTrace", (&writer,))?;
    let text: String = text.call(vm, "toString", ())?;
    assert!(
        text.contains("java.base/") && text.contains(" more\n"),
        "{text}"
    );
    assert_eq!(e.stack_trace(), text);
    let thrown = vm.call::<i32>("app.Calc$Bad", "f", ());
    assert!(failure(thrown).starts_with("java.lang.ExceptionInInitializerError\n"));
    let text = failure(vm.call::<i32>(CALC, "recurse", (0,)));
    assert!(text.starts_with("java.lang.StackOverflowError\n"), "{text}");
    let text = failure(vm.call::<()>(CALC, "hold", (100_000, 1000)));
    assert!(
        text.starts_with("java.lang.OutOfMemoryError: Java heap space\n"),
        "{text}"
    );
    vm.call::<()>(CALC, "forget", ())?;
    let text = failure(vm.call::<i32>("java.lang.Integer", "parseInt", ("x",)));
    assert!(
        text.contains("\tat java.base/java.lang.Integer.parseInt(Integer.java:"),
        "{text}"
    );
    Ok(())
}

/// However little room is left, and whichever allocation met the limit.
#[test]
fn where_the_heap_was_full_is_reported() -> Result<(), Error> {
    for length in (0..24).map(|i| 1000 + 2 * i) {
        let vm = &mut builder().heap(8 << 20).build()?;
        let text = failure(vm.call::<()>(CALC, "hold", (100_000, length)));
        let expected = "java.lang.OutOfMemoryError: Java heap space\n\tat ";
        assert!(text.starts_with(expected), "{length}: {text}");
        assert!(
            text.contains("app.Calc.hold(Calc.java:"),
            "{length}: {text}"
        );
    }
    Ok(())
}

#[test]
fn bad_class_files_are_exceptions() -> Result<(), Error> {
    let good = std::fs::read(class_path().join("app/Calc.class")).expect("a class file");
    let cut = good[..good.len() / 2].to_vec();
    let classes = Classes::new()
        .with_class("app.Cut", cut)
        .with_file("app/Twisted.class", good)
        .with_file("app/Text.class", "no class file at all")
        .with_file("app/Empty.class", "");
    let vm = &mut engine().vm().classes(classes).build()?;
    for name in ["app.Cut", "app.Text", "app.Empty"] {
        let text = failure(vm.class(name));
        assert!(
            text.starts_with("java.lang.ClassFormatError"),
            "{name}: {text}"
        );
    }
    let text = failure(vm.class("app.Twisted"));
    assert!(
        text.starts_with("java.lang.NoClassDefFoundError: app/Twisted (wrong name: app/Calc)"),
        "{text}"
    );
    Ok(())
}

#[test]
fn classes_from_memory_are_verified() -> Result<(), Error> {
    let good = std::fs::read(class_path().join("app/Calc.class")).expect("a class file");
    let mut broken = 0;
    for at in (0..good.len()).step_by(97) {
        let mut bytes = good.clone();
        bytes[at] ^= 0x15;
        let classes = Classes::new().with_file("app/Calc.class", bytes);
        let vm = &mut engine().vm().heap(32 << 20).classes(classes).build()?;
        vm.set_fuel(3_000_000);
        match vm.call::<i64>(CALC, "run", (4,)) {
            Err(Error::Fault(fault)) => panic!("byte {at}: {fault}"),
            Err(Error::Exception(_)) => broken += 1,
            _ => {}
        }
    }
    assert!(broken > 10, "{broken}");
    Ok(())
}

#[test]
fn resources_and_packages_of_classes_in_memory() -> Result<(), Error> {
    let classes: Classes = ["Calc", "Calc$Shape", "Calc$Square"]
        .iter()
        .map(|n| {
            let bytes = std::fs::read(class_path().join(format!("app/{n}.class")));
            (format!("app/{n}.class"), bytes.expect("a class file"))
        })
        .collect();
    let classes = classes.with_file("app/note.txt", "noted");
    assert!(classes.names().any(|n| n == CALC));
    let vm = &mut engine().vm().classes(classes).build()?;
    assert_eq!(vm.call::<i64>(CALC, "run", (4,))?, 6);
    let class = vm.class(CALC)?.object();
    let package: Object = class.call(vm, "getPackage", ())?;
    assert_eq!(package.call::<String>(vm, "getName", ())?, "app");
    let stream: Object = class.call(vm, "getResourceAsStream", ("note.txt",))?;
    assert_eq!(stream.call::<Vec<u8>>(vm, "readAllBytes", ())?, b"noted");
    Ok(())
}
