//! From what was measured to what is written.

use std::collections::BTreeMap;

use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::DoseOrder;
use super::measure::{Profiled, SiteRow};
use super::plain::Plain;
use super::restless::{of_others, restless};
use super::together::sets;
use super::tune::Tuned;
use super::untested::Untested;
use super::went_over;
use crate::dose::cause::{Around, Known, Units, certainly_missing, set_causes};
use crate::dose::conflict::{MethodShares, conflict};
use crate::dose::finding::against;
use crate::dose::kind::remark;
use crate::dose::looks::in_all;
use crate::dose::shares::all_as_it_is;
use crate::dose::threads::native_remark;
use crate::dose::weighed::hotter;
use crate::dose::{
    Attribution, DOSE_SCHEMA, DoseKind, DoseResult, JavaShares, LeftOut, MethodFacts, Noted,
    Placed, Replication, Row, Shown, SiteFacts, Subject, ThreadFacts, Took, Unfinished,
    UntestedMethod, attributions, each_once, listed, open_cost_remark, rest_cost_remark,
    shown_by_each, told,
};

/// Places of sites that a remark names; more are counted.
const PLACES: usize = 2;

/// What was measured.
pub(super) struct Measured {
    /// What each profiler shows of the program as it is, each time that it looked, and how long a first look took, s: the longest.
    pub(super) looks: BTreeMap<String, Vec<JavaShares>>,
    pub(super) look_s: f64,
    /// How many methods were wanted, and the names of those that come behind them, in the order in which they would be tested.
    pub(super) wanted: usize,
    pub(super) beyond: Vec<String>,
    pub(super) tuned: Vec<Tuned>,
    /// The same for each profiler, by its place: with what is right by counting without its own processes.
    pub(super) judged_by: Vec<Vec<Tuned>>,
    pub(super) plain: Plain,
    pub(super) profiled: Vec<Profiled>,
    /// Methods that were wanted and have no site.
    pub(super) left_out: Vec<LeftOut>,
    /// Profilers that could not be judged, with the reason.
    pub(super) failed: BTreeMap<String, String>,
    /// Processes that were added to those that were wanted and did not fail, of each profiler that has such.
    pub(super) added: BTreeMap<String, usize>,
    /// How long the parts of the test took, without these.
    pub(super) took: Took,
    /// Those that were to be added, if they were ended.
    pub(super) unfinished: Option<Unfinished>,
    /// What is to be said of profilers in whose processes counting says something else than without one.
    pub(super) apart: Option<String>,
    /// Processes that were measured at the same time.
    pub(super) at_once: usize,
    /// What is to be said of the program.
    pub(super) remark: Option<String>,
    /// Part of the processors' time that others took, where that is much.
    pub(super) others: Option<f64>,
    /// What is to be said of what there was no time for, and of second looks.
    pub(super) late: Vec<String>,
}

impl Measured {
    /// The result of a test that took so long, s.
    pub(super) fn result(self, order: &DoseOrder, seconds: f64) -> DoseResult {
        let threads = self.threads();
        let mut attribution = self.judged(order);
        self.explain(&mut attribution, (threads.as_ref(), order.margin_pt));
        let of_profilers = (self.profiled.iter()).flat_map(|one| one.left_out.iter().cloned());
        let left_out: Vec<LeftOut> = (self.left_out.iter().cloned())
            .chain(of_profilers)
            .collect();
        let (untested, noted) = self.noted(&attribution, &left_out, order);
        let rest_cost = self.plain.rest_cost;
        let costs = self.open_costs();
        let fewer = order.again.with("--methods 1");
        let of_threads = threads.as_ref().map(ThreadFacts::remarks);
        let shares = self.profiled.iter();
        let shares = shares.map(|one| (one.name.as_str(), &one.shares_pct));
        let of_native = native_remark(shares);
        let changed = self.profiled.iter();
        let changed = changed.filter_map(|one| Some((one.name.as_str(), one.went_over.as_ref()?)));
        let changed = went_over::said(changed);
        let unfinished = self.unfinished.as_ref();
        let unfinished = unfinished.map(|one| one.says(order.size.runs));
        let told = told(
            &attribution,
            &order.size,
            (order.margin_pt, &self.took),
            &order.again,
            &noted,
        );
        DoseResult {
            schema: DOSE_SCHEMA.into(),
            program: order.program.clone(),
            methods: self.methods(),
            sites: self.sites(),
            jvm: self.plain.jvm,
            machine: Some(order.machine.clone()),
            native: None,
            threads,
            margin_pt: order.margin_pt,
            rest_cost_pct: rest_cost.value,
            rest_cost: Some(rest_cost),
            replication: Replication::of(order.size.runs)
                .with_added(self.added)
                .at_once(self.at_once)
                .with_unfinished(self.unfinished),
            remarks: (unfinished.into_iter())
                .chain(order.remarks.iter().cloned())
                .chain(self.late)
                .chain(of_others(self.others, order.busy.clone()))
                .chain(remark(order.kind))
                .chain(self.remark)
                .chain(self.apart)
                .chain(of_threads.unwrap_or_default())
                .chain(of_native)
                .chain(changed)
                .chain(rest_cost_remark(&rest_cost, &fewer))
                .chain(open_cost_remark(&costs))
                .collect(),
            left_out: each_once(left_out),
            untested,
            advice: told.advice,
            advice_parts: told.parts,
            advice_about: Some(told.about),
            attribution,
            failed: self.failed,
            seconds,
        }
    }

