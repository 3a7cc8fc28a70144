//! Which samples of a profile are asked for.

use proofmark_profile::{EventFilter, Filter, Profile, ThreadFilter};

use crate::context::Refusal;
use crate::request::ImportRequest;

/// Names that an error lists before it says how many more there are.
const LISTED: usize = 12;

/// The filter that the request mean.
///
/// # Errors
/// When the profile has no such thread or event, or no sample of both; the message says what it has.
pub(super) fn filter(request: &ImportRequest, profile: &Profile) -> Result<Filter, Refusal> {
    let filter = Filter {
        thread: match &request.thread {
            None => ThreadFilter::All,
            Some(text) => thread(text, profile)?,
        },
        events: match &request.event {
            None => EventFilter::Main,
            Some(name) => event(name, profile)?,
        },
        ..Filter::default()
    };
    if profile.by_method(&filter).samples == 0 {
        let asked = match request.thread {
            Some(_) => "no sample of this thread and event",
            None => "no sample of its main event",
        };
        let names = list(event_names(profile));
        let text = format!("the profile has {asked}; try --event all, or one of: {names}");
        return Err(Refusal::Usage(text));
    }
    Ok(filter)
}

fn event_names(profile: &Profile) -> Vec<String> {
    profile.events.iter().map(|e| e.name.clone()).collect()
}

fn event(name: &str, profile: &Profile) -> Result<EventFilter, Refusal> {
    if name == "all" {
        return Ok(EventFilter::All);
    }
    if profile.events.iter().any(|event| event.name == name) {
        return Ok(EventFilter::Named(name.to_owned()));
    }
    Err(missing("event", name, event_names(profile)))
}

/// `name`, `tid:123` or `java:1`.
fn thread(text: &str, profile: &Profile) -> Result<ThreadFilter, Refusal> {
    let number = |prefix| text.strip_prefix(prefix).and_then(|id| id.parse().ok());
    let filter = match (number("tid:"), number("java:")) {
        (Some(id), _) => ThreadFilter::OsId(id),
        (None, Some(id)) => ThreadFilter::JavaId(id),
        (None, None) => ThreadFilter::Name(text.to_owned()),
    };
    if profile.threads.iter().any(|t| filter.accepts(Some(t))) {
        return Ok(filter);
    }
    let known = profile.threads.iter();
    let known = known.map(|thread| match (&thread.name, thread.os_id) {
        (Some(name), _) => name.clone(),
        (None, Some(id)) => format!("tid:{id}"),
        (None, None) => "a thread without a name".to_owned(),
    });
    Err(missing("thread", text, known.collect()))
}

/// The profile has no such thread or event, but these.
pub fn missing(what: &str, name: &str, known: Vec<String>) -> Refusal {
    let known = list(known);
    Refusal::Usage(format!(
        "the profile has no {what} {name:?}; it has: {known}"
    ))
}

/// The names, each once, in order; of many the first ones.
fn list(mut names: Vec<String>) -> String {
    names.sort();
    names.dedup();
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    match (names.is_empty(), more) {
        (true, _) => "none".to_owned(),
        (false, 0) => names.join(", "),
        (false, more) => format!("{} and {more} more", names.join(", ")),
    }
}
