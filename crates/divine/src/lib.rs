//! Divining: the search for the plan that brings every block to baseline x (1 + target).
//!
//! A state machine without I/O: the laboratory is asked for observations and answers.
#![forbid(unsafe_code)]
