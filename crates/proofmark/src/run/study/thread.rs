//! Is the thread there that the user asks for?

use proofmark_profile::Profile;
use proofmark_study::Taking;

use crate::context::Refusal;
use crate::run::import::select::missing;

/// Nothing to say of a recording that has the thread, or does not name threads at all.
///
/// # Errors
/// When it names threads, and not this one.
pub(super) fn has_thread(profile: &Profile, taking: &Taking) -> Result<(), Refusal> {
    let Some(asked) = taking.thread.as_ref().and_then(|t| t.name.as_deref()) else {
        return Ok(());
    };
    let names = profile.threads.iter().filter_map(|t| t.name.clone());
    let names: Vec<String> = names.collect();
    if names.is_empty() || names.iter().any(|name| name == asked) {
        return Ok(());
    }
    Err(missing("thread", asked, names))
}
