//! The writers of threads (`EventWriter`): the class library writes events into a block of memory outside the heap, and reports each
//! that is complete. The VM takes them from there.

use super::constants;
use super::recorder::{Recorder, add_events};
use rjvm_vm::{Env, R, Ref, ThreadId, jdk};

/// Bytes of a writer's block at first.
const SIZE: u64 = 8 << 10;
/// The most bytes of a block: an event has no more.
const MOST: u64 = 1 << 28;
/// The first bytes of a block say how far events are complete, for the JDK that stores it there.
const HEAD: u64 = 8;

/// A thread's writer.
pub struct Writer {
    /// The root cell of its object.
    cell: u32,
    /// Its block.
    block: u64,
    size: u64,
    /// Up to where the VM has taken events.
    taken: u64,
    /// An event that was begun before the chunk is to be begun again.
    restart: bool,
}

/// The positions of a writer.
#[derive(Clone, Copy)]
enum Field {
    Start,
    Current,
    Most,
}

fn get(vm: &Env, writer: Ref, field: Field) -> R<u64> {
    let n: i64 = match (vm.feature() < 21, field) {
        (true, Field::Start) => vm.get(writer, jdk::event_writer_17::START)?,
        (true, Field::Current) => vm.get(writer, jdk::event_writer_17::CURRENT)?,
        (true, Field::Most) => vm.get(writer, jdk::event_writer_17::MOST)?,
        (false, Field::Start) => vm.get(writer, jdk::event_writer::START)?,
        (false, Field::Current) => vm.get(writer, jdk::event_writer::CURRENT)?,
        (false, Field::Most) => vm.get(writer, jdk::event_writer::MOST)?,
    };
    Ok(n as u64)
}

fn set(vm: &mut Env, writer: Ref, field: Field, to: u64) -> R<()> {
    let to = to as i64;
    match (vm.feature() < 21, field) {
        (true, Field::Start) => vm.set(writer, jdk::event_writer_17::START, to),
        (true, Field::Current) => vm.set(writer, jdk::event_writer_17::CURRENT, to),
        (true, Field::Most) => vm.set(writer, jdk::event_writer_17::MOST, to),
        (false, Field::Start) => vm.set(writer, jdk::event_writer::START, to),
        (false, Field::Current) => vm.set(writer, jdk::event_writer::CURRENT, to),
        (false, Field::Most) => vm.set(writer, jdk::event_writer::MOST, to),
    }
}

fn set_valid(vm: &mut Env, writer: Ref, valid: bool) -> R<()> {
    match vm.feature() < 21 {
        true => vm.set(writer, jdk::event_writer_17::VALID, valid),
        false => vm.set(writer, jdk::event_writer::VALID, valid),
    }
}

/// The running thread's number in events, which its constant describes.
fn current_number(vm: &mut Env) -> R<i64> {
    let object = vm.current_thread_object();
    constants::thread(vm, Recorder::constants_of, object)
}

/// The running thread's writer; null if it has none yet.
pub fn current(vm: &mut Env) -> R<Ref> {
    let number = current_number(vm)?;
    let t = vm.current();
    let recorder = Recorder::of(vm);
    let excluded = recorder.excluded.contains(&number);
    let Some(writer) = recorder.writers.get(&t.0) else {
        return Ok(Ref::NULL);
    };
    let cell = writer.cell;
    let writer = vm_cell(vm, cell);
    set_thread(vm, writer, number, excluded)?;
    Ok(writer)
}

fn vm_cell(vm: &Env, cell: u32) -> Ref {
    vm.heap().cell(cell)
}

fn set_thread(vm: &mut Env, writer: Ref, number: i64, excluded: bool) -> R<()> {
    if vm.feature() < 21 {
        vm.set(writer, jdk::event_writer_17::THREAD, number)?;
        // it has no other mark, and sets this one again at the end of each event
        return set_valid(vm, writer, !excluded);
    }
    vm.set(writer, jdk::event_writer::THREAD, number)?;
    vm.set(writer, jdk::event_writer::EXCLUDED, excluded)
}

/// A writer for the running thread.
pub fn make(vm: &mut Env) -> R<Ref> {
    let class = match vm.feature() < 21 {
        true => vm.jdk_class(jdk::event_writer_17::CLASS)?,
        false => vm.jdk_class(jdk::event_writer::CLASS)?,
    };
    vm.ensure_initialized(class)?;
    let number = current_number(vm)?;
    let object = vm.alloc_object(class)?;
    let block = vm.offheap_mut().alloc((HEAD + SIZE) as usize);
    let block = block.unwrap_or(0);
    let t = vm.current();
    let excluded = Recorder::of(vm).excluded.contains(&number);
    set_thread(vm, object, number, excluded)?;
    if block == 0 {
        // without memory, its events are lost
        set_valid(vm, object, false)?;
        return Ok(object);
    }
    if vm.feature() >= 21 {
        set_valid(vm, object, true)?;
    }
    set(vm, object, Field::Most, block + HEAD + SIZE)?;
    if vm.feature() < 21 {
        vm.set(object, jdk::event_writer_17::START_ADDRESS, block as i64)?;
    }
    begin_block(vm, object, block)?;
    let cell = vm.heap_mut().new_cell(object);
    let writer = Writer {
        cell,
        block,
        size: SIZE,
        taken: block + HEAD,
        restart: false,
    };
    let old = Recorder::of(vm).writers.insert(t.0, writer);
    if let Some(old) = old {
        release(vm, &old);
    }
    Ok(object)
}

