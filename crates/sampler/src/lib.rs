//! Proofmark crate `sampler`.
