//! Data to and from an agent: the natives of the class `Bridge` of the agents' API.

use super::request::AgentRequest;
use rjvm_vm::instruments::InstrumentId;
use rjvm_vm::{Env, R, Ref, natives};
use std::collections::{BTreeMap, VecDeque};

pub(super) const BRIDGE: &str = "rjvm/agent/Bridge";

natives! { "rjvm/agent/Bridge";
    number "()I" => number;
    text "()Ljava/lang/String;" => text;
    enable "(IZ)V" => enable;
    count "(I)J" => count;
    ask "(II)Ljava/lang/String;" => ask;
    dump "(Ljava/lang/String;)V" => dump;
    file "()[B" => file;
    replace "([B)V" => replace;
    place "(IILjava/lang/String;Ljava/lang/String;)Z" => place;
    remove "(I)V" => remove;
}

/// What waits for the bridge.
#[derive(Default)]
pub(super) struct Mail {
    pub numbers: VecDeque<i32>,
    pub texts: VecDeque<String>,
    /// The kinds of events that a listener wants, by number.
    pub enabled: u32,
    /// Thread, its bytecodes, those of all.
    pub counts: [i64; 3],
    /// What it asks, and the answer.
    pub question: Option<(i32, i32)>,
    pub answer: String,
    /// Heap dumps it asks for.
    pub dumps: Vec<String>,
    /// A class file, and its replacement.
    pub file: Vec<u8>,
    pub replacement: Option<Vec<u8>>,
    /// The VM's instruments for each instrument of the agent, by its number.
    pub placed: BTreeMap<i32, Vec<InstrumentId>>,
    /// Instruments to be placed and removed.
    pub requests: Vec<AgentRequest>,
}

pub(super) fn mail(vm: &mut Env) -> &mut Mail {
    let mail = vm
        .extensions()
        .entry(BRIDGE)
        .or_insert_with(|| Box::new(Mail::default()));
    mail.downcast_mut().expect("the key is this file's")
}
fn number(vm: &mut Env) -> R<i32> {
    Ok(mail(vm).numbers.pop_front().unwrap_or(-1))
}
fn text(vm: &mut Env) -> R<Ref> {
    let text = mail(vm).texts.front().cloned().unwrap_or_default();
    // may have to run again after a collection
    let string = vm.new_string(&text)?;
    mail(vm).texts.pop_front();
    Ok(string)
}

fn enable(vm: &mut Env, kind: i32, on: bool) -> R<()> {
    let bit = 1u32.checked_shl(kind as u32).unwrap_or(0);
    match on {
        true => mail(vm).enabled |= bit,
        false => mail(vm).enabled &= !bit,
    }
    Ok(())
}
fn count(vm: &mut Env, which: i32) -> R<i64> {
    Ok(mail(vm).counts[which as usize])
}
/// Stops the VM, and finds the answer when it continues.
fn ask(vm: &mut Env, what: i32, about: i32) -> R<Ref> {
    if vm.native_state()[0] == 0 {
        vm.native_state()[0] = 1;
        mail(vm).question = Some((what, about));
        vm.canceller().cancel();
        return Err(vm.yield_now());
    }
    let answer = mail(vm).answer.clone();
    vm.new_string(&answer)
}
fn dump(vm: &mut Env, file: Ref) -> R<()> {
    let file = vm.string(file);
    mail(vm).dumps.push(file);
    Ok(())
}
fn file(vm: &mut Env) -> R<Ref> {
    let bytes = mail(vm).file.clone();
    let array = vm.new_byte_array(bytes.len())?;
    vm.heap_mut().bytes_mut(array).copy_from_slice(&bytes);
    Ok(array)
}
fn replace(vm: &mut Env, file: Ref) -> R<()> {
    let bytes = vm.heap().bytes(file).to_vec();
    mail(vm).replacement = Some(bytes);
    Ok(())
}
fn place(vm: &mut Env, number: i32, strategy: i32, classes: Ref, method: Ref) -> R<bool> {
    let (classes, method) = (vm.string(classes), vm.string(method));
    let request = AgentRequest::place(number, strategy, &classes, method);
    Ok(request.map(|r| mail(vm).requests.push(r)).is_some())
}
fn remove(vm: &mut Env, number: i32) -> R<()> {
    mail(vm).requests.push(AgentRequest::Remove(number));
    Ok(())
}
