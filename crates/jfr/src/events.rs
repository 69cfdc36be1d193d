//! THE table of events: names, layouts and fields as JDK 17 has them, and three of rjvm's own.

use crate::pools::Pool;
use crate::types::{Content, Field, Type};

/// A kind of event.
#[derive(Debug)]
pub struct Event {
    /// Its name.
    pub name: &'static str,
    /// What people are shown.
    pub label: &'static str,
    /// Where tools list it, outermost first.
    pub category: &'static [&'static str],
    /// Whether it takes time.
    pub lasts: bool,
    /// Whether it reports in which thread it was.
    pub has_thread: bool,
    /// Whether it reports where that was.
    pub has_stack: bool,
    /// Its own fields.
    pub fields: &'static [Field],
}

const START: Field = field("startTime", "Start Time", Type::Long, Content::At);
const DURATION: Field = field("duration", "Duration", Type::Long, Content::Ticks);
const THREAD: Field = field(
    "eventThread",
    "Event Thread",
    Type::Constant(Pool::Thread),
    Content::Plain,
);
const STACK: Field = field(
    "stackTrace",
    "Stack Trace",
    Type::Constant(Pool::Stack),
    Content::Plain,
);

const fn field(name: &'static str, label: &'static str, is: Type, means: Content) -> Field {
    Field {
        name,
        label,
        is,
        means,
    }
}

impl Event {
    /// All fields in order, those that many events have first.
    pub fn all_fields(&self) -> impl Iterator<Item = &Field> {
        let common = [
            (true, &START),
            (self.lasts, &DURATION),
            (self.has_thread, &THREAD),
            (self.has_stack, &STACK),
        ];
        let common = common.into_iter().filter_map(|(has, f)| has.then_some(f));
        common.chain(self.fields)
    }
    /// The kind with that name.
    pub fn named(name: &str) -> Option<&'static Event> {
        EVENTS.iter().find(|e| e.name == name)
    }
}

macro_rules! events {
    ($( $(#[doc = $doc:literal])* $kind:ident $name:literal $label:literal [$($category:literal),+] ($($flag:ident)*) {
        $( $field:literal $text:literal $is:expr, $means:ident; )*
    } )*) => {
        /// Names the events of the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind { $( $(#[doc = $doc])* $kind ),* }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];
        }

        /// All events, by [`Kind`].
        pub static EVENTS: &[Event] = &[$( {
            #[allow(unused_mut, reason = "most events have no flags that differ from those of others")]
            let mut event = Event {
                name: $name,
                label: $label,
                category: &[$($category),+],
                lasts: false,
                has_thread: false,
                has_stack: false,
                fields: {
                    const FIELDS: &[Field] = &[$( field($field, $text, $is, Content::$means) ),*];
                    FIELDS
                },
            };
            $( event.$flag = true; )*
            event
        } ),*];
    };
}

use Type::{Bool, Constant, Int, Long, Space, Text};

