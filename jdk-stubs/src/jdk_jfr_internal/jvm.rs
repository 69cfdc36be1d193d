//! Natives of `jdk.jfr.internal.JVM`. They are instance methods in JDK 17 and 21, and static ones later: one function serves both.

use super::constants;
use super::filters::{register_stack_filter, unregister_stack_filter};
use super::recorder::{self, EventSetting, Recorder};
use super::{vm_events, writers};
use crate::io;
use crate::support::{class_arg, non_null, ref_array, string_arg};
use rjvm_vm::classes::InitState;
use rjvm_vm::throw::Call;
use rjvm_vm::{Env, R, Ref, Throw, Value, jdk, natives};

/// Functions for instance methods, which call those for static ones.
macro_rules! instance {
    ($( fn $name:ident($($p:ident: $t:ty),*) -> $r:ty; )*) => {
        mod instance {
            use rjvm_vm::{Env, R, Ref};
            $( pub fn $name(vm: &mut Env, _: Ref $(, $p: $t)*) -> R<$r> {
                super::$name(vm $(, $p)*)
            } )*
        }
    };
}

instance! {
    fn begin_recording() -> ();
    fn is_recording() -> bool;
    fn end_recording() -> ();
    fn mark_chunk_final() -> ();
    fn emit_event(number: i64, at: i64, when: i64) -> bool;
    fn get_all_event_classes() -> Ref;
    fn get_unloaded_event_class_count() -> i64;
    fn get_pid() -> Ref;
    fn get_thread_id(thread: Ref) -> i64;
    fn get_ticks_frequency() -> i64;
    fn retransform_classes(classes: Ref) -> ();
    fn set_enabled(number: i64, enabled: bool) -> ();
    fn set_file_notification(size: i64) -> ();
    fn ignore_long(n: i64) -> ();
    fn ignore_bool(b: bool) -> ();
    fn ignore_text(text: Ref) -> ();
    fn set_memory_size(size: i64) -> ();
    fn set_method_sampling_period(number: i64, millis: i64) -> ();
    fn set_output(path: Ref) -> ();
    fn set_stack_depth(depth: i32) -> ();
    fn set_stack_trace_enabled(number: i64, on: bool) -> ();
    fn set_threshold(number: i64, ticks: i64) -> bool;
    fn set_limit(number: i64, n: i64) -> bool;
    fn set_throttle(number: i64, n: i64, millis: i64) -> bool;
    fn store_metadata_descriptor(bytes: Ref) -> ();
    fn get_allowed_to_do_event_retransforms() -> bool;
    fn create_jfr(fails: bool) -> bool;
    fn destroy_jfr() -> bool;
    fn is_available() -> bool;
    fn get_time_conversion_factor() -> f64;
    fn get_type_id(class: Ref) -> i64;
    fn get_type_id_of_name(name: Ref) -> i64;
    fn flush_all() -> ();
    fn set_dump_path(path: Ref) -> ();
    fn get_dump_path() -> Ref;
    fn abort(message: Ref) -> ();
    fn uncaught_exception(thread: Ref, exception: Ref) -> ();
    fn emit_old_object_samples(cutoff: i64, all: bool, no_chains: bool) -> ();
    fn should_rotate_disk() -> bool;
    fn exclude(thread: Ref) -> ();
    fn include(thread: Ref) -> ();
    fn is_excluded(thread: Ref) -> bool;
    fn is_excluded_class(class: Ref) -> bool;
    fn is_instrumented(class: Ref) -> bool;
    fn get_chunk_start_nanos() -> i64;
    fn set_configuration(class: Ref, configuration: Ref) -> bool;
    fn get_configuration(class: Ref) -> Ref;
    fn get_stack_trace_id(skip: i32) -> i64;
    fn is_containerized() -> bool;
    fn host_total_memory() -> i64;
}

