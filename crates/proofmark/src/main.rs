//! The `proofmark` command: how wrong is a profiler on your own program?

fn main() {}
