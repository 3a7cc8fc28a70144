//! Which samples of a profile to count.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::model::{EventIdx, Profile, Thread, ThreadIdx};

/// Which threads count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThreadFilter {
    /// All.
    #[default]
    All,
    /// Those of this name.
    Name(String),
    /// The one with this operating-system id.
    OsId(i64),
    /// The one with this Java id.
    JavaId(i64),
    /// Those of a program among the threads of its JVM.
    Program {
        /// Their operating-system ids.
        os_ids: BTreeSet<i64>,
        /// What names of others begin with: it decides where the source tells no id, as of virtual threads.
        not_named: Vec<String>,
    },
}

impl ThreadFilter {
    /// True if the thread passes. A source that tells no threads passes only [`ThreadFilter::All`].
    #[must_use]
    pub fn accepts(&self, thread: Option<&Thread>) -> bool {
        match (self, thread) {
            (Self::All, _) => true,
            (_, None) => false,
            (Self::Name(name), Some(t)) => t.name.as_deref() == Some(name),
            (Self::OsId(id), Some(t)) => t.os_id == Some(*id),
            (Self::JavaId(id), Some(t)) => t.java_id == Some(*id),
            (Self::Program { os_ids, not_named }, Some(t)) => match (t.os_id, &t.name) {
                (Some(id), _) => os_ids.contains(&id),
                (None, Some(name)) => !not_named.iter().any(|other| name.starts_with(other)),
                (None, None) => true,
            },
        }
    }
}

/// Which events count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EventFilter {
    /// The first event of the profile and what belongs to it: for JFR `jdk.CPUTimeSample` if there are any, else
    /// `jdk.ExecutionSample` with `jdk.NativeMethodSample`.
    #[default]
    Main,
    /// The event of this name only.
    Named(String),
    /// Every event, whatever the sum then means.
    All,
}

/// Which samples count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Threads.
    pub thread: ThreadFilter,
    /// Times, `[begin, end)` in nanoseconds of the profile's clock; samples without a time never lie in a window.
    pub window: Option<Range<i64>>,
    /// Events.
    pub events: EventFilter,
    /// Samples with a frame of a class whose name starts with one of these do not count: work that an instrument did on
    /// the sampled thread.
    pub without_classes: Vec<String>,
}

impl Filter {
    /// All samples of the thread called `name`.
    #[must_use]
    pub fn thread_named(name: &str) -> Self {
        Self {
            thread: ThreadFilter::Name(name.to_owned()),
            ..Self::default()
        }
    }

    /// The same filter, restricted to `window`.
    #[must_use]
    pub fn within(mut self, window: Range<i64>) -> Self {
        self.window = Some(window);
        self
    }

    /// Per method of `profile`, whether a stack with it does not count.
    pub(crate) fn unwanted(&self, profile: &Profile) -> Vec<bool> {
        let starts = |class: &str| {
            self.without_classes
                .iter()
                .any(|prefix| class.starts_with(prefix))
        };
        let methods = profile.methods.iter();
        methods.map(|method| starts(&method.class)).collect()
    }

    /// True if what belongs to that thread counts.
    pub(crate) fn accepts_thread(&self, profile: &Profile, thread: Option<ThreadIdx>) -> bool {
        self.thread
            .accepts(thread.map(|t| &profile.threads[t.index()]))
    }

    /// Per event of `profile`, whether it counts.
    pub(crate) fn event_mask(&self, profile: &Profile) -> Vec<bool> {
        let first = profile.events.first().map_or("", |e| e.name.as_str());
        profile
            .events
            .iter()
            .enumerate()
            .map(|(at, event)| match &self.events {
                EventFilter::All => true,
                EventFilter::Named(name) => event.name == *name,
                EventFilter::Main => at == 0 || belongs_to(first, &event.name),
            })
            .collect()
    }

    /// True if `event` counts under `mask`.
    pub(crate) fn mask_has(mask: &[bool], event: EventIdx) -> bool {
        mask.get(event.index()).copied().unwrap_or(false)
    }
}

impl Profile {
    /// Drops samples and losses that do not pass, for an export of some of a profile.
    pub fn keep(&mut self, filter: &Filter) {
        let (mask, unwanted) = (filter.event_mask(self), filter.unwanted(self));
        let timed = |time: Option<i64>| {
            let window = filter.window.as_ref();
            window.is_none_or(|window| time.is_some_and(|time| window.contains(&time)))
        };
        let mut samples = std::mem::take(&mut self.samples);
        samples.retain(|sample| {
            Filter::mask_has(&mask, sample.event)
                && filter.accepts_thread(self, sample.thread)
                && timed(sample.time_ns)
                && !self
                    .frames_of(sample)
                    .any(|frame| unwanted[frame.method.index()])
        });
        let mut losses = std::mem::take(&mut self.losses);
        losses.retain(|loss| loss.thread.is_none() || filter.accepts_thread(self, loss.thread));
        (self.samples, self.losses) = (samples, losses);
    }
}

fn belongs_to(main: &str, other: &str) -> bool {
    main == "jdk.ExecutionSample" && other == "jdk.NativeMethodSample"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_a_program_are_told_by_their_ids_and_else_by_their_names() {
        let program = ThreadFilter::Program {
            os_ids: BTreeSet::from([7, 9]),
            not_named: vec!["JFR ".into(), "C2 CompilerThread".into()],
        };
        let accepts = |name: Option<&str>, os_id| {
            program.accepts(Some(&Thread {
                name: name.map(str::to_owned),
                os_id,
                java_id: None,
            }))
        };
        assert!(accepts(Some("main"), Some(7)) && accepts(None, Some(9)));
        // A name that the program took from the JVM does not matter.
        assert!(accepts(Some("JFR of mine"), Some(7)));
        assert!(!accepts(Some("GC Thread#0"), Some(8)));
        // Virtual threads: no id of their own, and mostly no name.
        assert!(accepts(None, None) && accepts(Some("worker"), None));
        assert!(!accepts(Some("JFR Recorder Thread"), None));
        assert!(!accepts(Some("C2 CompilerThread0"), None));
        assert!(!program.accepts(None), "a sample of nobody");
    }
}