natives! { "jdk/jfr/internal/JVM";
    registerNatives "()V" => nothing;
    markChunkFinal "()V" until 21 => instance::mark_chunk_final;
    markChunkFinal "()V" since 22 => mark_chunk_final;
    beginRecording "()V" until 21 => instance::begin_recording;
    beginRecording "()V" since 22 => begin_recording;
    isRecording "()Z" until 21 => instance::is_recording;
    isRecording "()Z" since 22 => is_recording;
    endRecording "()V" until 21 => instance::end_recording;
    endRecording "()V" since 22 => end_recording;
    counterTime "()J" => counter_time;
    emitEvent "(JJJ)Z" until 21 => instance::emit_event;
    emitEvent "(JJJ)Z" since 22 => emit_event;
    getAllEventClasses "()Ljava/util/List;" until 21 => instance::get_all_event_classes;
    getAllEventClasses "()Ljava/util/List;" since 22 => get_all_event_classes;
    getUnloadedEventClassCount "()J" until 21 => instance::get_unloaded_event_class_count;
    getUnloadedEventClassCount "()J" since 22 => get_unloaded_event_class_count;
    getClassId "(Ljava/lang/Class;)J" => get_class_id;
    getPid "()Ljava/lang/String;" until 21 => instance::get_pid;
    getPid "()Ljava/lang/String;" since 22 => get_pid;
    getStackTraceId "(I)J" until 21 => instance::get_stack_trace_id;
    getStackTraceId "(IJ)J" since 22 => get_filtered_stack_trace_id;
    getThreadId "(Ljava/lang/Thread;)J" until 21 => instance::get_thread_id;
    getThreadId "(Ljava/lang/Thread;)J" since 22 => get_thread_id;
    getTicksFrequency "()J" until 21 => instance::get_ticks_frequency;
    getTicksFrequency "()J" since 22 => get_ticks_frequency;
    nanosNow "()J" since 22 => nanos_now;
    log "(IILjava/lang/String;)V" => log;
    logEvent "(I[Ljava/lang/String;Z)V" => log_event;
    subscribeLogLevel "(Ljdk/jfr/internal/LogTag;I)V" => subscribe_log_level;
    retransformClasses "([Ljava/lang/Class;)V" until 21 => instance::retransform_classes;
    retransformClasses "([Ljava/lang/Class;)V" since 22 => retransform_classes;
    setEnabled "(JZ)V" until 21 => instance::set_enabled;
    setEnabled "(JZ)V" since 22 => set_enabled;
    setFileNotification "(J)V" until 21 => instance::set_file_notification;
    setFileNotification "(J)V" since 22 => set_file_notification;
    setGlobalBufferCount "(J)V" until 21 => instance::ignore_long;
    setGlobalBufferCount "(J)V" since 22 => ignore_long;
    setGlobalBufferSize "(J)V" until 21 => instance::ignore_long;
    setGlobalBufferSize "(J)V" since 22 => ignore_long;
    setMemorySize "(J)V" until 21 => instance::set_memory_size;
    setMemorySize "(J)V" since 22 => set_memory_size;
    setMethodSamplingPeriod "(JJ)V" until 21 => instance::set_method_sampling_period;
    setMethodSamplingPeriod "(JJ)V" since 22 => set_method_sampling_period;
    setCPURate "(D)V" since 25 => ignore_double;
    setCPUPeriod "(J)V" since 25 => ignore_long;
    setOutput "(Ljava/lang/String;)V" until 21 => instance::set_output;
    setOutput "(Ljava/lang/String;)V" since 22 => set_output;
    setForceInstrumentation "(Z)V" until 21 => instance::ignore_bool;
    setForceInstrumentation "(Z)V" since 22 => ignore_bool;
    setSampleThreads "(Z)V" until 20 => instance::ignore_bool;
    setCompressedIntegers "(Z)V" until 21 => instance::ignore_bool;
    setCompressedIntegers "(Z)V" since 22 => ignore_bool;
    setStackDepth "(I)V" until 21 => instance::set_stack_depth;
    setStackDepth "(I)V" since 22 => set_stack_depth;
    setStackTraceEnabled "(JZ)V" until 21 => instance::set_stack_trace_enabled;
    setStackTraceEnabled "(JZ)V" since 22 => set_stack_trace_enabled;
    setThreadBufferSize "(J)V" until 21 => instance::ignore_long;
    setThreadBufferSize "(J)V" since 22 => ignore_long;
    setThreshold "(JJ)Z" until 21 => instance::set_threshold;
    setThreshold "(JJ)Z" since 22 => set_threshold;
    storeMetadataDescriptor "([B)V" until 21 => instance::store_metadata_descriptor;
    storeMetadataDescriptor "([B)V" since 22 => store_metadata_descriptor;
    getAllowedToDoEventRetransforms "()Z" until 21 => instance::get_allowed_to_do_event_retransforms;
    getAllowedToDoEventRetransforms "()Z" since 22 => get_allowed_to_do_event_retransforms;
    createJFR "(Z)Z" until 21 => instance::create_jfr;
    createJFR "(Z)Z" since 22 => create_jfr;
    destroyJFR "()Z" until 21 => instance::destroy_jfr;
    destroyJFR "()Z" since 22 => destroy_jfr;
    isAvailable "()Z" until 21 => instance::is_available;
    isAvailable "()Z" since 22 => is_available;
    getTimeConversionFactor "()D" until 21 => instance::get_time_conversion_factor;
    getTimeConversionFactor "()D" since 22 => get_time_conversion_factor;
    getTypeId "(Ljava/lang/Class;)J" until 21 => instance::get_type_id;
    getTypeId "(Ljava/lang/Class;)J" since 22 => get_type_id;
    getTypeId "(Ljava/lang/String;)J" until 21 => instance::get_type_id_of_name;
    getTypeId "(Ljava/lang/String;)J" since 22 => get_type_id_of_name;
    getEventWriter "()Ljava/lang/Object;" until 20 => get_event_writer;
    getEventWriter "()Ljdk/jfr/internal/event/EventWriter;" since 21 => get_event_writer;
    newEventWriter "()Ljdk/jfr/internal/EventWriter;" until 20 => new_event_writer;
    newEventWriter "()Ljdk/jfr/internal/event/EventWriter;" since 21 => new_event_writer;
    flush "(Ljdk/jfr/internal/EventWriter;II)Z" until 20 => flush_at_end;
    flush "(Ljdk/jfr/internal/event/EventWriter;II)V" since 21 => flush;
    commit "(J)J" since 21 => commit;
    flush "()V" until 21 => instance::flush_all;
    flush "()V" since 22 => flush_all;
    setRepositoryLocation "(Ljava/lang/String;)V" until 21 => instance::ignore_text;
    setRepositoryLocation "(Ljava/lang/String;)V" since 22 => ignore_text;
    setDumpPath "(Ljava/lang/String;)V" since 21 until 21 => instance::set_dump_path;
    setDumpPath "(Ljava/lang/String;)V" since 22 => set_dump_path;
    getDumpPath "()Ljava/lang/String;" since 21 until 21 => instance::get_dump_path;
    getDumpPath "()Ljava/lang/String;" since 22 => get_dump_path;
    abort "(Ljava/lang/String;)V" until 21 => instance::abort;
    abort "(Ljava/lang/String;)V" since 22 => abort;
    addStringConstant "(JLjava/lang/String;)Z" => add_string_constant;
    uncaughtException "(Ljava/lang/Thread;Ljava/lang/Throwable;)V" until 21 => instance::uncaught_exception;
    uncaughtException "(Ljava/lang/Thread;Ljava/lang/Throwable;)V" since 22 => uncaught_exception;
    setCutoff "(JJ)Z" until 21 => instance::set_limit;
    setCutoff "(JJ)Z" since 22 => set_limit;
    setThrottle "(JJJ)Z" until 21 => instance::set_throttle;
    setThrottle "(JJJ)Z" since 22 => set_throttle;
    emitOldObjectSamples "(JZZ)V" until 21 => instance::emit_old_object_samples;
    emitOldObjectSamples "(JZZ)V" since 22 => emit_old_object_samples;
    shouldRotateDisk "()Z" until 21 => instance::should_rotate_disk;
    shouldRotateDisk "()Z" since 22 => should_rotate_disk;
    exclude "(Ljava/lang/Thread;)V" until 21 => instance::exclude;
    exclude "(Ljava/lang/Thread;)V" since 22 => exclude;
    include "(Ljava/lang/Thread;)V" until 21 => instance::include;
    include "(Ljava/lang/Thread;)V" since 22 => include;
    isExcluded "(Ljava/lang/Thread;)Z" until 21 => instance::is_excluded;
    isExcluded "(Ljava/lang/Thread;)Z" since 22 => is_excluded;
    isExcluded "(Ljava/lang/Class;)Z" since 21 until 21 => instance::is_excluded_class;
    isExcluded "(Ljava/lang/Class;)Z" since 22 => is_excluded_class;
    isInstrumented "(Ljava/lang/Class;)Z" since 21 until 21 => instance::is_instrumented;
    isInstrumented "(Ljava/lang/Class;)Z" since 22 => is_instrumented;
    getChunkStartNanos "()J" until 21 => instance::get_chunk_start_nanos;
    getChunkStartNanos "()J" since 22 => get_chunk_start_nanos;
    setHandler "(Ljava/lang/Class;Ljdk/jfr/internal/handlers/EventHandler;)Z" until 20 => instance::set_configuration;
    getHandler "(Ljava/lang/Class;)Ljava/lang/Object;" until 20 => instance::get_configuration;
    setConfiguration "(Ljava/lang/Class;Ljdk/jfr/internal/event/EventConfiguration;)Z" since 21 until 21 => instance::set_configuration;
    setConfiguration "(Ljava/lang/Class;Ljdk/jfr/internal/event/EventConfiguration;)Z" since 22 => set_configuration;
    getConfiguration "(Ljava/lang/Class;)Ljava/lang/Object;" since 21 until 21 => instance::get_configuration;
    getConfiguration "(Ljava/lang/Class;)Ljava/lang/Object;" since 22 => get_configuration;
    isContainerized "()Z" since 21 until 21 => instance::is_containerized;
    isContainerized "()Z" since 22 => is_containerized;
    hostTotalMemory "()J" since 21 until 21 => instance::host_total_memory;
    hostTotalMemory "()J" since 22 => host_total_memory;
    hostTotalSwapMemory "()J" since 22 => host_total_swap_memory;
    emitDataLoss "(J)V" => ignore_long;
    registerStackFilter "([Ljava/lang/String;[Ljava/lang/String;)J" since 22 => register_stack_filter;
    unregisterStackFilter "(J)V" since 22 => unregister_stack_filter;
    setMiscellaneous "(JJ)V" since 22 => set_miscellaneous;
    isProduct "()Z" since 22 => is_product;
    setMethodTraceFilters "([Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/String;[I)[J" since 25 => set_method_trace_filters;
    drainStaleMethodTracerIds "()[J" since 25 => drain_stale_method_tracer_ids;
}

