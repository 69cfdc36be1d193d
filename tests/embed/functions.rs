//! Methods that an embedder looks up once: what they take, what they refuse, and that they count as other calls do.

use crate::common::embed::{CALC, failure, vm};
use rjvm::{Context, Error, Function, Method, Object, Value};

#[test]
fn functions_take_and_give_what_calls_do() -> Result<(), Error> {
    let vm = &mut vm();
    let negated = vm.function::<(i64,), i64>(CALC, "j")?;
    let text = vm.function::<(Option<&str>,), Option<String>>(CALC, "str")?;
    let boxed = vm.function::<(Option<i32>,), Option<i32>>(CALC, "boxed")?;
    let any = vm.function::<(Value,), Value>(CALC, "same")?;
    for i in 0..100 {
        assert_eq!(negated.call(vm, (i,))?, -i);
    }
    assert_eq!(text.call(vm, (Some("a"),))?.as_deref(), Some("a!"));
    assert_eq!(text.call(vm, (None,))?, None);
    assert_eq!(boxed.call(vm, (Some(41),))?, Some(42));
    assert_eq!(boxed.call(vm, (None,))?, None);
    let Value::String(same) = any.call(vm, (Value::String("s".into()),))? else {
        panic!("no string");
    };
    assert_eq!(same, "s");
    // among methods of one name, the one of the very types
    let abs = vm.function::<(f64,), f64>("java.lang.Math", "abs")?;
    assert_eq!(abs.call(vm, (-0.5,))?, 0.5);
    let text = vm.function::<(i32,), String>("java.lang.String", "valueOf")?;
    assert_eq!(text.call(vm, (7,))?, "7");
    let named = vm.function::<(i32,), String>(
        "java.lang.String",
        "valueOf(Ljava/lang/Object;)Ljava/lang/String;",
    )?;
    assert_eq!(named.call(vm, (8,))?, "8");
    Ok(())
}

#[test]
fn methods_run_what_the_objects_class_has() -> Result<(), Error> {
    let vm = &mut vm();
    let text = vm.method::<(), String>("java.lang.Object", "toString")?;
    let list: Object = vm.new_object("java.util.ArrayList", ())?;
    let add = vm.method::<(&str,), bool>("java.util.Collection", "add")?;
    assert!(add.call(vm, &list, ("one",))?);
    assert_eq!(text.call(vm, &list, ())?, "[one]");
    let string = vm.object("two")?;
    assert_eq!(text.call(vm, &string, ())?, "two");
    let refused = failure(add.call(vm, &string, ("three",)));
    assert_eq!(refused, "the object is not a java.util.Collection");
    Ok(())
}

#[test]
fn java_agents_are_not_granted() -> Result<(), Error> {
    let vm = &mut vm();
    let jar = "/nowhere/none.jar";
    let start = vm.function::<(&str,), ()>("sun.instrument.InstrumentationImpl", "loadAgent")?;
    let refused = failure(start.call(vm, (jar,)));
    assert!(refused.contains("Java agents are not granted"), "{refused}");
    Ok(())
}

#[test]
fn faulty_ones_are_errors_when_they_are_looked_up() -> Result<(), Error> {
    let vm = &mut vm();
    let why = |r: Result<Function<(i64,), i64>, Error>| failure(r);
    let none = why(vm.function(CALC, "no such method"));
    assert_eq!(
        none,
        format!("there is no static method {CALC}.no such method")
    );
    let other = why(vm.function(CALC, "i"));
    assert!(other.contains("takes different arguments"), "{other}");
    let missing = why(vm.function("no.such.Class", "f"));
    assert_eq!(missing, "there is no class no.such.Class");
    let result = failure(vm.function::<(i64,), String>(CALC, "j"));
    assert!(
        result.ends_with("does not return java.lang.String"),
        "{result}"
    );
    let of_object = failure(vm.function::<(), String>("java.lang.Object", "toString"));
    assert!(of_object.contains("static method"), "{of_object}");
    let constructor: Result<Method<(), ()>, Error> = vm.method("java.lang.Object", "<init>");
    assert!(matches!(constructor, Err(Error::NotFound(_))));
    Ok(())
}

#[test]
fn another_vm_refuses_them() -> Result<(), Error> {
    let (one, other) = (&mut vm(), &mut vm());
    let function = one.function::<(i64,), i64>(CALC, "j")?;
    let method = one.method::<(), String>("java.lang.Object", "toString")?;
    assert!(matches!(function.call(other, (1,)), Err(Error::Foreign)));
    let string = other.object("s")?;
    assert!(matches!(
        method.call(other, &string, ()),
        Err(Error::Foreign)
    ));
    assert_eq!(function.call(one, (1,))?, -1);
    Ok(())
}

#[test]
fn they_count_what_calls_by_name_count() -> Result<(), Error> {
    let (by_name, looked_up) = (&mut vm(), &mut vm());
    let function = looked_up.function::<(i64,), i64>(CALC, "j")?;
    for i in 0..10i64 {
        by_name.call::<i64>(CALC, "j", (i,))?;
        function.call(looked_up, (i,))?;
    }
    let counts = |vm: &mut rjvm::Vm| -> Result<_, Error> {
        let profile = vm.profile()?;
        let method = profile.method("app.Calc.j").expect("it has run");
        Ok((method.calls, method.bytecodes, profile.totals()))
    };
    assert_eq!(counts(by_name)?, counts(looked_up)?);
    Ok(())
}