    /// Hot methods without a row, and what else is to be said beside the verdicts.
    fn noted(
        &self,
        attribution: &BTreeMap<String, Attribution>,
        left_out: &[LeftOut],
        order: &DoseOrder,
    ) -> (Vec<UntestedMethod>, Noted) {
        let untested = Untested {
            looks: &self.as_it_is(),
            attribution,
            left_out,
            wanted: self.wanted,
            beyond: &self.beyond,
            again: &order.again,
        };
        let parts = self.profiled.iter().flat_map(|one| &one.rest_parts);
        let parts: Vec<f64> = parts.copied().collect();
        let methods = untested.methods();
        let tested = self.methods();
        let as_it_is = all_as_it_is(&tested, &methods);
        let tested = tested.iter().map(|one| MethodShares {
            method: &one.name,
            shares: &one.shares_pct,
            bytecode_pct: one.bytecode_pct,
        });
        let hot = methods.iter().map(|one| MethodShares {
            method: &one.method,
            shares: &one.shares_pct,
            bytecode_pct: None,
        });
        let noted = Noted {
            counted_pct: self.counted_pct(),
            as_it_is,
            against: against(tested.clone(), attribution, &self.plain.jvm),
            conflict: conflict(tested.chain(hot), attribution, order.margin_pt),
            untested: untested.says(&methods),
            restless: restless(&parts, self.others, self.at_once),
        };
        (methods, noted)
    }

    /// One entry per method, whose first site is named: hottest first, in whatever order they were tested.
    fn methods(&self) -> Vec<MethodFacts> {
        let looks = self.as_it_is();
        let sited = self.profiled.first().and_then(|one| one.reports.first());
        let mut sites: Vec<(usize, &Tuned)> = self.tuned.iter().enumerate().collect();
        sites.sort_by(|(_, a), (_, b)| hotter(&a.candidate, &b.candidate));
        let mut all: Vec<MethodFacts> = Vec::new();
        for (index, one) in sites {
            let plain = self.plain.inlined[index];
            let differently = sited.is_some_and(|report| report.inlined(index as u16) != plain);
            match all.iter_mut().find(|fact| fact.name == one.candidate.name) {
                Some(fact) => fact.inlined_differently |= differently,
                None => all.push(MethodFacts {
                    name: one.candidate.name.clone(),
                    bytecode_pct: one.candidate.bytecode_pct,
                    reported_pct: one.candidate.reported_pct.clone(),
                    shares_pct: shown_by_each(&looks, &one.candidate.name),
                    at_entry: one.at_entry(),
                    steps: one.steps,
                    inlined_differently: differently,
                }),
            }
        }
        all
    }

    /// In how many threads the program works.
    fn threads(&self) -> Option<ThreadFacts> {
        let all = || self.profiled.iter();
        let windows: Vec<(u32, f64)> = all().flat_map(|one| one.threads.clone()).collect();
        let others = all().map(|one| (one.name.clone(), one.others_pct));
        ThreadFacts::of(&windows, others.collect())
    }

    /// `the entry of Queens.getRowColumn`, or some of those that are there together, and what they cost without a turn while their gates
    /// are open.
    fn open_costs(&self) -> Vec<(String, Estimate)> {
        let place = |site: &usize| {
            let one = &self.tuned[*site];
            let the = if one.at_entry() { "the " } else { "" };
            format!("{the}{} of {}", one.place(), one.candidate.name)
        };
        let of_set = |(_, sites): (usize, Vec<usize>)| {
            let places: Vec<String> = sites.iter().map(place).collect();
            (together(&places), self.plain.open_costs[sites[0]])
        };
        sets(&self.tuned).into_iter().map(of_set).collect()
    }

    /// What is known of each site.
    fn sites(&self) -> Vec<SiteFacts> {
        let all = self.tuned.iter().zip(&self.plain.open_costs);
        all.map(|(one, cost)| SiteFacts {
            method: one.candidate.name.clone(),
            place: one.place(),
            steps: one.steps,
            set: one.set,
            executions: one.executions,
            by_count_pct: one.by_count.as_ref().map(|part| part.scaled(100.0)),
            by_count_jvms: one.counted_in,
            open_cost_pct: Some(*cost),
        })
        .collect()
    }

    /// Share of each method, % of the bytecodes, where they were counted.
    fn counted_pct(&self) -> BTreeMap<String, f64> {
        let candidates = self.tuned.iter().map(|one| &one.candidate);
        let counted = candidates.filter_map(|one| Some((one.name.clone(), one.bytecode_pct?)));
        counted.collect()
    }

    /// What each profiler shows of the program as it is, by all of its looks.
    fn as_it_is(&self) -> BTreeMap<String, JavaShares> {
        let all = self.looks.iter();
        all.map(|(name, looks)| (name.clone(), in_all(looks)))
            .collect()
    }

