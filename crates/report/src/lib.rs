//! Results in, text out: what a person reads in the terminal, what a script reads as JSON, and one HTML page per run.
//!
//! Pure: no file, no clock, no terminal is touched. Whether there is colour and how wide the terminal is comes in as a
//! [`Style`]; the command prints what comes back.
//!
//! # Where to look
//! - [`plan_summary`], [`assess_text`], [`assess_brief`], [`assessment_table`], [`doctor_table`], [`cost_table`]: the terminal.
//! - [`study_tables`], [`diff_table`], [`study_csv`], [`diff_csv`]: studies of several profilers; [`profile_table`]: one profile.
//! - [`candidates_table`]: which slowdown instruction does best.
//! - [`EventsReport`], [`EventsDiff`], [`EventsCost`]: what optimised code does, with [`events_table`] and [`events_html`].
//! - [`dose_table`], [`dose_brief`], [`dose_html`]: where profilers report time that was put into known methods; [`every_dose_table`]: with
//!   every kind of dose.
//! - [`speedup_table`], [`race_table`]: what follows if functions of a native program were faster, or slower.
//! - [`evaluation_text`], [`evaluation_html`]: many programs, with the figures of the published study beside ours.
//! - [`count_summary`], [`count_comparison`], [`time_comparison`]: counted bytecodes.
//! - [`PageData`] and [`html`], [`StudyPage`] and [`study_html`]: the pages.
//!
//! # Numbers
//! Every measured value is shown with its 95 % interval; how many digits are shown follows from the interval
//! ([`number`]), so that no digit claims more than was measured.
#![forbid(unsafe_code)]

mod csv;
mod html;
mod names;
pub mod number;
mod style;
mod svg;
mod terminal;
mod together;
mod words;

pub use csv::{diff_csv, study_csv};
pub use html::{PageData, StudyPage, dose_html, evaluation_html, events_html, html, study_html};
pub use names::{Names, clean, readable};
pub use style::Style;
pub use terminal::{
    ProfileView, assess_brief, assess_text, assessment_table, candidates_table, cost_table,
    count_comparison, count_summary, coverage_text, diff_table, doctor_table, dose_brief,
    dose_table, evaluation_text, events_cost_table, events_diff_table, events_table,
    every_dose_table, plan_summary, profile_doubts, profile_table, race_table, slots_text,
    speedup_table, study_tables, time_comparison, types_table,
};
pub use words::resolution as resolution_sentence;
