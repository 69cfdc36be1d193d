//! What a `java.lang.Thread` says of itself, wherever its JDK keeps it: in its own fields, or in a holder's (since 19).

use crate::classes::library::Instance;
use crate::ids::Ref;
use crate::jdk::{self, JdkField, OptionalName};
use crate::vm::Vm;

macro_rules! fields {
    ($($get:ident $set:ident $kind:literal $name:ident $ty:ty;)*) => {
        impl Vm {
            $(
                pub(crate) fn $get(&self, object: Ref) -> $ty {
                    self.thread_get(object, jdk::thread::$name, jdk::thread_holder::$name)
                }
                #[allow(dead_code, reason = "some are only read")]
                pub(crate) fn $set(&mut self, object: Ref, value: $ty) {
                    self.thread_set(object, jdk::thread::$name, jdk::thread_holder::$name, value)
                }
            )*
        }
    };
}

fields! {
    thread_priority set_thread_priority b'I' PRIORITY i32;
    thread_group_of set_thread_group b'L' GROUP Ref;
    thread_daemon_field set_thread_daemon b'Z' DAEMON bool;
    thread_stack_size set_thread_stack_size b'J' STACK_SIZE i64;
    thread_status_bits set_thread_status_bits b'I' THREAD_STATUS i32;
}

impl Vm {
    /// A virtual thread has no holder.
    pub(crate) fn thread_daemon(&self, object: Ref) -> bool {
        match self.threads_have_holders() && self.booted && self.thread_holder(object).is_none() {
            true => true,
            false => self.thread_daemon_field(object),
        }
    }
    fn thread_get<const K: u8, V: Default>(
        &self,
        object: Ref,
        own: OptionalName<JdkField<K, true>>,
        held: JdkField<K, true>,
    ) -> V
    where
        JdkField<K, true>: Instance<Got = V, Value = V>,
    {
        if let Some(own) = self.has_field(own) {
            return self.get(object, own);
        }
        match self.thread_holder(object) {
            Some(holder) => self.get(holder, held),
            None => V::default(),
        }
    }
    fn thread_set<const K: u8, V>(
        &mut self,
        object: Ref,
        own: OptionalName<JdkField<K, true>>,
        held: JdkField<K, true>,
        value: V,
    ) where
        JdkField<K, true>: Instance<Got = V, Value = V, Done = ()>,
    {
        if let Some(own) = self.has_field(own) {
            return self.set(object, own, value);
        }
        if let Some(holder) = self.thread_holder(object) {
            self.set(holder, held, value);
        }
    }
    /// Where the fields are, of a JDK that keeps them apart; none before the constructor has run, and of a virtual thread.
    pub(crate) fn thread_holder(&self, object: Ref) -> Option<Ref> {
        let holder = self.has_field(jdk::thread::HOLDER)?;
        self.get(object, holder).non_null()
    }
    /// Threads know their groups, not the other way round, and make holders.
    pub(crate) fn threads_have_holders(&self) -> bool {
        self.has_field(jdk::thread::HOLDER).is_some()
    }
}
