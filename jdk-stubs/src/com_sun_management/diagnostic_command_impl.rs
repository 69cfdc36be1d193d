//! Natives of `com.sun.management.internal.DiagnosticCommandImpl`: the commands that the VM's host offers.

use crate::support::{non_null, string_arg, string_array};
use rjvm_vm::jdk::calls;
use rjvm_vm::threads::pending_requests::{CommandInfo, ParameterInfo};
use rjvm_vm::throw::{Call, Cont, Next, Resume, Upcall};
use rjvm_vm::{ClassId, Env, R, Ref, Throw, Value, jdk, natives};

natives! { "com/sun/management/internal/DiagnosticCommandImpl";
    setNotificationEnabled "(Z)V" => set_notification_enabled;
    getDiagnosticCommands "()[Ljava/lang/String;" => get_diagnostic_commands;
    getDiagnosticCommandInfo "([Ljava/lang/String;)[Lcom/sun/management/internal/DiagnosticCommandInfo;" => get_info;
    executeDiagnosticCommand "(Ljava/lang/String;)Ljava/lang/String;" => execute;
}

/// The set of commands never changes, so there are never notifications.
fn set_notification_enabled(_: &mut Env, _this: Ref, _on: bool) -> R<()> {
    Ok(())
}

fn get_diagnostic_commands(vm: &mut Env, _this: Ref) -> R<Ref> {
    let names = vm.commands().into_iter().map(|c| c.name.to_owned());
    string_array(vm, &names.collect::<Vec<_>>())
}

fn illegal(why: &str) -> Box<Throw> {
    Throw::msg("java/lang/IllegalArgumentException", why)
}

fn initialized(vm: &mut Env, name: jdk::ClassName<false>) -> R<ClassId> {
    let class = vm.jdk_class(name)?;
    vm.ensure_initialized(class)?;
    Ok(class)
}

/// The descriptions of these commands. Constructors run one after the other.
fn get_info(vm: &mut Env, _this: Ref, names: Ref) -> R<Ref> {
    let names = non_null(names)?;
    let n = vm.heap().len(names);
    let class = initialized(vm, jdk::diagnostic_command_info::CLASS)?;
    let result = vm.new_array_of(class, n)?;
    // the commands' numbers, for the continuation
    let int = vm.primitive(b'I');
    let list = vm.new_array_of(int, n)?;
    let commands = vm.commands();
    for i in 0..n {
        let name = vm.heap().elem_ref(names, i);
        let name = string_arg(vm, name)?;
        let number = commands.iter().position(|c| c.name == name);
        let number = number.ok_or_else(|| illegal("Unknown diagnostic command"))?;
        vm.heap_mut().set_elem::<i32>(list, i, number as i32);
    }
    Err(Box::new(Throw::Upcall(Upcall {
        call: None,
        cont: Some(Cont::new(
            |vm, c, input| match input {
                Ok(value) => step(vm, c, value).unwrap_or_else(Next::Throw),
                Err(e) => Next::Throw(Throw::object(e)),
            },
            [0; 3],
            [list, result, Ref::NULL],
        )),
        resume: Resume::Value,
    })))
}

/// `data`: the command's place in the list, and its next step: an array for what it takes, a constructor for each of that, the array as a
/// list, its own constructor. `refs`: list, result, array. `value` is what the last step has returned.
fn step(vm: &mut Env, c: &mut Cont, value: Value) -> R<Next> {
    let [list, result, parameters] = c.refs;
    let place = c.data[0] as usize;
    if place == vm.heap().len(list) {
        return Ok(Next::Return(result.into()));
    }
    let number = vm.heap().elem::<i32>(list, place);
    let Some(command) = vm.commands().into_iter().nth(number as usize) else {
        return Err(illegal("Unknown diagnostic command"));
    };
    let all = command.parameters.len();
    let call = match c.data[1] as usize {
        0 => {
            let class = initialized(vm, jdk::diagnostic_command_argument_info::CLASS)?;
            c.refs[2] = vm.new_array_of(class, all)?;
            c.data[1] = 1;
            return step(vm, c, value);
        }
        n if n <= all => {
            let (info, call) = parameter(vm, &command.parameters[n - 1], n - 1)?;
            vm.heap_mut().set_elem_ref(parameters, n - 1, info);
            call
        }
        n if n == all + 1 => {
            let arrays = initialized(vm, jdk::arrays::CLASS)?;
            let method = vm.jdk_method(arrays, calls::arrays::AS_LIST);
            Call::new(vm, method, &[parameters.into()])
        }
        _ => {
            let (info, call) = whole(vm, &command, value.reference())?;
            vm.heap_mut().set_elem_ref(result, place, info);
            c.data = [c.data[0] + 1, 0, 0];
            return Ok(Next::Call(call));
        }
    };
    c.data[1] += 1;
    Ok(Next::Call(call))
}

/// A string, or null.
fn text(vm: &mut Env, text: Option<&str>) -> R<Value> {
    Ok(Value::Ref(match text {
        Some(text) => vm.new_string(text)?,
        None => Ref::NULL,
    }))
}

fn parameter(vm: &mut Env, p: &ParameterInfo, number: usize) -> R<(Ref, Call)> {
    let class = initialized(vm, jdk::diagnostic_command_argument_info::CLASS)?;
    let info = vm.alloc_object(class)?;
    let [name, about, kind, default] =
        [Some(p.name), Some(p.about), Some(p.kind), p.default].map(|t| text(vm, t));
    let args = [
        info.into(),
        name?,
        about?,
        kind?,
        default?,
        p.mandatory.into(),
        p.option.into(),
        // at most once
        false.into(),
        Value::Int(if p.option { -1 } else { number as i32 }),
    ];
    let method = vm.jdk_method(class, calls::diagnostic_command_argument_info::INIT);
    Ok((info, Call::new(vm, method, &args)))
}

fn whole(vm: &mut Env, command: &CommandInfo, parameters: Ref) -> R<(Ref, Call)> {
    let class = initialized(vm, jdk::diagnostic_command_info::CLASS)?;
    let info = vm.alloc_object(class)?;
    let permission = |i: usize| command.permission.map(|p| p[i]);
    let [name, about, impact, of, named, action] = [
        Some(command.name),
        Some(command.about),
        Some(command.impact),
        permission(0),
        permission(1),
        permission(2).filter(|action| !action.is_empty()),
    ]
    .map(|t| text(vm, t));
    let mut args = vec![info.into(), name?, about?, impact?];
    let with_permission = vm.has_method(calls::diagnostic_command_info::INIT_WITH_PERMISSION);
    if with_permission.is_some() {
        args.extend([of?, named?, action?]);
    }
    let enabled = Value::from(true);
    args.extend([enabled, parameters.into()]);
    let plain = vm.has_method(calls::diagnostic_command_info::INIT);
    let init = with_permission
        .or(plain)
        .expect("each JDK has one of the two");
    let method = vm.jdk_method(class, init);
    Ok((info, Call::new(vm, method, &args)))
}

/// The thread waits until the host has carried out the command, between the turns of two threads.
fn execute(vm: &mut Env, _this: Ref, line: Ref) -> R<Ref> {
    let line = string_arg(vm, line)?;
    match vm.command_answer() {
        None => Err(vm.give_command(line)),
        Some(Ok(answer)) => {
            let answer = vm.new_string(&answer)?;
            vm.end_command();
            Ok(answer)
        }
        Some(Err(why)) => {
            vm.end_command();
            Err(illegal(&why))
        }
    }
}