events! {
    /// A thread begins.
    ThreadStart "jdk.ThreadStart" "Java Thread Start" ["Java Application"] (has_thread has_stack) {
        "thread" "New Java Thread" Constant(Pool::Thread), Plain;
        "parentThread" "Parent Java Thread" Constant(Pool::Thread), Plain;
    }
    /// A thread ends.
    ThreadEnd "jdk.ThreadEnd" "Java Thread End" ["Java Application"] (has_thread) {
        "thread" "Java Thread" Constant(Pool::Thread), Plain;
    }
    /// `Thread.sleep`
    ThreadSleep "jdk.ThreadSleep" "Java Thread Sleep" ["Java Application"] (lasts has_thread has_stack) {
        "time" "Sleep Time" Long, Millis;
    }
    /// `LockSupport.park`
    ThreadPark "jdk.ThreadPark" "Java Thread Park" ["Java Application"] (lasts has_thread has_stack) {
        "parkedClass" "Class Parked On" Constant(Pool::Class), Plain;
        "timeout" "Park Timeout" Long, Nanos;
        "until" "Park Until" Long, AtMillis;
        "address" "Address of Object Parked" Long, Address;
    }
    /// A monitor that another thread has entered.
    MonitorEnter "jdk.JavaMonitorEnter" "Java Monitor Blocked" ["Java Application"] (lasts has_thread has_stack) {
        "monitorClass" "Monitor Class" Constant(Pool::Class), Plain;
        "previousOwner" "Previous Monitor Owner" Constant(Pool::Thread), Plain;
        "address" "Monitor Address" Long, Address;
    }
    /// `Object.wait`
    MonitorWait "jdk.JavaMonitorWait" "Java Monitor Wait" ["Java Application"] (lasts has_thread has_stack) {
        "monitorClass" "Monitor Class" Constant(Pool::Class), Plain;
        "notifier" "Notifier Thread" Constant(Pool::Thread), Plain;
        "timeout" "Timeout" Long, Millis;
        "timedOut" "Timed Out" Bool, Plain;
        "address" "Monitor Address" Long, Address;
    }
    /// A class is there.
    ClassLoad "jdk.ClassLoad" "Class Load" ["Java Virtual Machine", "Class Loading"] (lasts has_thread has_stack) {
        "loadedClass" "Loaded Class" Constant(Pool::Class), Plain;
        "definingClassLoader" "Defining Class Loader" Constant(Pool::Loader), Plain;
        "initiatingClassLoader" "Initiating Class Loader" Constant(Pool::Loader), Plain;
    }
    /// A class file has become a class.
    ClassDefine "jdk.ClassDefine" "Class Define" ["Java Virtual Machine", "Class Loading"] (has_thread has_stack) {
        "definedClass" "Defined Class" Constant(Pool::Class), Plain;
        "definingClassLoader" "Defining Class Loader" Constant(Pool::Loader), Plain;
    }
    /// A class is gone.
    ClassUnload "jdk.ClassUnload" "Class Unload" ["Java Virtual Machine", "Class Loading"] (has_thread) {
        "unloadedClass" "Unloaded Class" Constant(Pool::Class), Plain;
        "definingClassLoader" "Defining Class Loader" Constant(Pool::Loader), Plain;
    }
    /// The heap before or after a collection.
    HeapSummary "jdk.GCHeapSummary" "Heap Summary" ["Java Virtual Machine", "GC", "Heap"] () {
        "gcId" "GC Identifier" Int, Collection;
        "when" "When" Constant(Pool::When), Plain;
        "heapSpace" "Heap Space" Space, Plain;
        "heapUsed" "Heap Used" Long, UnsignedBytes;
    }
    /// A collection.
    Collection "jdk.GarbageCollection" "Garbage Collection" ["Java Virtual Machine", "GC", "Collector"] (lasts) {
        "gcId" "GC Identifier" Int, Collection;
        "name" "Name" Constant(Pool::Collector), Plain;
        "cause" "Cause" Constant(Pool::Cause), Plain;
        "sumOfPauses" "Sum of Pauses" Long, Ticks;
        "longestPause" "Longest Pause" Long, Ticks;
    }
    /// A collection of young objects.
    YoungCollection "jdk.YoungGarbageCollection" "Young Garbage Collection" ["Java Virtual Machine", "GC", "Collector"] (lasts) {
        "gcId" "GC Identifier" Int, Collection;
        "tenuringThreshold" "Tenuring Threshold" Int, Unsigned;
    }
    /// A collection of all objects.
    OldCollection "jdk.OldGarbageCollection" "Old Garbage Collection" ["Java Virtual Machine", "GC", "Collector"] (lasts) {
        "gcId" "GC Identifier" Int, Collection;
    }
    /// A collection that the program has requested.
    SystemCollection "jdk.SystemGC" "System GC" ["Java Virtual Machine", "GC", "Collector"] (lasts has_thread has_stack) {
        "invokedConcurrent" "Invoked Concurrent" Bool, Plain;
    }
    /// Where a thread is.
    ExecutionSample "jdk.ExecutionSample" "Method Profiling Sample" ["Java Virtual Machine", "Profiling"] () {
        "sampledThread" "Thread" Constant(Pool::Thread), Plain;
        "stackTrace" "Stack Trace" Constant(Pool::Stack), Plain;
        "state" "Thread State" Constant(Pool::ThreadState), Plain;
    }
    /// An object as a sample of allocated bytes.
    AllocationSample "jdk.ObjectAllocationSample" "Object Allocation Sample" ["Java Application"] (has_thread has_stack) {
        "objectClass" "Object Class" Constant(Pool::Class), Plain;
        "weight" "Sample Weight" Long, Bytes;
    }
    /// The program has ended.
    Shutdown "jdk.Shutdown" "JVM Shutdown" ["Java Virtual Machine", "Runtime"] (has_thread has_stack) {
        "reason" "Reason" Text, Plain;
    }
    /// The VM: its name, version and arguments.
    VmInformation "jdk.JVMInformation" "JVM Information" ["Java Virtual Machine"] () {
        "jvmName" "JVM Name" Text, Plain;
        "jvmVersion" "JVM Version" Text, Plain;
        "jvmArguments" "JVM Command Line Arguments" Text, Plain;
        "jvmFlags" "JVM Settings File Arguments" Text, Plain;
        "javaArguments" "Java Application Arguments" Text, Plain;
        "jvmStartTime" "JVM Start Time" Long, AtMillis;
        "pid" "Process Identifier" Long, Plain;
    }
    /// What it runs on.
    OsInformation "jdk.OSInformation" "OS Information" ["Operating System"] () {
        "osVersion" "OS Version" Text, Plain;
    }
    /// A system property as it is at the beginning.
    SystemProperty "jdk.InitialSystemProperty" "Initial System Property" ["Java Virtual Machine"] () {
        "key" "Key" Text, Plain;
        "value" "Value" Text, Plain;
    }
    /// How many threads there are.
    ThreadStatistics "jdk.JavaThreadStatistics" "Java Thread Statistics" ["Java Application", "Statistics"] () {
        "activeCount" "Active Threads" Long, Plain;
        "daemonCount" "Daemon Threads" Long, Plain;
        "accumulatedCount" "Accumulated Threads" Long, Plain;
        "peakCount" "Peak Threads" Long, Plain;
    }
    /// How many classes there are.
    ClassStatistics "jdk.ClassLoadingStatistics" "Class Loading Statistics" ["Java Application", "Statistics"] () {
        "loadedClassCount" "Loaded Class Count" Long, Plain;
        "unloadedClassCount" "Unloaded Class Count" Long, Plain;
    }
    /// A recording that is under way.
    ActiveRecording "jdk.ActiveRecording" "Flight Recording" ["Flight Recorder"] (lasts has_thread has_stack) {
        "id" "Id" Long, Plain;
        "name" "Name" Text, Plain;
        "destination" "Destination" Text, Plain;
        "maxAge" "Max Age" Long, Millis;
        "flushInterval" "Flush Interval" Long, Millis;
        "maxSize" "Max Size" Long, Bytes;
        "recordingStart" "Start Time" Long, AtMillis;
        "recordingDuration" "Recording Duration" Long, Millis;
    }
    /// A setting of a kind of events.
    ActiveSetting "jdk.ActiveSetting" "Recording Setting" ["Flight Recorder"] (lasts has_thread has_stack) {
        "id" "Event Id" Long, Plain;
        "name" "Setting Name" Text, Plain;
        "value" "Setting Value" Text, Plain;
    }
    /// Something about a profile: how it was taken, its sums.
    ProfileFact "rjvm.ProfileFact" "Profile Fact" ["rjvm"] () {
        "name" "Name" Text, Plain;
        "value" "Value" Text, Plain;
    }
    /// A calling context with its counts.
    ContextCount "rjvm.ContextCount" "Calling Context" ["rjvm"] () {
        "thread" "Thread" Constant(Pool::Thread), Plain;
        "stackTrace" "Stack Trace" Constant(Pool::Stack), Plain;
        "bytecodes" "Self Bytecodes" Long, Plain;
        "inclusive" "Total Bytecodes" Long, Plain;
        "calls" "Calls or Samples" Long, Plain;
        "allocatedObjects" "Allocated Objects" Long, Plain;
        "allocatedBytes" "Allocated Bytes" Long, Bytes;
    }
    /// What all threads have executed at a time.
    BytecodeCount "rjvm.BytecodeCount" "Bytecodes Executed" ["rjvm"] () {
        "bytecodes" "Bytecodes" Long, Plain;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinguished() {
        assert_eq!(Kind::ALL.len(), EVENTS.len());
        for (i, event) in EVENTS.iter().enumerate() {
            assert!(std::ptr::eq(Event::named(event.name).unwrap(), event));
            assert_eq!(Kind::ALL[i] as usize, i);
            let mut names: Vec<_> = event.all_fields().map(|f| f.name).collect();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all, "{}", event.name);
        }
        assert!(Event::named("jdk.None").is_none());
    }
}
