//! The rjvm library façade.
