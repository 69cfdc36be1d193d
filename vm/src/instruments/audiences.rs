//! Takes audiences in, and calls them at the points of their instruments.

use super::audience::{SharedListener, SharedListenerId};
use super::ids::InstrumentId;
use super::moment::HitMoment;
use super::shown::Hit;
use crate::vm::Vm;
use std::any::Any;

impl Vm {
    /// Takes an audience in, for instruments with [`Action::TellAll`](super::Action::TellAll).
    pub fn add_audience(&mut self, audience: Box<dyn SharedListener>) -> SharedListenerId {
        let all = &mut self.instruments.audiences.0;
        all.push(Some(audience));
        SharedListenerId(all.len() as u32 - 1)
    }
    /// Gives an audience back. Instruments that tell it tell nobody from now on. `None`: it is gone already, or is being told.
    pub fn remove_audience(&mut self, id: SharedListenerId) -> Option<Box<dyn SharedListener>> {
        self.instruments.audiences.0.get_mut(id.0 as usize)?.take()
    }
    /// An audience, if it is of this type, there, and not being told.
    pub fn audience<T: SharedListener>(&self, id: SharedListenerId) -> Option<&T> {
        let audience: &dyn Any = &**self.instruments.audiences.0.get(id.0 as usize)?.as_ref()?;
        audience.downcast_ref()
    }
    /// The same, to be changed.
    pub(crate) fn audience_mut<T: SharedListener>(
        &mut self,
        id: SharedListenerId,
    ) -> Option<&mut T> {
        let audiences = &mut self.instruments.audiences.0;
        let audience: &mut dyn Any = &mut **audiences.get_mut(id.0 as usize)?.as_mut()?;
        audience.downcast_mut()
    }
    /// Lets somebody do something with an audience and the VM, as if it were told.
    pub fn with_audience<T: SharedListener, R>(
        &mut self,
        id: SharedListenerId,
        f: impl FnOnce(&mut T, &mut Vm) -> R,
    ) -> Option<R> {
        let at = id.0 as usize;
        let mut audience = self.instruments.audiences.0.get_mut(at)?.take()?;
        let known: &mut dyn Any = &mut *audience;
        let result = known.downcast_mut().map(|known| f(known, self));
        self.instruments.audiences.0[at] = Some(audience);
        result
    }
    /// Tells the audience of an instrument.
    #[inline(always)]
    pub(super) fn tell_audience(
        &mut self,
        SharedListenerId(at): SharedListenerId,
        number: u32,
        id: InstrumentId,
        moment: &HitMoment,
    ) {
        let Some(mut audience) = self.instruments.audiences.take(at) else {
            return;
        };
        let nested = std::mem::replace(&mut self.instruments.telling, true);
        audience.hit(&mut Hit::new(self, id, moment), number);
        self.instruments.telling = nested;
        self.instruments.audiences.put(at, audience);
    }
}
