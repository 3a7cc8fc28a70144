//! The result of a test by dose, as it is written.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::advice::listed;
use super::{
    AdviceAbout, FailedRun, JvmFacts, JvmWords, MachineFacts, NativeFacts, OwnShare, Planted,
    ProfileChange, ProfileCheck, Replication, ThreadFacts, Truth, UntestedMethod, WorkTested,
};

/// Name and version of a result's form.
pub const DOSE_SCHEMA: &str = "proofmark-dose/2";

fn schema<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    crate::schema::read("proofmark-dose", from)
}

/// Where profilers report time that was put into known methods of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoseResult {
    /// [`DOSE_SCHEMA`].
    #[serde(alias = "schema_version", deserialize_with = "schema")]
    pub schema: String,
    /// The program.
    pub program: String,
    /// The JVM that ran it; empty texts for a native program.
    pub jvm: JvmFacts,
    /// The machine on which it was measured; null in documents of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineFacts>,
    /// What is known of a native program; null for programs of a JVM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeFacts>,
    /// In how many threads the program works; null for native programs, and where no window was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<ThreadFacts>,
    /// Margin of the verdicts, points of share; rows may be off by twice as many per cent of the added time.
    pub margin_pt: f64,
    /// The methods that were tested, hottest first.
    pub methods: Vec<MethodFacts>,
    /// Their sites, and how well two truths about each agree; empty where that was not looked at.
    #[serde(default)]
    pub sites: Vec<SiteFacts>,
    /// What all sites cost without a turn, in % of an iteration; one JVM with them against one without, so that some
    /// per cent may be chance.
    pub rest_cost_pct: f64,
    /// The same with its 95 % interval over pairs of windows of these two JVMs; n counts pairs. Other pairs of JVMs are not in
    /// it, however many runs there are.
    #[serde(default)]
    pub rest_cost: Option<Estimate>,
    /// What is repeated, and which level intervals and verdicts speak for.
    #[serde(default)]
    pub replication: Replication,
    /// What else is to be said of the program and its JVMs, in sentences.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Methods that were wanted and could not be tested.
    pub left_out: Vec<LeftOut>,
    /// Methods with 10 % or more of the Java time that no profiler has a row of, by what any of them shows, the hottest first: what was
    /// found says nothing of them. Of native programs functions, with all sites at rest. Empty in documents of earlier versions.
    #[serde(default)]
    pub untested: Vec<UntestedMethod>,
    /// Per profiler what it does with the added time.
    pub attribution: BTreeMap<String, Attribution>,
    /// Profilers that could not be judged, with the reason: which of their JVMs failed, why, and where its output is.
    pub failed: BTreeMap<String, String>,
    /// What to do, in a sentence.
    pub advice: String,
    /// The same in parts: first what is wrong and what to do, then one part for each other thing that is known or would tell more, with its
    /// command last. Empty in documents of earlier versions.
    #[serde(default)]
    pub advice_parts: Vec<String>,
    /// Whom and what the first of the `advice_parts` is about, so that nobody must search its words. Null in documents of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice_about: Option<AdviceAbout>,
    /// How long it took, s.
    pub seconds: f64,
}

/// What is to be said where sites at rest change the program's speed for certain by more than this, %.
const REST_COST_PCT: f64 = 5.0;

/// What is to be said of the cost of sites with all gates closed; none where it is small, or not known to be large. `fewer`: the
/// command that changes less of the program.
#[must_use]
pub fn rest_cost_remark(cost: &Estimate, fewer: &str) -> Option<String> {
    let value = cost.value.abs();
    let time = match (cost.low > REST_COST_PCT, cost.high < -REST_COST_PCT) {
        (true, _) => "more",
        (_, true) => "less",
        _ => return None,
    };
    Some(format!(
        "with all sites at rest the program takes {value:.0} % {time} time, probably because the JVM compiles it differently; the rows are about \
         that program ({fewer} changes less of it at a time)"
    ))
}

/// Places that a remark on their cost names; more are counted.
const COSTLY_NAMED: usize = 2;

