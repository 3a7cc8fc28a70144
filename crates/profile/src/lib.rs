//! Proofmark crate `profile`.
#![forbid(unsafe_code)]
