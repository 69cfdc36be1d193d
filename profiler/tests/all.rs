//! Profiles as data: what they hold, their formats, and queries of them.

mod columns;
mod compare;
mod deep;
mod filters;
mod formats;
mod native_format;
mod oracle;
mod protobuf;
mod pruning;
mod readers;
mod recorded;
mod views;
