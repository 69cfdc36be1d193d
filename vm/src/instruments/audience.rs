//! Audiences: listeners that many instruments tell, each with a number of its own. What such a one knows lies with the VM, so that
//! nobody has to lock it: neither at a hit nor between two.

use super::glance::Glance;
use super::hit::Hit;
use super::table::InstrumentId;
use super::tell::Moment;
use crate::vm::Vm;
use std::any::Any;

/// Somebody whom several instruments tell.
pub trait Audience: Any + Send {
    /// The program is at the point of the instrument that was placed with this number.
    fn hit(&mut self, hit: &mut Hit<'_>, number: u32);
    /// The same before that, where the point is an entry or a return of a method, with what is at hand.
    fn glance(&mut self, _glance: &Glance<'_>, _number: u32) -> Glanced {
        Glanced::Never
    }
}

/// What an audience makes of what is at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glanced {
    /// All that is to be done has been done.
    Done,
    /// Nothing has been done: [`Audience::hit`] is called.
    Look,
    /// The same, and so it is at this instrument from now on.
    Never,
}

/// An audience of a VM. Numbers are not used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AudienceId(pub(super) u32);

/// The audiences of a VM.
#[derive(Default)]
pub(super) struct Audiences(Vec<Option<Box<dyn Audience>>>);

impl Audiences {
    /// Takes one out, to be told.
    #[inline(always)]
    pub fn take(&mut self, at: u32) -> Option<Box<dyn Audience>> {
        self.0.get_mut(at as usize)?.take()
    }
    /// Puts it back.
    #[inline(always)]
    pub fn put(&mut self, at: u32, audience: Box<dyn Audience>) {
        if let Some(place) = self.0.get_mut(at as usize) {
            // nothing is there that would have to be dropped
            std::mem::forget(place.replace(audience));
        }
    }
}

impl Vm {
    /// Takes an audience in, for instruments with [`Action::TellAll`](super::Action::TellAll).
    pub fn add_audience(&mut self, audience: Box<dyn Audience>) -> AudienceId {
        let all = &mut self.instruments.audiences.0;
        all.push(Some(audience));
        AudienceId(all.len() as u32 - 1)
    }
    /// Gives an audience back. Instruments that tell it tell nobody from now on. `None`: it is gone already, or is being told.
    pub fn remove_audience(&mut self, id: AudienceId) -> Option<Box<dyn Audience>> {
        self.instruments.audiences.0.get_mut(id.0 as usize)?.take()
    }
    /// An audience, if it is of this type, there, and not being told.
    pub fn audience<T: Audience>(&self, id: AudienceId) -> Option<&T> {
        let audience: &dyn Any = &**self.instruments.audiences.0.get(id.0 as usize)?.as_ref()?;
        audience.downcast_ref()
    }
    /// The same, to be changed.
    pub(crate) fn audience_mut<T: Audience>(&mut self, id: AudienceId) -> Option<&mut T> {
        let audiences = &mut self.instruments.audiences.0;
        let audience: &mut dyn Any = &mut **audiences.get_mut(id.0 as usize)?.as_mut()?;
        audience.downcast_mut()
    }
    /// Lets somebody do something with an audience and the VM, as if it were told.
    pub fn with_audience<T: Audience, R>(
        &mut self,
        id: AudienceId,
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
        AudienceId(at): AudienceId,
        number: u32,
        id: InstrumentId,
        moment: &Moment,
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
