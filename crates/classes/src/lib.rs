//! The classes of a program on disk: its class path and its JDK, as the rewriter wants to know them.
//!
//! The agent inside of the JVM and the rewriting ahead of time use the same [`Program`], so that both decide alike.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod class_path;
mod image;
mod names;
mod policy;
mod program;

pub use class_path::{ClassPath, expand_manifests, expand_wildcards};
pub use image::{Image, ImageError};
pub use names::Names;
pub use policy::Scope;
pub use program::{Program, Strangers};