/// Nothing depends on it here.
fn nothing(_: &mut Env) -> R<()> {
    Ok(())
}

fn ignore_long(_: &mut Env, _: i64) -> R<()> {
    Ok(())
}

fn ignore_double(_: &mut Env, _: f64) -> R<()> {
    Ok(())
}

fn ignore_bool(_: &mut Env, _: bool) -> R<()> {
    Ok(())
}

fn ignore_text(_: &mut Env, _: Ref) -> R<()> {
    Ok(())
}

fn begin_recording(vm: &mut Env) -> R<()> {
    Recorder::of(vm).recording = true;
    Ok(())
}

fn is_recording(vm: &mut Env) -> R<bool> {
    Ok(Recorder::of(vm).recording)
}

fn end_recording(vm: &mut Env) -> R<()> {
    recorder::end(vm)
}

fn mark_chunk_final(vm: &mut Env) -> R<()> {
    Recorder::of(vm).last = true;
    Ok(())
}

fn counter_time(vm: &mut Env) -> R<i64> {
    Ok(vm.clock_ns())
}

fn nanos_now(vm: &mut Env) -> R<i64> {
    Ok(recorder::now_of_world(vm))
}

fn emit_event(vm: &mut Env, number: i64, at: i64, _when: i64) -> R<bool> {
    vm_events::emit(vm, number, at)
}