/// Nothing is in the block.
fn begin_block(vm: &mut Env, writer: Ref, block: u64) -> R<()> {
    set(vm, writer, Field::Start, block + HEAD)?;
    set(vm, writer, Field::Current, block + HEAD)?;
    if vm.feature() < 21 {
        let _ = vm.offheap_mut().put(block, (block + HEAD) as i64);
    }
    Ok(())
}

fn release(vm: &mut Env, writer: &Writer) {
    vm.heap_mut().free_cell(writer.cell);
    let _ = vm.offheap_mut().release(writer.block);
}

/// Takes the complete events of a thread's writer. Whether an event is being written.
fn take(vm: &mut Env, t: u32) -> R<bool> {
    let Some(writer) = Recorder::of(vm).writers.get(&t) else {
        return Ok(false);
    };
    let (cell, block, taken) = (writer.cell, writer.block, writer.taken);
    let object = vm_cell(vm, cell);
    let start = get(vm, object, Field::Start)?;
    let current = get(vm, object, Field::Current)?;
    let len = start.saturating_sub(taken);
    if len > 0 {
        let bytes = vm.offheap().bytes(taken, len as usize);
        if let Some(bytes) = bytes.map(|b| b.into_owned()) {
            add_events(vm, bytes);
        }
    }
    let mut taken = start;
    if current == start {
        begin_block(vm, object, block)?;
        taken = block + HEAD;
    }
    if let Some(writer) = Recorder::of(vm).writers.get_mut(&t) {
        writer.taken = taken;
    }
    Ok(current != start)
}

/// Takes the complete events of all writers; those of threads that have ended go.
pub fn take_all(vm: &mut Env) -> R<()> {
    let alive: Vec<ThreadId> = vm.live_threads().collect();
    let all: Vec<u32> = Recorder::of(vm).writers.keys().copied().collect();
    for t in all {
        take(vm, t)?;
        if !alive.contains(&ThreadId(t))
            && let Some(writer) = Recorder::of(vm).writers.remove(&t)
        {
            release(vm, &writer);
        }
    }
    Ok(())
}

/// Another chunk begins: events that are being written name constants of the chunk before, and begin again.
pub fn restart_all(vm: &mut Env) -> R<()> {
    let old = vm.feature() < 21;
    let all: Vec<(u32, u32)> = Recorder::of(vm)
        .writers
        .iter()
        .map(|(&t, w)| (t, w.cell))
        .collect();
    for (t, cell) in all {
        let object = vm_cell(vm, cell);
        if old {
            // it forgets the strings of the chunk, too
            vm.set(object, jdk::event_writer_17::NOTIFIED, true)?;
            continue;
        }
        let open = get(vm, object, Field::Start)? != get(vm, object, Field::Current)?;
        if let Some(writer) = Recorder::of(vm).writers.get_mut(&t) {
            writer.restart = open;
        }
    }
    // before its class is there, no event has named a string
    if !old
        && vm.is_loaded(jdk::string_pool::CLASS)
        && let Some(generation) = vm.has_field(jdk::string_pool::GENERATION)
    {
        let next = vm.get_static(generation)?.wrapping_add(1).max(1);
        vm.set_static(generation, next)?;
    }
    Ok(())
}

/// An event is complete up to `next`: where the next one begins, unless this one has to begin again.
pub fn commit(vm: &mut Env, next: i64) -> R<i64> {
    let t = vm.current();
    let Some(writer) = Recorder::of(vm).writers.get_mut(&t.0) else {
        return Ok(next);
    };
    if !std::mem::take(&mut writer.restart) {
        return Ok(next);
    }
    let cell = writer.cell;
    let object = vm_cell(vm, cell);
    Ok(get(vm, object, Field::Start)? as i64)
}

/// Makes room for `requested` bytes behind the `used` ones of the event that is being written.
pub fn flush(vm: &mut Env, object: Ref, used: i32, requested: i32) -> R<()> {
    let t = vm.current();
    take(vm, t.0)?;
    let Some(writer) = Recorder::of(vm).writers.get(&t.0) else {
        return set_valid(vm, object, false);
    };
    let (block, size) = (writer.block, writer.size);
    let (used, requested) = (used.max(0) as u64, requested.max(0) as u64);
    let start = get(vm, object, Field::Start)?;
    let needed = used + requested;
    let open = vm.offheap().bytes(start, used as usize);
    let open = open.map(|b| b.into_owned()).unwrap_or_default();
    let (block, size) = match needed > size {
        false => (block, size),
        true => {
            let size = needed.next_power_of_two();
            let made = match size <= MOST {
                true => vm.offheap_mut().alloc((HEAD + size) as usize),
                false => None,
            };
            let Some(made) = made else {
                // the event is lost
                return set_valid(vm, object, false);
            };
            let _ = vm.offheap_mut().release(block);
            (made, size)
        }
    };
    let _ = vm.offheap_mut().write(block + HEAD, &open);
    begin_block(vm, object, block)?;
    set(vm, object, Field::Current, block + HEAD + used)?;
    set(vm, object, Field::Most, block + HEAD + size)?;
    if vm.feature() < 21 {
        vm.set(object, jdk::event_writer_17::START_ADDRESS, block as i64)?;
    }
    if let Some(writer) = Recorder::of(vm).writers.get_mut(&t.0) {
        (writer.block, writer.size, writer.taken) = (block, size, block + HEAD);
    }
    Ok(())
}
