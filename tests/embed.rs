//! The VM as a library, by its public interface.

mod common;

mod embed_api;
mod embed_compile;
mod embed_functions;
mod embed_host;
mod embed_limits;
mod embed_record;
mod embed_runs;