/// What is to be said of sites that cost much while their gates are open, without a turn; none where none does for certain.
/// `sites`: where each stands (`the entry of A.get`), and what it costs, %.
#[must_use]
pub fn open_cost_remark(sites: &[(String, Estimate)]) -> Option<String> {
    let much = sites.iter().filter(|(_, cost)| cost.low > REST_COST_PCT);
    let mut much: Vec<&(String, Estimate)> = much.collect();
    much.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let (named, others) = much.split_at(much.len().min(COSTLY_NAMED));
    let named = named.iter();
    let named = named.map(|(place, cost)| format!("{:.0} % at {place}", cost.value));
    let more = others.first();
    let more =
        more.map(|(_, cost)| format!("{:.0} % or less at {} more", cost.value, others.len()));
    let said: Vec<String> = named.chain(more).collect();
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    (!said.is_empty()).then(|| {
        format!(
            "with its code present but adding no time, a site slows the program: by {} (read the rows of such sites with care)",
            listed(&said)
        )
    })
}

/// A method that was tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodFacts {
    /// `com.acme.Main.run`; overloads are one method.
    pub name: String,
    /// Its share of the bytecodes that the program executes, %; null where they were not counted.
    pub bytecode_pct: Option<f64>,
    /// Share that each profiler reports without sites, in its first look, %.
    pub reported_pct: BTreeMap<String, f64>,
    /// What each profiler shows of it in the program as it is, % of the Java time; n: samples. 0 where a profiler does not show it.
    /// Of native programs with all sites at rest, % of the time in known functions, or of callgrind of their instructions. Empty in
    /// documents of earlier versions.
    #[serde(default)]
    pub shares_pct: BTreeMap<String, Estimate>,
    /// Whether the site stands at its entry; else in front of a loop's body, or where a branch leads.
    pub at_entry: bool,
    /// Steps in a turn of the site's loop: multiplications, or what takes about as long in other kinds of dose, such as 64 bytes
    /// that are copied.
    pub steps: u16,
    /// In which units it was inlined without and with sites differs.
    pub inlined_differently: bool,
}

/// A site, and two truths about it: what the clock says of the time that it adds, and what counting says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SiteFacts {
    /// The method.
    pub method: String,
    /// `entry`, `loop 1` for the front of the body of the method's first loop, or `branch 1` where its first branch leads.
    pub place: String,
    /// Steps in a turn of its loop.
    pub steps: u16,
    /// How often it is reached in an iteration, counted exactly. Null where iterations differ.
    pub executions: Option<f64>,
    /// What the added time should be by counting (executions, turns, steps, and the time of a step), % of what the clock
    /// measured in the same JVM: 100 where both agree. Null where it was not counted, for other kinds than arithmetic, and
    /// where a turn has fewer than 16 steps: the processor then does several at once. n counts pairs of windows.
    pub by_count_pct: Option<Estimate>,
    /// JVMs that this is the mean of: one without a profiler, and those of profilers that do not contradict it. 1: the one without a
    /// profiler; so too in documents of earlier versions, which say 0. 0 where it is null. What is right for a profiler (`truth_pct`)
    /// comes from those of them that are not its own.
    #[serde(default)]
    pub by_count_jvms: usize,
    /// Number of its set: sites of one set are there at the same time, and one of them makes turns. JVMs after the first ones put
    /// sites of a set apart that change a profile too much. 0 for native programs, whose sites are always there, and in earlier
    /// results.
    #[serde(default)]
    pub set: usize,
    /// What the sites of its set cost in their own windows without a turn, % of the program's time; n: pairs of windows. In all
    /// other windows their code is not there. Null for native programs.
    #[serde(default)]
    pub open_cost_pct: Option<Estimate>,
}

/// A method that could not be tested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The method.
    pub method: String,
    /// Why.
    pub reason: String,
}

/// What adds the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Vehicle {
    /// Loops in the methods' bytecode: new code with its own line, on the user's JVM.
    Sites,
    /// Instructions without debug information of their own in the methods' machine code, in the laboratory.
    Blocks,
}