fn get_all_event_classes(vm: &mut Env) -> R<Ref> {
    let all = vm.event_classes()?;
    let all: Vec<Ref> = all.into_iter().map(|c| vm.mirror(c)).collect();
    let object = vm.known().object;
    let array = ref_array(vm, object, &all)?;
    let arrays = vm.jdk_class(jdk::arrays::CLASS)?;
    vm.ensure_initialized(arrays)?;
    let method = vm.jdk_method(arrays, jdk::calls::arrays::AS_LIST);
    Err(Call::new(vm, method, &[Value::Ref(array)]).tail())
}

/// Classes of events that are unloaded are not unregistered.
fn get_unloaded_event_class_count(_: &mut Env) -> R<i64> {
    Ok(0)
}

fn get_class_id(vm: &mut Env, class: Ref) -> R<i64> {
    let class = class_arg(vm, class)?;
    Ok(constants::class(vm, Recorder::constants_of, class))
}

fn get_pid(vm: &mut Env) -> R<Ref> {
    let id = vm.host().processes().own_id();
    vm.new_string(&id.to_string())
}

fn get_stack_trace_id(vm: &mut Env, skip: i32) -> R<i64> {
    get_filtered_stack_trace_id(vm, skip, 0)
}

fn get_filtered_stack_trace_id(vm: &mut Env, skip: i32, filter: i64) -> R<i64> {
    let recorder = Recorder::of(vm);
    let depth = recorder.depth;
    let filter = recorder.filters.remove(&filter).map(|f| (filter, f));
    let skip = usize::try_from(skip).unwrap_or(0);
    let rows = filter.as_ref().map(|f| &f.1);
    let id = constants::stack(vm, Recorder::constants_of, skip, depth, rows);
    if let Some((number, filter)) = filter {
        Recorder::of(vm).filters.insert(number, filter);
    }
    Ok(id)
}

