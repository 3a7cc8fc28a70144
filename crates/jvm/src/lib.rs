//! Proofmark crate `jvm`.
