//! The toolchain on the machine that runs the tests, and on machines made of directories.
//!
//! Tests that need a real JDK 25 or a working repository print why they are skipped; `REQUIRE_JVM` and the like turn that
//! into a failure.

mod artifacts;
mod building;
mod hostile_disk;
mod jdks;
mod rest;
mod support;