fn get_thread_id(vm: &mut Env, thread: Ref) -> R<i64> {
    match thread.non_null() {
        Some(thread) => constants::thread(vm, Recorder::constants_of, thread),
        None => Ok(0),
    }
}

fn get_ticks_frequency(_: &mut Env) -> R<i64> {
    Ok(1_000_000_000)
}

/// Messages of the recorder itself are not printed: `subscribeLogLevel` asks for none.
fn log(_: &mut Env, _tags: i32, _level: i32, _message: Ref) -> R<()> {
    Ok(())
}

fn log_event(_: &mut Env, _level: i32, _lines: Ref, _system: bool) -> R<()> {
    Ok(())
}

fn subscribe_log_level(_: &mut Env, _tag: Ref, _number: i32) -> R<()> {
    Ok(())
}

/// Classes of events have their code from the beginning.
fn retransform_classes(_: &mut Env, _classes: Ref) -> R<()> {
    Ok(())
}

fn setting(vm: &mut Env, number: i64) -> &mut EventSetting {
    Recorder::of(vm).settings.entry(number).or_default()
}

fn set_enabled(vm: &mut Env, number: i64, enabled: bool) -> R<()> {
    setting(vm, number).enabled = enabled;
    Ok(())
}

fn set_file_notification(vm: &mut Env, size: i64) -> R<()> {
    Recorder::of(vm).chunk_size = size;
    Ok(())
}

