//! What must be seen for each cause.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;

use super::RowCauseKind;
use super::case::Case;
use super::evidence::{Held, Known};
use super::profiler::{CONTROL, Positions, by_cpu_time, by_own_position};
use crate::dose::DoseKind;
use crate::dose::advice::listed;
use crate::dose::boxing::{explained, may_have_fault};
use crate::dose::judge::{profiler_kind, with_all};

/// A cause, and what was seen of it.
pub(super) struct Found {
    pub(super) kind: RowCauseKind,
    pub(super) seen: String,
    /// A known fault of C2 may be behind it.
    pub(super) boxing_fault: bool,
    /// The method into which the row's one is inlined, where that is the cause.
    pub(super) inlined_into: Option<String>,
}

fn found(kind: RowCauseKind, seen: impl Into<String>) -> Found {
    Found {
        kind,
        seen: seen.into(),
        boxing_fault: false,
        inlined_into: None,
    }
}

impl Case<'_> {
    /// All that explain it, the strongest evidence first.
    pub(super) fn causes(&self) -> Vec<Found> {
        let tried = [
            self.missing_debug_info(),
            self.pc_rule(),
            self.ready_threads(),
        ];
        let mut all: Vec<Found> = tried.into_iter().flatten().collect();
        all.extend(self.control());
        all.extend(self.outside_java(!all.is_empty()));
        all.extend(self.lost());
        // What was tried needs no comparison, and code without debug information has none that is wrong.
        if !all.iter().any(|one| one.kind < RowCauseKind::UnseenThreads) {
            all.extend(self.compared());
        }
        let besides = [self.failed_walks(), self.inlining(), self.depends()];
        all.extend(besides.into_iter().flatten());
        all
    }

    /// The same profiler knows all positions, and is right about the row.
    fn missing_debug_info(&self) -> Option<Found> {
        self.moved()?;
        let twin = with_all(self.name);
        let cured = self.positions(self.name) == Positions::Safepoints
            && self.row_of(&twin)?.verdict == Verdict::Right;
        let seen = format!("{twin}, the same profiler with it, is right about this row");
        cured.then(|| found(RowCauseKind::MissingDebugInfo, seen))
    }

    /// The same profiler by another rule is right about the row.
    fn pc_rule(&self) -> Option<Found> {
        self.moved()?;
        let twin = by_own_position(self.name)?;
        let cured = self.row_of(&twin)?.verdict == Verdict::Right;
        let seen = format!("{twin}, the same profiler by another rule, is right about this row");
        cured.then(|| found(RowCauseKind::PcRule, seen))
    }

    /// The same profiler by CPU time is right about the row.
    fn ready_threads(&self) -> Option<Found> {
        self.moved()?;
        let busy = self.several()?.busy;
        let twin = by_cpu_time(self.name)?;
        let cured = self.row_of(&twin)?.verdict == Verdict::Right;
        let seen = format!(
            "{twin}, the same profiler by CPU time, is right about this row; {busy} threads work"
        );
        cured.then(|| found(RowCauseKind::ReadyThreads, seen))
    }

    /// The control takes samples at safepoints on purpose.
    fn control(&self) -> Option<Found> {
        self.moved().filter(|_| self.name == CONTROL)?;
        let seen = "it takes samples at safepoints only, on purpose";
        Some(found(RowCauseKind::SafepointBias, seen))
    }

    /// The added work is not the method's own machine code. `explained`: why it is in another method is known.
    fn outside_java(&self, explained: bool) -> Option<Found> {
        let kind = &self.row.kind;
        if self.nowhere() && (in_stubs(kind) || *kind == DoseKind::Lock.name()) {
            let seen = format!("{kind} is shown in no Java method");
            return Some(found(RowCauseKind::OutsideJava, seen));
        }
        let to = self.moved()?;
        let seen = format!("{kind} runs there, and is shown in {to}");
        (in_stubs(kind) && !explained).then(|| found(RowCauseKind::OutsideJava, seen))
    }

    /// Samples are missing, because their threads are not looked at or because they were lost. Where the program has several
    /// threads, nothing tells these apart.
    fn lost(&self) -> Vec<Found> {
        let said = self.known().map_or(0.0, |known| 100.0 * known.lost_part);
        if !self.unseen() {
            return self.lost_besides(said).into_iter().collect();
        }
        let part = self.missing();
        let mut seen = format!("{part:.0} % of the added time left no sample");
        if said > 0.5 {
            seen.push_str(&format!(", and it says that it lost {said:.0} % of all"));
        }
        let mut all = vec![found(RowCauseKind::LostSamples, seen)];
        if let Some(threads) = self.several() {
            let busy = threads.busy;
            let seen =
                format!("{busy} threads work, and {part:.0} % of the added time left no sample");
            all.push(found(RowCauseKind::UnseenThreads, seen));
        }
        let nearly_all = self.row.missing_pct;
        if nearly_all.is_some_and(|missing| missing.high >= 100.0 - self.tolerance_pct()) {
            all.reverse();
        }
        all
    }

    /// Samples that were lost, though none of the added time certainly are. `said`: % that the profiler says it lost.
    fn lost_besides(&self, said: f64) -> Option<Found> {
        let least = self.tolerance_pct();
        let missing = self.row.missing_pct;
        let open = missing.is_none_or(|part| part.high > least);
        if open && self.enough(said) {
            let seen = format!("it says that it lost {said:.0} % of all");
            return Some(found(RowCauseKind::LostSamples, seen));
        }
        let too_much = self.row.in_place_pct.value > self.row.truth_pct[1] + least;
        let own = missing.is_some_and(|part| part.high < -least);
        let seen = "under the high dose it took more samples a second, so that some of the program's own were lost before";
        (too_much && own).then(|| found(RowCauseKind::LostSamples, seen))
    }

    /// What other profilers show of the same site.
    fn compared(&self) -> Option<Found> {
        let to = self.moved()?;
        self.jit_debug_info(to)
            .or_else(|| self.as_the_control(to))
            .or_else(|| self.safepoints_only())
    }

    /// Two kinds of profilers that know all positions are wrong, and charge the same method as this one.
    fn jit_debug_info(&self, to: &str) -> Option<Found> {
        if self.positions(self.name) == Positions::Unknown {
            return None;
        }
        let knowing: Vec<&str> = (self.all.keys().map(String::as_str))
            .filter(|name| self.positions(name) == Positions::All)
            .filter(|name| self.charges(name, to))
            .collect();
        let kinds: BTreeSet<&str> = knowing.iter().map(|name| profiler_kind(name)).collect();
        if kinds.len() < 2 {
            return None;
        }
        let (names, fault) = (knowing.join(" and "), self.boxing());
        let explained = fault.as_deref().unwrap_or_default();
        let seen = format!("{names} have all of it and charge {to}{explained}");
        Some(Found {
            boxing_fault: fault.is_some(),
            ..found(RowCauseKind::JitDebugInfo, seen)
        })
    }

    /// What is to be said of a known fault of C2 that does this; none in a JVM that does not have it.
    fn boxing(&self) -> Option<String> {
        if !may_have_fault(self.around.jvm) {
            return None;
        }
        let mut all = self.around.known.values();
        let made_by = all.find_map(|known| known.units.makes_boxes(&self.row.method));
        Some(explained(made_by))
    }

    /// It charges the method that the control charges. Only of a profiler that knows all positions, or of which nobody says what it
    /// knows, can that be its samples alone.
    fn as_the_control(&self, to: &str) -> Option<Found> {
        if self.name == CONTROL || !self.charges(CONTROL, to) {
            return None;
        }
        let seen = format!("it charges {to}, as {CONTROL} does");
        match self.positions(self.name) {
            Positions::Safepoints => self.blind().then(|| {
                let seen = format!("{seen}; {} would tell which", with_all(self.name));
                found(RowCauseKind::SafepointsOnly, seen)
            }),
            Positions::All | Positions::Unknown => Some(found(RowCauseKind::SafepointBias, seen)),
        }
    }

    /// It lacks positions, and one that has them is right about the row.
    fn safepoints_only(&self) -> Option<Found> {
        let lacks = self.positions(self.name) == Positions::Safepoints && self.blind();
        let knowing = self.all.keys().filter(|name| {
            let right = self.row_of(name).map(|row| row.verdict) == Some(Verdict::Right);
            right && self.positions(name) == Positions::All
        });
        let knowing: Vec<&str> = knowing.map(String::as_str).collect();
        let seen = format!(
            "{}, which {} more, {} right about this row; {} would tell which",
            listed(&knowing),
            if knowing.len() == 1 { "knows" } else { "know" },
            if knowing.len() == 1 { "is" } else { "are" },
            with_all(self.name)
        );
        (lacks && !knowing.is_empty()).then(|| found(RowCauseKind::SafepointsOnly, seen))
    }

    /// Whether a profiler that knows safepoints only would not see the site, and nothing says that more positions do not help.
    fn blind(&self) -> bool {
        let twin = self.row_of(&with_all(self.name));
        let helps = twin.is_none_or(|row| row.verdict != Verdict::Wrong);
        helps && self.row.reveals_itself != Some(true)
    }

    /// What the method itself does is in no Java method.
    fn failed_walks(&self) -> Option<Found> {
        let kind = &self.row.kind;
        let own = !in_stubs(kind) && *kind != DoseKind::Lock.name();
        let part = self.row.other_pct.value;
        let seen =
            format!("{part:.0} % of the added time, which is Java code's, is in no Java method");
        (own && self.nowhere()).then(|| found(RowCauseKind::FailedWalks, seen))
    }

    /// The method that is charged is in one unit with this one: in a JVM of this profiler, or else of another one.
    fn inlining(&self) -> Option<Found> {
        let to = self.moved()?;
        let method = &self.row.method;
        let held = |known: &Known| known.units.held(method, to);
        let (held, whose) = match self.known().and_then(held) {
            Some(held) => (held, String::new()),
            None => {
                let mut others = self.around.known.iter();
                let (name, held) = others.find_map(|(name, one)| Some((name, held(one)?)))?;
                (held, format!(", in a JVM of {name}"))
            }
        };
        let seen = match held {
            Held::Within => format!("{method} is inlined into {to}{whose}"),
            Held::Beside => format!("{method} and {to} are in one piece of machine code{whose}"),
        };
        let inlined_into = (held == Held::Within).then(|| to.to_owned());
        (method != to).then(|| Found {
            inlined_into,
            ..found(RowCauseKind::Inlining, seen)
        })
    }

    /// Right in some JVMs and wrong in others.
    fn depends(&self) -> Option<Found> {
        let jvms = self.row.jvms;
        let plural = if jvms.wrong == 1 { "" } else { "s" };
        let seen = format!(
            "right in {} and wrong in {} JVM{plural}",
            jvms.right, jvms.wrong
        );
        jvms.differ()
            .then(|| found(RowCauseKind::DependsOnJvm, seen))
    }
}

/// Whether work of this kind runs in a stub of the JVM, or in the JVM itself.
fn in_stubs(kind: &str) -> bool {
    let all = [DoseKind::Copy, DoseKind::Fill, DoseKind::Allocate];
    all.iter().any(|one| one.name() == kind)
}
