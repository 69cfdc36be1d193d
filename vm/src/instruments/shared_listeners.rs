//! Takes shared listeners in, and calls them at the points of their instruments.

use super::ids::InstrumentId;
use super::moment::HitMoment;
use super::shared_listener::{SharedListener, SharedListenerId};
use super::shown::Hit;
use crate::vm::Vm;
use std::any::Any;

impl Vm {
    /// Adds a shared listener, for instruments with [`Action::NotifyAll`](super::Action::NotifyAll).
    pub fn add_shared_listener(
        &mut self,
        shared_listener: Box<dyn SharedListener>,
    ) -> SharedListenerId {
        let all = &mut self.instruments.shared_listeners.0;
        all.push(Some(shared_listener));
        SharedListenerId(all.len() as u32 - 1)
    }
    /// Gives a shared listener back. Its instruments notify nobody from now on. `None`: it is gone already, or is being notified.
    pub fn remove_shared_listener(
        &mut self,
        id: SharedListenerId,
    ) -> Option<Box<dyn SharedListener>> {
        self.instruments
            .shared_listeners
            .0
            .get_mut(id.0 as usize)?
            .take()
    }
    /// A shared listener, if it is of this type, there, and not being notified.
    pub fn shared_listener<T: SharedListener>(&self, id: SharedListenerId) -> Option<&T> {
        let shared_listener: &dyn Any = &**self
            .instruments
            .shared_listeners
            .0
            .get(id.0 as usize)?
            .as_ref()?;
        shared_listener.downcast_ref()
    }
    /// The same, to be changed.
    pub(crate) fn shared_listener_mut<T: SharedListener>(
        &mut self,
        id: SharedListenerId,
    ) -> Option<&mut T> {
        let shared_listeners = &mut self.instruments.shared_listeners.0;
        let shared_listener: &mut dyn Any =
            &mut **shared_listeners.get_mut(id.0 as usize)?.as_mut()?;
        shared_listener.downcast_mut()
    }
    /// Lets somebody do something with a shared listener and the VM, as if it were notified.
    pub fn with_shared_listener<T: SharedListener, R>(
        &mut self,
        id: SharedListenerId,
        f: impl FnOnce(&mut T, &mut Vm) -> R,
    ) -> Option<R> {
        let at = id.0 as usize;
        let mut shared_listener = self.instruments.shared_listeners.0.get_mut(at)?.take()?;
        let known: &mut dyn Any = &mut *shared_listener;
        let result = known.downcast_mut().map(|known| f(known, self));
        self.instruments.shared_listeners.0[at] = Some(shared_listener);
        result
    }
    /// Notifies the shared listener of an instrument.
    #[inline(always)]
    pub(super) fn notify_shared_listener(
        &mut self,
        SharedListenerId(at): SharedListenerId,
        number: u32,
        id: InstrumentId,
        moment: &HitMoment,
    ) {
        let Some(mut shared_listener) = self.instruments.shared_listeners.take(at) else {
            return;
        };
        let nested = std::mem::replace(&mut self.instruments.notifying, true);
        shared_listener.hit(&mut Hit::new(self, id, moment), number);
        self.instruments.notifying = nested;
        self.instruments.shared_listeners.put(at, shared_listener);
    }
}