/// What one profiler does with added time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attribution {
    /// What added the time.
    pub vehicle: Vehicle,
    /// Every row is right, or open or wrong and too small to matter: at sites of the kinds that `work` names as tested, and of no other.
    pub certified: bool,
    /// With which kinds of work it was tested.
    #[serde(default)]
    pub work: WorkTested,
    /// The verdict.
    pub verdict: Verdict,
    /// In how many JVMs the rows alone, without profiles, make it right or wrong. All 0 with the vehicle `blocks`, of native
    /// programs, and in documents of earlier versions.
    #[serde(default)]
    pub jvms: JvmWords,
    /// Points of share of the program that are reported in other places, at least and at most: by the rows, or by the
    /// profile where that says more and the profiler is not certified. With several JVMs in all together, or in the JVM
    /// that certainly misplaces more.
    pub misplaced_pt: [f64; 2],
    /// Its profile beside those of others who know the program; null where nobody else does.
    #[serde(default)]
    pub profile: Option<ProfileCheck>,
    /// What sites change in its profile; null where that is nothing for certain. Beyond the margin the rows decide
    /// nothing.
    #[serde(default)]
    pub change: Option<ProfileChange>,
    /// JVMs without sites in which it looked at the program as it is: 2 where sites would change too much by the first one alone. 0 of
    /// native programs and with the vehicle `blocks`; 1 in documents of earlier versions.
    #[serde(default = "super::replication::one")]
    pub looks: usize,
    /// One row per tested method.
    pub rows: Vec<AttributionRow>,
    /// Share of methods that it reports with all sites at rest, %: those tested, those that get time of others, and what
    /// has 1 % or more. n: samples.
    #[serde(default)]
    pub shares_pct: BTreeMap<String, Estimate>,
    /// Samples of the program's threads per second of their CPU time.
    pub samples_per_s: f64,
    /// Samples that it says it lost.
    pub lost_samples: f64,
    /// Intervals of its rows that could have called it wrong: those of what is in place and of what left no sample, of every row, in
    /// each JVM and, where there are several, in all together. They are so wide that all of them hold the truth in 95 of 100
    /// tests, so that a profiler that is nowhere further off than allowed is called wrong by them in 5 of 100 tests at most. 0 in
    /// documents of earlier versions, which counted fewer of them.
    #[serde(default)]
    pub accusing_intervals: usize,
    /// Probability that any of these intervals would have called a profiler wrong that is exactly right, at most, with the spread
    /// that was seen. Shares and profiles are not in it.
    pub false_alarm: f64,
    /// Errors of one and a half times what is allowed, planted into its own right rows, one at a time: how many of them would have been
    /// called wrong. Null where no row is right, and in documents of earlier versions.
    #[serde(default)]
    pub planted: Option<Planted>,
    /// JVMs in which it failed: it is judged by the others, of which there are two at least. Where fewer are left it is not
    /// judged, and named in `failed`.
    #[serde(default)]
    pub failed_runs: Vec<FailedRun>,
}

