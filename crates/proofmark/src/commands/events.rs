//! `events`: what optimised code does, counted.

use crate::output;
use crate::request::{EventsCostRequest, EventsDiffRequest, EventsRequest};
use crate::run::events::{self, Counting};
use crate::session::Session;
use crate::surroundings::Surroundings;

/// `events`.
pub fn count(request: &EventsRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let mut session = Session::begin(&request.program, around)?;
    let counting = Counting::new(&session, &request.program);
    let report = events::run(&counting, request)?;
    around.progress.finish();
    output::events(&mut session, &report, around.format)?;
    Ok(0)
}

/// `events --list`.
pub fn list(request: &EventsRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let session = Session::begin(&request.program, around)?;
    let types = events::list(&Counting::new(&session, &request.program), request)?;
    around.progress.finish();
    output::event_types(&types, around.format)?;
    Ok(0)
}

/// `events diff`.
pub fn diff(request: &EventsDiffRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let mut session = Session::begin(&request.program, around)?;
    let found = events::diff::run(&mut session, request)?;
    around.progress.finish();
    output::events_compared(&found, around.format)
}

/// `events cost`.
pub fn cost(request: &EventsCostRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let session = Session::begin(&request.first(), around)?;
    let cost = events::cost::run(&session, request)?;
    around.progress.finish();
    output::events_cost(&cost, around.format)?;
    Ok(0)
}
