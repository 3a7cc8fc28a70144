//! The JVMTI agent of `proofmark count` and `proofmark dose`. For the one it rewrites classes while the JVM loads them,
//! asks the runtime for the profile when the program ends, and says what it did with which class; for the other it puts
//! sites into methods ([`sites`]), says what the JVM compiles, and keeps the clock of the program's threads ([`threads`]).
//!
//! [`jvmti`] and [`jni`] are the only modules with unsafe code. [`hook`] decides on classes, [`loaders`] knows which
//! class loaders hide what changed classes need, [`silence`] tells of one that does not answer, [`steps`] counts bytecodes the slow way (one event each), as an oracle for tests.
//! The JVM's thread calls in; everything shared lies behind locks, and no Java code runs while one is held.

mod configuration;
mod events;
mod files;
mod hook;
mod jni;
mod jvmti;
mod loaders;
mod owner;
mod silence;
mod sites;
mod steps;
mod threads;
