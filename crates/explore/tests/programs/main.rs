//! Programs for a toy machine, run under strategies, the race detector and the memory model, compared with all the
//! schedules they have.

mod all;
mod axioms;
mod dpor;
mod litmus;
mod memory;
mod races;
mod strategies;
mod toy;
