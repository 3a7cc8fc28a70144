//! Whole tests by dose with sites, without a JVM: from the choice of methods to the verdicts, over programs and profilers
//! whose true attribution is known.

mod added;
mod around;
mod causes;
mod clocked;
mod counted;
mod failures;
mod hidden;
mod in_time;
mod jvms;
mod late;
mod looks;
mod methods;
mod narrowed;
mod program;
mod queue;
mod threads;
mod turns;
mod verdicts;
