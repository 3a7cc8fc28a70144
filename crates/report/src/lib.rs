//! Proofmark crate `report`.
#![forbid(unsafe_code)]