    /// Greatest cost of sites at rest, as a part of the program's time.
    pub(super) fn rest_part(&self) -> f64 {
        self.plain.rest_cost.high / 100.0
    }

    /// How long so many looks take, s, by those that there were.
    pub(super) fn looks_take_s(&self, looks: usize) -> f64 {
        self.look_s * looks.div_ceil(self.at_once.max(1)) as f64
    }

    /// What is said of each profiler, without causes.
    pub(super) fn judged(&self, order: &DoseOrder) -> BTreeMap<String, Attribution> {
        let looks = self.as_it_is();
        let subject = |one: &Profiled| Subject {
            name: one.name.clone(),
            rows: rows(one),
            in_jvms: in_jvms(one),
            changes: one.rows.iter().map(|one| one.change.clone()).collect(),
            shares_pct: one.shares_pct.clone(),
            looks: vec![
                looks.get(&one.name).cloned().unwrap_or_default(),
                one.java_shares.clone(),
            ],
            as_it_is: self.looks.get(&one.name).cloned().unwrap_or_default(),
            unseen: one.unseen,
            rest_cost: Some(self.rest_part()),
            earlier: one.earlier,
            counted_pct: self.counted_pct(),
        };
        let tested: Vec<&str> = (self.tuned.iter())
            .map(|one| one.candidate.name.as_str())
            .collect();
        let all = self.profiled.iter();
        let all = all.map(|one| (subject(one), self.shown(one, order.kind)));
        attributions(all.collect(), &tested, order.margin_pt)
    }

    /// Names what explains wrong rows.
    fn explain(
        &self,
        attribution: &mut BTreeMap<String, Attribution>,
        (threads, margin_pt): (Option<&ThreadFacts>, f64),
    ) {
        let methods: Vec<&str> = (self.tuned.iter())
            .map(|one| one.candidate.name.as_str())
            .collect();
        let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
        let known = |one: &Profiled| Known {
            missing: certainly_missing(&rows(one), &in_jvms(one), &one.earlier, tolerance),
            lost_part: one.lost_part,
            units: Units::of(&one.reports, &methods),
        };
        let all = self.profiled.iter();
        let around = Around {
            known: all.map(|one| (one.name.clone(), known(one))).collect(),
            jvm: &self.plain.jvm,
            threads,
            margin_pt,
        };
        set_causes(attribution, &around);
    }

    fn shown(&self, profiled: &Profiled, kind: DoseKind) -> Shown {
        let placed = |one: &SiteRow| Placed {
            row: one.row.clone(),
            runs: one.runs.iter().flatten().cloned().collect(),
            unknown_runs: one.runs.iter().filter(|run| run.is_none()).count(),
            line: self.tuned[one.site].lines.first().copied(),
            place: self.tuned[one.site].place(),
            kind,
            turns: one.turns,
            reveals_itself: self.tuned[one.site].reveals_itself,
            change: one.change.clone(),
            own_share: one.own_share.clone(),
        };
        Shown {
            rows: profiled.rows.iter().map(placed).collect(),
            shares_pct: profiled.shares_pct.clone(),
            samples_per_s: profiled.samples_per_s,
            lost_samples: profiled.lost_samples,
            failed_runs: profiled.failed.clone(),
        }
    }
}

/// `the entry of A.get, loop 1 of A.put and 3 more together`: places whose sites are there at the same time; more than a few are counted.
fn together(places: &[String]) -> String {
    let more = match places.len().saturating_sub(PLACES) {
        0 => None,
        more => Some(format!("{more} more")),
    };
    let named = places.iter().map(String::as_str).take(PLACES);
    let named: Vec<&str> = named.chain(more.as_deref()).collect();
    match named.len() {
        0 | 1 => listed(&named),
        _ => format!("{} together", listed(&named)),
    }
}

/// The rows of a profiler over its processes.
fn rows(one: &Profiled) -> Vec<Row> {
    one.rows.iter().map(|one| one.row.clone()).collect()
}

/// The rows of a profiler in each of its processes that did not fail.
pub(super) fn in_jvms(one: &Profiled) -> Vec<Vec<Option<Row>>> {
    let of_run = |number: usize| {
        let rows = one.rows.iter();
        rows.map(|row| row.runs[number].clone()).collect()
    };
    (0..one.jvms).map(of_run).collect()
}

#[cfg(test)]
mod tests {
    use super::together;

    /// Ten places in a row, whose sites cost something together, were more than anybody could read.
    #[test]
    fn of_sites_that_are_there_together_two_places_are_named() {
        let places = ["the entry of A.get", "loop 1 of A.put", "branch 2 of A.set"];
        let places = places.map(str::to_owned);
        assert_eq!(together(&places[..1]), "the entry of A.get");
        let two = "the entry of A.get and loop 1 of A.put together";
        assert_eq!(together(&places[..2]), two);
        let all = "the entry of A.get, loop 1 of A.put and 1 more together";
        assert_eq!(together(&places), all);
    }
}
