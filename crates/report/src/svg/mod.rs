//! Charts as inline SVG: a few fixed kinds, written by hand so that they are deterministic and need no script.
//!
//! Charts are 360 units wide, about the width of a telephone, so that their text keeps a readable size there; wider
//! pages put charts side by side instead of stretching them. `lanes`, `boxes` and `matrix` have a wider form too; where the page is
//! not wide, their narrow form is shown.
//! Colours are classes of the page's style sheet.

mod axis;
mod bars;
mod boxes;
mod cloud;
mod draw;
mod histogram;
mod lanes;
mod matrix;
mod misses;
mod name;
mod ranges;
mod rows;
mod said;
mod scatter;
mod strip;
mod totals;

pub(crate) use bars::{Bar, Mark, bars};
pub(crate) use boxes::{BoxRow, boxes};
pub(crate) use cloud::{Group, cloud};
pub(crate) use draw::{FULL, WIDTH};
pub(crate) use histogram::{Histogram, histogram};
pub(crate) use lanes::{Known, Lane, LaneRow, NARROW, WIDE, lanes};
pub(crate) use matrix::{MatrixCell, matrix};
pub(crate) use misses::{MissBins, misses};
pub(crate) use ranges::{Range, ranges};
pub(crate) use scatter::{Point, Right, Scatter, scatter};
pub(crate) use strip::{Kind, Strip, StripPoint, strip};
pub(crate) use totals::{Total, totals};
