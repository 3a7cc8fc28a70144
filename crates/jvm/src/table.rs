//! What goes into a unit when it is compiled, as the harness reads it.

use proofmark_experiment::lab::{Filler, InsertionPoint, UnitTable};

/// A table on the socket.
#[derive(Debug, serde::Serialize)]
pub(crate) struct WireTable<'a> {
    unit: u32,
    filler: Filler,
    point: InsertionPoint,
    markers: bool,
    shift: u32,
    counts: &'a [(u32, u32)],
}

impl<'a> From<&'a UnitTable> for WireTable<'a> {
    fn from(table: &'a UnitTable) -> Self {
        WireTable {
            unit: table.unit,
            filler: table.insertion.filler,
            point: table.insertion.at,
            markers: table.markers,
            shift: table.padding,
            counts: &table.counts,
        }
    }
}