fn set_memory_size(vm: &mut Env, size: i64) -> R<()> {
    if let Ok(size) = usize::try_from(size) {
        Recorder::of(vm).memory = size;
    }
    Ok(())
}

fn set_method_sampling_period(_: &mut Env, _number: i64, _millis: i64) -> R<()> {
    Ok(())
}

fn set_output(vm: &mut Env, path: Ref) -> R<()> {
    let path = match path.non_null() {
        Some(path) => Some(io::native_string(vm, path)?),
        None => None,
    };
    recorder::set_output(vm, path)
}

fn set_stack_depth(vm: &mut Env, depth: i32) -> R<()> {
    Recorder::of(vm).depth = depth.clamp(1, 2048) as usize;
    Ok(())
}

fn set_stack_trace_enabled(vm: &mut Env, number: i64, on: bool) -> R<()> {
    setting(vm, number).stack = on;
    Ok(())
}

fn set_threshold(vm: &mut Env, number: i64, ticks: i64) -> R<bool> {
    setting(vm, number).threshold = ticks;
    Ok(true)
}

fn set_limit(_: &mut Env, _number: i64, _n: i64) -> R<bool> {
    Ok(true)
}

fn set_throttle(_: &mut Env, _number: i64, _n: i64, _millis: i64) -> R<bool> {
    Ok(true)
}

fn set_miscellaneous(_: &mut Env, _number: i64, _n: i64) -> R<()> {
    Ok(())
}

fn store_metadata_descriptor(vm: &mut Env, bytes: Ref) -> R<()> {
    let bytes = vm.heap().bytes(non_null(bytes)?).to_vec();
    Recorder::of(vm).set_metadata(bytes);
    Ok(())
}

fn get_allowed_to_do_event_retransforms(_: &mut Env) -> R<bool> {
    Ok(true)
}

fn create_jfr(_: &mut Env, fails: bool) -> R<bool> {
    match fails {
        true => Err(Throw::msg(
            "java/lang/IllegalStateException",
            "Unable to start Jfr",
        )),
        false => Ok(true),
    }
}

fn destroy_jfr(vm: &mut Env) -> R<bool> {
    recorder::end(vm)?;
    Ok(true)
}

fn is_available(_: &mut Env) -> R<bool> {
    Ok(true)
}

fn get_time_conversion_factor(_: &mut Env) -> R<f64> {
    Ok(1.0)
}

fn get_type_id(vm: &mut Env, class: Ref) -> R<i64> {
    let class = class_arg(vm, class)?;
    Ok(vm.class_number(class))
}

/// The first number of the types that the library knows before it has read its metadata, which have smaller ones.
const FIRST_KNOWN: i64 = 480;
/// These types.
const KNOWN: [&str; 12] = [
    "boolean",
    "char",
    "float",
    "double",
    "byte",
    "short",
    "int",
    "long",
    "java.lang.Class",
    "java.lang.String",
    "java.lang.Thread",
    "jdk.types.StackTrace",
];

fn get_type_id_of_name(vm: &mut Env, name: Ref) -> R<i64> {
    let name = string_arg(vm, name)?;
    let known = KNOWN.iter().position(|k| *k == name);
    Ok(known.map_or(-1, |i| FIRST_KNOWN + i as i64))
}

fn get_event_writer(vm: &mut Env) -> R<Ref> {
    writers::current(vm)
}

fn new_event_writer(vm: &mut Env) -> R<Ref> {
    writers::make(vm)
}

fn flush(vm: &mut Env, writer: Ref, used: i32, requested: i32) -> R<()> {
    writers::flush(vm, non_null(writer)?, used, requested)
}

/// Whether to flush again when the event has ended: there is no need.
fn flush_at_end(vm: &mut Env, writer: Ref, used: i32, requested: i32) -> R<bool> {
    flush(vm, writer, used, requested)?;
    Ok(false)
}

fn commit(vm: &mut Env, next: i64) -> R<i64> {
    writers::commit(vm, next)
}

fn flush_all(vm: &mut Env) -> R<()> {
    recorder::flush(vm)
}

