//! Proofmark crate `assess`.
#![forbid(unsafe_code)]
