//! Numbers of the protocol.

use super::wire::Malformed;

/// Why a command is not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code(pub u16);

macro_rules! codes {
    ($($(#[$at:meta])* $name:ident = $n:literal;)*) => {
        #[allow(missing_docs, reason = "the names are the protocol's")]
        impl Code {
            $(pub const $name: Code = Code($n);)*
        }
    };
}

codes! {
    INVALID_THREAD = 10;
    INVALID_THREAD_GROUP = 11;
    THREAD_NOT_SUSPENDED = 13;
    INVALID_OBJECT = 20;
    INVALID_CLASS = 21;
    INVALID_METHODID = 23;
    INVALID_LOCATION = 24;
    INVALID_FIELDID = 25;
    INVALID_FRAMEID = 30;
    NO_MORE_FRAMES = 31;
    OPAQUE_FRAME = 32;
    TYPE_MISMATCH = 34;
    INVALID_SLOT = 35;
    DUPLICATE = 40;
    INVALID_MODULE = 42;
    INVALID_CLASS_FORMAT = 60;
    CIRCULAR_CLASS_DEFINITION = 61;
    FAILS_VERIFICATION = 62;
    ADD_METHOD_NOT_IMPLEMENTED = 63;
    SCHEMA_CHANGE_NOT_IMPLEMENTED = 64;
    HIERARCHY_CHANGE_NOT_IMPLEMENTED = 66;
    DELETE_METHOD_NOT_IMPLEMENTED = 67;
    UNSUPPORTED_VERSION = 68;
    NAMES_DONT_MATCH = 69;
    CLASS_MODIFIERS_CHANGE_NOT_IMPLEMENTED = 70;
    METHOD_MODIFIERS_CHANGE_NOT_IMPLEMENTED = 71;
    CLASS_ATTRIBUTE_CHANGE_NOT_IMPLEMENTED = 72;
    NOT_IMPLEMENTED = 99;
    ABSENT_INFORMATION = 101;
    INVALID_EVENT_TYPE = 102;
    ILLEGAL_ARGUMENT = 103;
    OUT_OF_MEMORY = 110;
    INTERNAL = 113;
    INVALID_TAG = 500;
    ALREADY_INVOKING = 502;
    INVALID_INDEX = 503;
    INVALID_LENGTH = 504;
    INVALID_STRING = 506;
    INVALID_CLASS_LOADER = 507;
    INVALID_ARRAY = 508;
    NATIVE_METHOD = 511;
    INVALID_COUNT = 512;
}

impl From<Malformed> for Code {
    fn from(_: Malformed) -> Code {
        // as HotSpot's agent says
        Code::INTERNAL
    }
}

/// Kinds of events.
pub mod event {
    #![allow(missing_docs, reason = "the names are the protocol's")]
    pub const SINGLE_STEP: u8 = 1;
    pub const BREAKPOINT: u8 = 2;
    pub const EXCEPTION: u8 = 4;
    pub const THREAD_START: u8 = 6;
    pub const THREAD_DEATH: u8 = 7;
    pub const CLASS_PREPARE: u8 = 8;
    pub const CLASS_UNLOAD: u8 = 9;
    pub const FIELD_ACCESS: u8 = 20;
    pub const FIELD_MODIFICATION: u8 = 21;
    pub const METHOD_ENTRY: u8 = 40;
    pub const METHOD_EXIT: u8 = 41;
    pub const METHOD_EXIT_WITH_RETURN_VALUE: u8 = 42;
    pub const MONITOR_CONTENDED_ENTER: u8 = 43;
    pub const MONITOR_CONTENDED_ENTERED: u8 = 44;
    pub const MONITOR_WAIT: u8 = 45;
    pub const MONITOR_WAITED: u8 = 46;
    pub const VM_START: u8 = 90;
    pub const VM_DEATH: u8 = 99;
}

/// Tags of values.
pub mod tag {
    #![allow(missing_docs, reason = "the names are the protocol's")]
    pub const ARRAY: u8 = b'[';
    pub const OBJECT: u8 = b'L';
    pub const STRING: u8 = b's';
    pub const THREAD: u8 = b't';
    pub const THREAD_GROUP: u8 = b'g';
    pub const CLASS_LOADER: u8 = b'l';
    pub const CLASS_OBJECT: u8 = b'c';
}

/// Options of calls.
pub mod invoke {
    #![allow(missing_docs, reason = "the names are the protocol's")]
    pub const SINGLE_THREADED: u32 = 1;
    pub const NONVIRTUAL: u32 = 2;
}
