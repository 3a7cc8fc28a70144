//! Proofmark crate `store`.
