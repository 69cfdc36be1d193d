//! Commands that say why a program is slow, stuck or different.

#[path = "../common/mod.rs"]
mod common;

mod locks;
mod origin;
mod search;
mod stop_at;
mod travel;
mod travel_dap;
mod travel_dap_raw;
mod travel_expressions;
mod travel_live;
mod travel_terminal;
mod why;