fn set_dump_path(vm: &mut Env, path: Ref) -> R<()> {
    let path = path.non_null().map(|p| vm.string(p));
    Recorder::of(vm).dump_path = path;
    Ok(())
}

fn get_dump_path(vm: &mut Env) -> R<Ref> {
    match Recorder::of(vm).dump_path.clone() {
        Some(path) => vm.new_string(&path),
        None => vm.new_string("."),
    }
}

/// The library cannot continue without its repository.
fn abort(vm: &mut Env, message: Ref) -> R<()> {
    let message = string_arg(vm, message)?;
    Err(Throw::msg("java/lang/InternalError", message))
}

fn add_string_constant(vm: &mut Env, number: i64, text: Ref) -> R<bool> {
    let text = string_arg(vm, text)?;
    Recorder::of(vm).constants.string(number, text);
    Ok(true)
}

fn uncaught_exception(_: &mut Env, _thread: Ref, _exception: Ref) -> R<()> {
    Ok(())
}

fn emit_old_object_samples(_: &mut Env, _cutoff: i64, _all: bool, _no_chains: bool) -> R<()> {
    Ok(())
}

fn should_rotate_disk(vm: &mut Env) -> R<bool> {
    let recorder = Recorder::of(vm);
    Ok(recorder.size() >= recorder.chunk_size)
}

fn exclude(vm: &mut Env, thread: Ref) -> R<()> {
    let number = vm.get(non_null(thread)?, jdk::thread::TID);
    Recorder::of(vm).excluded.insert(number);
    Ok(())
}

fn include(vm: &mut Env, thread: Ref) -> R<()> {
    let number = vm.get(non_null(thread)?, jdk::thread::TID);
    Recorder::of(vm).excluded.remove(&number);
    Ok(())
}

fn is_excluded(vm: &mut Env, thread: Ref) -> R<bool> {
    let number: i64 = vm.get(non_null(thread)?, jdk::thread::TID);
    Ok(Recorder::of(vm).excluded.contains(&number))
}

/// Methods of `Event` are final for compilers, and no other class overrides them.
fn is_excluded_class(_: &mut Env, _class: Ref) -> R<bool> {
    Ok(false)
}

/// Classes that are not instrumented never become so.
fn is_instrumented(_: &mut Env, _class: Ref) -> R<bool> {
    Ok(true)
}

fn get_chunk_start_nanos(vm: &mut Env) -> R<i64> {
    Ok(Recorder::of(vm).began)
}

fn set_configuration(vm: &mut Env, class: Ref, configuration: Ref) -> R<bool> {
    let class = class_arg(vm, class)?;
    Ok(vm.set_event_configuration(class, configuration))
}

fn get_configuration(vm: &mut Env, class: Ref) -> R<Ref> {
    let class = class_arg(vm, class)?;
    // the initializer registers it; where one runs, nobody waits for it
    let waits = matches!(vm.init_state(class), InitState::Loaded | InitState::Linked);
    if waits && vm.is_filled_event(class) {
        vm.ensure_initialized(class)?;
    }
    Ok(vm.event_configuration(class))
}

fn is_containerized(_: &mut Env) -> R<bool> {
    Ok(false)
}

fn host_total_memory(vm: &mut Env) -> R<i64> {
    Ok(vm.host().processes().memory().total as i64)
}

fn host_total_swap_memory(vm: &mut Env) -> R<i64> {
    Ok(vm.host().processes().memory().swap as i64)
}

fn is_product(_: &mut Env) -> R<bool> {
    Ok(true)
}

/// No method is traced.
fn set_method_trace_filters(
    _: &mut Env,
    _classes: Ref,
    _methods: Ref,
    _annotations: Ref,
    _changes: Ref,
) -> R<Ref> {
    Ok(Ref::NULL)
}

fn drain_stale_method_tracer_ids(_: &mut Env) -> R<Ref> {
    Ok(Ref::NULL)
}