/// Where the time is reported that was put into one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AttributionRow {
    /// The method.
    pub method: String,
    /// The line where the time was put, if the class says lines.
    pub line: Option<u16>,
    /// Where the site stands: `entry`, `loop 1` for the front of the body of the method's first loop, or `branch 1` where its
    /// first branch leads.
    #[serde(default)]
    pub place: String,
    /// The kind of work that was added (`arithmetic`, `copy`, `fill`, `allocate`, `load`, `call`, `vector`, `lock`); with the
    /// vehicle `blocks`, where: `block 138`, or `26 blocks`.
    pub kind: String,
    /// Right, wrong or undecided. With several JVMs: wrong if one of them is wrong for certain, or all together; right if all of
    /// them are right, or the mean is while none is wrong.
    pub verdict: Verdict,
    /// In how many JVMs the row is right, wrong, or not decided by the windows of that JVM alone. Right in some and wrong in others:
    /// what the profiler reports depends on what the JVM compiled. All 0 as in the profiler's.
    #[serde(default)]
    pub jvms: JvmWords,
    /// Turns of the low and of the high dose; with the vehicle `blocks`, instructions in the block that got most.
    pub turns: [u16; 2],
    /// Growth of the program under the low and under the high dose, % of its time without.
    pub growth_pct: [f64; 2],
    /// The same with 95 % intervals over windows under the dose and at rest; n counts pairs of windows. With several JVMs over the JVMs,
    /// which n counts. Null in documents of earlier versions.
    #[serde(default)]
    pub growth: Option<[Estimate; 2]>,
    /// % of the added time that is reported in the method itself; of the kind `call`, in the method that it calls and that
    /// spends the time, `java.lang.ProofmarkSites.called`.
    pub in_place_pct: Estimate,
    /// What a right profiler may report in place, from and to, % of the time that the clock says was added. More than 100 where
    /// the processor may do other work of the program beside the added loop; less where counting says that the loop takes less
    /// than the program grew by. 100 to 100 where nothing is known of that, and in documents of earlier versions. What counting
    /// says in the profiler's own JVMs has no part in it.
    #[serde(default = "by_the_clock")]
    pub truth_pct: [f64; 2],
    /// `truth_pct` begins below 100 by what counting says of the program's other sites, because it does not know this one, or knows it less
    /// closely than they say it. False in documents of earlier versions, which did not say so.
    #[serde(default)]
    pub truth_by_others: bool,
    /// The same of each JVM, with its interval over windows; n counts samples.
    #[serde(default)]
    pub in_place_per_run_pct: Vec<Estimate>,
    /// Runs in which the method has no row. With the vehicle `blocks` anything from nothing to all of the added time may be in
    /// any place there, and the intervals of the row say so; with `sites` they speak of the other runs, which are the most.
    #[serde(default)]
    pub unknown_runs: usize,
    /// % of the added time that is reported at the site's line of the method itself. Null where the profiler or the class
    /// tells no lines.
    #[serde(default)]
    pub line_pct: Option<Estimate>,
    /// Whether the profiler is right about the line, by the same rule as for the method.
    #[serde(default)]
    pub line_verdict: LineVerdict,
    /// % of the added time that is reported in other methods, where that is not 0; largest first.
    pub elsewhere: Vec<Elsewhere>,
    /// % of the added time that is reported in no Java method.
    pub other_pct: Estimate,
    /// % of the added time of which the profiler took no sample, by its samples per second under both doses; below 0 where
    /// it took more. Null where that is not known.
    #[serde(default)]
    pub missing_pct: Option<Estimate>,
    /// Windows that were thrown away because a method with a site was compiled meanwhile.
    pub void_windows: usize,
    /// The JVM knows a position inside of the added loop without being asked to keep such ones: the method's own code
    /// may have none, so that this row says less about it. Null where that was not looked at.
    pub reveals_itself: Option<bool>,
    /// What the site changes in the profile while its code is there, without a turn; null where that is nothing for certain.
    /// Beyond the margin the row does not decide.
    #[serde(default)]
    pub change: Option<ProfileChange>,
    /// What the site changes of the method's own share while its code is there, without a turn; null where that is nothing for certain,
    /// of native programs, with the vehicle `blocks`, and in documents of earlier versions. It decides nothing.
    #[serde(default)]
    pub own_share: Option<OwnShare>,
    /// Points of the program's time that an open or wrong row can misplace at most, where such rows of the profiler are together too small
    /// to leave it undecided; null elsewhere, also of wrong rows that decide if the profiler is wrong. In documents of earlier versions of
    /// open rows only.
    #[serde(default)]
    pub small_pt: Option<f64>,
    /// Why the row is wrong, as far as what was measured tells it; null where it is not wrong, or nothing tells. No verdict rests on it.
    #[serde(default)]
    pub cause: Option<super::RowCause>,
}

/// What the clock says was added, all of it.
fn by_the_clock() -> [f64; 2] {
    Truth::CLOCK.pct()
}

/// Whether a profiler is right about the line where time was put.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineVerdict {
    /// It reports the added time there.
    Right,
    /// It reports it at other lines or in other methods.
    Wrong,
    /// The interval does not say.
    Undecided,
    /// The profiler tells no lines, or the class has none.
    #[default]
    Unknown,
}

/// Added time that is reported in another method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Elsewhere {
    /// The method.
    pub method: String,
    /// % of the added time; with several JVMs the mean over them.
    pub pct: Estimate,
    /// With several JVMs: the same of each JVM in which it is not 0 for certain, with its interval over windows; n counts samples. Empty
    /// with one JVM, with the vehicle `blocks`, and in documents of earlier versions.
    #[serde(default)]
    pub per_run_pct: Vec<Estimate>,
}
