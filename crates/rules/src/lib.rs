//! The frozen rules: every constant that decides a verdict, or what a verdict may rest on.
//!
//! Each says what it is, its unit, on what it was fitted, and on what it was judged since. A rule must not be changed on the
//! data that it judges: whoever changes one says here on what it is fitted now, and judges it on something else.
//! *Fitted* with nothing behind it means that it was set beforehand. "The suite" is the six bundled programs Bounce, List,
//! Permute, Queens, Sieve and Towers; its results of 2026-11-22 (docs/studies/assess) are of one machine,
//! an Intel Emerald Rapids virtual machine. Other machines judged only what says so. What decides nothing, but is said to a reader from
//! there on, is not judged.
//!
//! What only says how long something is measured, in what order, or how a plan is searched for is no rule and stands where
//! it is used. So do the words for people.
#![forbid(unsafe_code)]

// Every verdict.

/// Error that separates right from wrong where the user says nothing else, points of share of the program's time.
/// Fitted: set beforehand (a shift of 5 points among the hottest methods is what published comparisons call wrong). Judged:
/// the suite, JTidy, Jackson (docs/studies/assess, user-jar, dose).
pub const MARGIN_PT: f64 = 5.0;

/// Rate of false alarms of one comparison of unslowed windows, 0 to 1. Fitted: set beforehand. Judged: 12 of 1,800
/// comparisons raised one on the suite (docs/studies/assess).
pub const AA_NOMINAL: f64 = 0.01;

/// Chance that the lower end of the largest error's interval lies above the true one, 0 to 1; small, because it accuses.
/// Fitted: set beforehand, together 5 % with the upper end. Judged: simulated profilers of known error
/// (crates/assess/src/largest.rs, crates/assess/tests).
pub const LARGEST_ERROR_LOWER_MISS: f64 = 0.01;

/// Chance that the upper end of the largest error's interval lies below the true one, 0 to 1. As
/// [`LARGEST_ERROR_LOWER_MISS`].
pub const LARGEST_ERROR_UPPER_MISS: f64 = 0.04;

/// Unslowed windows below which a reader is told that intervals are wide. Fitted: set beforehand.
pub const FEW_WINDOWS: usize = 8;

/// Difference of our two sampling streams, in margins, from which on a reader is told. Fitted: set beforehand.
pub const STREAMS_APART_MARGINS: f64 = 0.2;

// Time added to known methods, by sites and by blocks.

/// How far the part in place may be from 100 %, per cent of the added time for one point of margin. Fitted: set
/// beforehand (10 % at the usual margin). Judged: sites on the suite, Jackson and others under C2 and Graal
/// (docs/studies/dose).
pub const DOSE_TOLERANCE_PER_MARGIN: f64 = 2.0;

/// Part of the added time, 0 to 1, below which another method is not named. Fitted: set beforehand. Judged: as
/// [`DOSE_TOLERANCE_PER_MARGIN`].
pub const DOSE_LEAST_NAMED: f64 = 0.02;

/// Half-width of a row's interval, part of the added time, from which on it gets more windows. Fitted: set beforehand.
/// Judged: simulated programs, whose intervals hold the truth in more than 92 % of cases with this rule (docs/dose-rules.md).
pub const DOSE_NARROW: f64 = 0.03;

/// Pairs of windows, one under each dose, below which a site has no row. Fitted: set beforehand (one pair has no spread).
/// Judged: as [`DOSE_NARROW`].
pub const DOSE_LEAST_PAIRS: usize = 2;

/// Part of the margin, 0 to 1, that all open and wrong rows of a profiler together may misplace at most for it to be certified all the
/// same. Wrong ones besides may misplace no larger a part of what right rows stand for than the margin is of all time, and a method has as
/// much as the profiler shows by the part that its wrong row leaves in place, unless a faultless profiler of another kind sees it.
/// Fitted: set beforehand, after Lucene 9.12.1, Jackson 2.18.2 and JavaParser 3.26.2 had been seen with one open row of thirteen.
/// That profilers with a wrong row do not say how much was made after H2 2.3.232 (2026-11-26). That wrong rows may be small was made
/// after JavaParser (docs/studies/verdicts/results/2026-11-26-b/others/ParseSource-1.json, small) and ecj
/// (2026-11-26/others/CompileSource-1.json beside it, not small); how much their methods have, after Boxed (2026-11-27/victims), whose
/// profilers would else be certified if nobody had counted its bytecodes. Judged: the other programs of docs/studies/verdicts; what was
/// made after H2 decided nothing on the three that were measured since, and that wrong rows may be small was judged on nothing yet.
pub const DOSE_OPEN_PART: f64 = 0.5;

/// Samples in a cell of a row, and outside of it, from which on their spread from window to window says how well it is known;
/// below, counting samples says the least. Fitted: set beforehand. Judged: as [`DOSE_NARROW`].
pub const DOSE_ENOUGH_SAMPLES: f64 = 25.0;

/// Part of what windows alone leave, 0 to 1, below which the interval of a row over JVMs never is. Fitted: set beforehand.
/// Judged: simulated JVMs that differ and that do not, whose intervals hold the mean in 93 to 97 % of cases
/// (crates/experiment/tests/jvms.rs).
pub const DOSE_RUNS_LEAST_PART: f64 = 0.25;

/// JVMs that know something of a row, below which those that know nothing of it stay in its mean. Fitted: set beforehand, after
/// Lucene 9.12.1 had been seen with a row that one of three JVMs knew to 49 points only. Judged: as [`DOSE_RUNS_LEAST_PART`].
pub const DOSE_RUNS_KNOWN: usize = 3;

/// Chance that any of the intervals by which a profiler's rows are called wrong misses the truth, 0 to 1: of what is in place and
/// of what left no sample, at all sites, in each JVM and in all together. Fitted: set beforehand. Judged: simulated tests, of
/// which fewer than that accuse falsely (crates/experiment/tests/false_alarms.rs).
pub const DOSE_ACCUSED_MISS: f64 = 0.05;

/// Part of [`DOSE_ACCUSED_MISS`] that the intervals of all JVMs together have, where there are several; those of JVMs by themselves share
/// the rest. Fitted: Jackson at default settings (docs/studies/verdicts/results/2026-11-27-b, 2026-11-27-c), where 35 of 42 and 29 of 37
/// planted errors would be found, for 30 and 27 with equal parts (docs/studies/verdicts/missed.py). Judged: simulated tests for false
/// alarms (crates/experiment/tests/false_alarms.rs); six other programs (docs/studies/verdicts/results/2026-11-28), where with Jackson 111
/// of 128 would be found, for 107 with equal parts.
pub const DOSE_ACCUSED_TOGETHER: f64 = 0.8;

/// Degrees of freedom, at most, by which the scatter that rows of a profiler have in common counts beside that of a JVM's own windows,
/// where a row is called wrong. Fitted: H2 2.3.232 and Lucene 9.12.1 (2026-11-26), whose rows have it in common as by 1.3 to
/// infinitely many, by 4.0 in the middle of 12 tests of a profiler. Judged: errors that were planted into rows of ecj, JavaParser and Jackson
/// (docs/studies/verdicts/missed.py); simulated tests (crates/experiment/src/dose/scatter.rs).
pub const DOSE_ALIKE_DF: f64 = 4.0;

/// Rows, each JVM's by itself, below which nothing is said of what they have in common: four rows in four JVMs. Fitted: simulated scatter
/// that differs from row to row, of which three rows know too little. Judged: as [`DOSE_ALIKE_DF`].
pub const DOSE_ALIKE_LEAST: usize = 16;

/// Degrees of freedom from which on a row says something of the others, and they of it: four pairs of windows. Fitted: on simulated rows
/// that stop getting windows when they look well known; those that begin with two pairs would miss the truth seven times as often as
/// they say, with four 1.2 times. Judged: by its tests only.
pub const DOSE_ALIKE_LEAST_DF: f64 = 3.0;

/// Part of the JVMs, 0 to 1, more than which must have a row of a site for it to be judged. Fitted: set beforehand. Judged:
/// simulated JVMs (crates/experiment/tests/dose_whole).
pub const DOSE_JVMS_LEAST_PART: f64 = 0.5;

/// JVMs of a profiler where the user says no number: the fewest with which no more than 1 of 100 pairs of intervals of the same row,
/// in two tests, is expected to be disjoint. Fitted: on such pairs. Judged: docs/studies/verdicts/README.md.
pub const DOSE_RUNS: usize = 4;

/// Share of a method, % of the time, from which on it is said and drawn that no time was added to it. It decides nothing. Fitted: set
/// beforehand.
pub const DOSE_HOT_PCT: f64 = 10.0;

/// JVMs of a profiler, at most, where the user says no number: those beyond the usual ones are measured only where they would
/// probably decide a profiler that is open, all at once, and once. Fitted: set beforehand. Judged: simulated JVMs, of which two looks
/// hold the truth and certify falsely as often as said (crates/experiment/src/dose/more/tests.rs).
pub const DOSE_RUNS_MOST: usize = 6;

/// Variance of a number of samples, in that of a Poisson process, which what left no sample is at least known by: timers
/// tick more evenly. Fitted: set beforehand. Judged: simulated timers (crates/experiment/src/dose/kept.rs).
pub const DOSE_COUNTED_PART: f64 = 0.5;

/// Samples that a method may have had at most which has none in a profile. Fitted: the rule of three, a 95 % limit. Judged:
/// simulated profiles of eighty methods (crates/experiment/src/dose/profile.rs).
pub const DOSE_NONE_SEEN: f64 = 3.0;

/// Time behind a window in which a compilation that is reported still voids it, ns: the JVM tells of one a little after the
/// code is there. Fitted: set beforehand. Judged: as [`DOSE_TOLERANCE_PER_MARGIN`].
pub const DOSE_LATE_NS: u64 = 30_000_000;

/// Growth of the program between the low and the high dose of a site, as a part of its time at rest, below which the site
/// is left out. Fitted: set beforehand. Judged: as [`DOSE_TOLERANCE_PER_MARGIN`].
pub const DOSE_LEAST_GROWTH: f64 = 0.3;

/// The same of doses in blocks. Fitted: set beforehand. Judged: the suite (docs/evaluation).
pub const BLOCK_DOSE_LEAST_GROWTH: f64 = 0.5;

/// Share of the program's time, 0 to 1, that a method or a block has to be dosed in the laboratory. Fitted: set beforehand.
/// Judged: as [`BLOCK_DOSE_LEAST_GROWTH`].
pub const BLOCK_DOSE_SHARE: f64 = 0.02;

/// Share that a method has, % of bytecodes or of what a profiler shows, to be tested without being named by the user.
/// Fitted: set beforehand. Judged: as [`DOSE_TOLERANCE_PER_MARGIN`].
pub const DOSE_METHOD_PCT: f64 = 2.0;

/// What a site certainly costs while its code is there, without a turn, beyond what it can take itself, % of an iteration, from
/// which on it is left out, because the JIT compiles another program. Fitted: JavaParser 3.26.2. Judged: the other programs of
/// docs/studies/dose.
pub const DOSE_COSTLY_PCT: f64 = 20.0;

/// What a site certainly costs while its code is there, without a turn, % of an iteration, from which on its row decides nothing, whether
/// the JIT or the site itself takes it: most of that program is no longer the user's. Fitted: Renumbered, a victim of
/// docs/studies/verdicts, whose site is in the middle of a vectorised loop. Judged: the programs of docs/studies/dose, which it leaves alone.
pub const DOSE_DROWNED_PCT: f64 = 100.0;

/// Most that a site without a turn (a load, a comparison, a branch) takes where it stands, cycles; what it costs beyond that is code
/// that the JIT compiles otherwise. Fitted: set beforehand, from what these instructions take. Judged: as [`DOSE_COSTLY_PCT`].
pub const DOSE_REST_CYCLES: f64 = 4.0;

/// Instructions, of about a cycle each, that a processor looks ahead: that much of other work can be hidden under a loop each time that it is
/// passed. A dose in a block has as many instructions at least. Fitted: set beforehand (the largest reorder buffers of today's x86-64
/// processors have 512 entries); Queens, Json, Richards and CD were known to need larger doses in blocks. Judged: programs of
/// others (docs/studies/dose); in blocks the other ten of the suite (docs/evaluation).
pub const DOSE_AHEAD_CYCLES: f64 = 512.0;

/// Half-width, part of the added time, to which counting must be known to be a truth beside the clock. Fitted: set beforehand. As
/// [`DOSE_AHEAD_CYCLES`].
pub const DOSE_COUNTED_KNOWN: f64 = 0.05;

/// How far counting may be from the clock, part of the added time, beyond what may be hidden: further apart, either is off.
/// Fitted: set beforehand; Havlak, where counting is up to 6 % below the clock, was known. As [`DOSE_AHEAD_CYCLES`].
pub const DOSE_TRUTHS_APART: f64 = 0.1;

/// JVMs that must know a site by counting, the one without a profiler among them, below which that one says alone what is right. Fitted:
/// set beforehand. Judged: simulated JVMs, whose intervals hold the mean in 93 % of cases or more, also where JVMs differ
/// (crates/experiment/src/dose/counted_jvms/tests.rs).
pub const DOSE_COUNTED_JVMS: usize = 4;

/// How far sites of a program are from each other at least, by what counting says of them, part of the added time, a standard deviation.
/// Fitted: simulated programs of six to thirteen sites that differ by 0 to 1 %, so that in none a range begins too high at 3.5 of 100
/// sites or more (crates/experiment/src/dose/truth/tests.rs). Judged: seven programs (docs/studies/verdicts/results/2026-11-28), Jackson,
/// for which the rule was made, among them; with what other sites say 109 of 128 planted errors would be found there, without it 111.
pub const DOSE_SITES_APART: f64 = 0.005;

/// How far counting in a profiler's JVMs may be for certain from the JVM without a profiler, part of the added time, before it does not
/// count there. Fitted: set beforehand. As [`DOSE_COUNTED_JVMS`].
pub const DOSE_COUNTED_BESIDE: f64 = 0.03;

/// Variance between JVMs, in that which their windows leave, beyond which what counting says of one JVM is taken to be as far from the
/// mean as JVMs differ. Fitted: set beforehand, on simulated JVMs. As [`DOSE_COUNTED_JVMS`].
pub const DOSE_COUNTED_DIFFER: f64 = 2.0;

/// Sites that counting must know before it says anything of another site of the same program. Fitted: JavaParser 3.26.2, whose rows
/// were seen before. Judged: the other programs of docs/studies/verdicts.
pub const DOSE_COUNTED_OTHERS: usize = 3;

/// Most that sites which are there at the same time may take without a turn, by how often they are passed, as a part of the
/// program's time. Fitted: set beforehand, below the 5 % at which what a site costs is named. Judged: programs of others
/// (docs/studies/dose).
pub const DOSE_TOGETHER: f64 = 0.04;

/// Cycles that a step of a turn, a multiplication that waits for the one before, takes. As [`DOSE_REST_CYCLES`].
pub const DOSE_STEP_CYCLES: f64 = 3.0;

// The block map as truth.

/// Furthest from 100 % that a method's part in place may be for our own sampler, and the half-width to which it must be
/// known, points, before the block map is called truth. Fitted: set beforehand. Judged: the suite in the laboratory
/// (docs/studies/dose-blocks).
pub const MAP_EACH_PT: f64 = 5.0;

/// Furthest from 100 % that the mean over methods may be, points. As [`MAP_EACH_PT`].
pub const MAP_MEAN_PT: f64 = 2.0;

/// Borders that a set of blocks must be long to be judged alone: its time is then known to an eighth. Fitted: Towers and
/// Queens on Emerald Rapids, when it was eight cycles. Judged: borders of 0.8 to 2.5 cycles on Emerald Rapids, Zen 4 and Zen 5
/// (docs/method-time.md); the suite's figures were made with eight cycles.
pub const BORDERS_PER_SET: f64 = 8.0;

/// Cycles that a border counts at least. Fitted: Queens on Emerald Rapids (one instruction changed short blocks by 1.03 to
/// 1.1 cycles or not at all). Judged: none since.
pub const LEAST_BORDER_CYCLES: f64 = 1.0;

/// Border, in cycles, from which on block times say nothing: longer than most loops. Fitted: set beforehand. Judged: no
/// processor came near it.
pub const MOST_BORDER_CYCLES: f64 = 50.0;

// Shares in the laboratory.

/// Share in truth or profile from which on a method is compared, %; never more than the margin. Fitted: set beforehand.
/// Judged: as [`MARGIN_PT`].
pub const COMPARED_SHARE_PCT: f64 = 5.0;

/// Share from which on a method can be blamed, %. Fitted: set beforehand. Judged: as [`MARGIN_PT`].
pub const BLAMED_SHARE_PCT: f64 = 1.0;

/// Smallest misattribution that is listed, points. Fitted: set beforehand. Judged: as [`MARGIN_PT`].
pub const BLAMED_LEAST_PT: f64 = 1.0;

/// Level at which a method counts as misattributed, over all methods together, 0 to 1. Fitted: set beforehand. Judged:
/// simulated profilers (crates/assess/tests).
pub const BLAMED_LEVEL: f64 = 0.05;

/// Smallest error that an experiment with added time may call wrong, points: a few bytes more move other methods' time as
/// much. Fitted: the suite on Emerald Rapids. Judged: none since.
pub const SINGLE_LEAST_WRONG_PT: f64 = 1.0;

/// Error that such an experiment calls wrong, as a part (0 to 1) of the gain that it predicts; not below
/// [`SINGLE_LEAST_WRONG_PT`], not above the margin. Fitted: set beforehand. Judged: simulated profilers
/// (crates/assess/tests/verdicts.rs).
pub const SINGLE_WRONG_PART: f64 = 0.5;

/// Shift of a share that published comparisons call wrong, points; shown, no verdict rests on it. Fitted: the publication.
pub const PUBLISHED_PT: f64 = 5.0;

/// Part of the blamed points, 0 to 1, that must fit a pattern before it is named as the cause; and how far, as a part of the
/// error, a profiler may be from a profile that explains it. Fitted: set beforehand. Judged: the suite (causes named:
/// docs/studies/assess), simulated profilers (crates/assess/tests/causes.rs).
pub const CAUSE_PART: f64 = 0.5;

/// Largest whole ratio of sampling interval and iteration, either way round, at which samples are taken for meeting the same
/// parts of an iteration; above it an iteration's own scatter moves them on. Fitted: set beforehand. Judged: simulated
/// profilers (crates/assess/tests/causes.rs).
pub const RESONANCE_MOST: f64 = 4.0;

/// How far that ratio may be from the whole number. Fitted: programs with phases sampled at one fixed period, which were seen
/// wrong within 5 % of it (docs/method-time.md, sampling). Judged: as [`RESONANCE_MOST`].
pub const RESONANCE_PHASE: f64 = 0.05;

/// How many times larger the variance of a share from window to window must be than counting samples makes it, and than our
/// own samples of the same windows show it, to be taken for a resonance. Fitted: set beforehand. Judged: as
/// [`RESONANCE_MOST`].
pub const RESONANCE_SCATTER: f64 = 4.0;

/// Fewest unslowed windows from which that variance is known well enough. As [`RESONANCE_SCATTER`].
pub const RESONANCE_LEAST_WINDOWS: usize = 8;

/// Most additional time that is worth a second analysis, as a part of the first one's. Fitted: simulated profilers
/// (crates/assess/tests/analyses.rs). Judged: the suite.
pub const SECOND_LOOK_TIMES: f64 = 2.0;

// Controls.

/// True share, %, that two methods must have for the safepoint control to be applicable. Fitted: set beforehand. Judged:
/// the suite (found wrong on all six).
pub const CONTROL_OWNS_PCT: f64 = 10.0;

/// Misattributions that are planted into a run's own oracle windows. Fitted: set beforehand. Judged: 19 or 20 found on all
/// six programs of the suite (docs/studies/assess).
pub const PLANTED: usize = 20;

/// Methods, the largest first, among which they are planted. As [`PLANTED`].
pub const PLANTED_METHODS: usize = 6;

/// Size of each, part of the profile, 0 to 1. As [`PLANTED`].
pub const PLANTED_MOVED: f64 = 0.05;

/// True share, 0 to 1, from which on a method can lose that much. As [`PLANTED`].
pub const PLANTED_LOSER: f64 = 0.10;

/// Comparisons of the same windows that say as much as an independent one. Fitted: simulated runs of 100 comparisons, whose
/// rates vary 1.2 to 1.8 times as much as binomial ones. Judged: none since.
pub const AA_DEPENDENCE: u64 = 2;

/// Size of the misattributions that are planted into the windows of a profiler under test, in margins. Fitted: set
/// beforehand. Judged: none since.
pub const PLANTED_MARGINS: f64 = 1.5;

/// Fewest windows of either side of an A/A comparison. Fitted: set beforehand. Judged: as [`AA_NOMINAL`].
pub const AA_LEAST_WINDOWS: usize = 3;

/// Lost or nameless samples from which on a reader is told, %. Fitted: set beforehand.
pub const LOSS_WORTH_SAYING_PCT: f64 = 2.0;

// What counts of times on a shared machine.

/// How far the logarithms of times may be from that at the machine's usual speed, beyond what they scatter; pairs of an evaluation
/// that are farther do not count. Fitted: as a width on Havlak on a shared Emerald Rapids machine, around the usual speed and not
/// above the fastest after looking at Queens (crates/divine/src/speed.rs). Judged: simulated neighbours and machines of two speeds
/// (crates/divine/tests/evaluate.rs).
pub const SPEED_NEAR: f64 = 0.03;

/// A speed is the usual one if the machine had it this often, beside the one that it had most often, and none as often was faster.
/// Fitted: simulated neighbours and machines of two speeds, on which it is judged too. As [`SPEED_NEAR`].
pub const SPEED_OFTEN: f64 = 0.5;

/// Neighbours on either side that a window is looked at with. As [`SPEED_NEAR`].
pub const SPEED_AROUND: usize = 2;

/// Pairs of an evaluation at the usual speed below which all of them count. Fitted: set beforehand (from so many on Wilcoxon's
/// interval exists). Judged: as [`SPEED_NEAR`].
pub const SPEED_LEAST_PAIRS: usize = 6;

/// Longest that an iteration may count, in medians of its placement. Fitted: 4,000 equal stretches on a shared machine
/// (crates/experiment/src/divine/winsorized.rs). Judged: simulated neighbours (crates/experiment/tests/whole.rs).
pub const CUT_ITERATION: f64 = 1.2;

/// Longest that a placement may count beyond the typical time of its code at its alignment, in standard deviations of the
/// placements from their typical times. As [`CUT_ITERATION`].
pub const CUT_DEVIATIONS: f64 = 3.0;

/// The same, at least, as a part of that time. As [`CUT_ITERATION`].
pub const CUT_LEAST: f64 = 0.01;

// Plans.

/// A set of blocks within so many points of its target is near it. Fitted: set beforehand. Judged: the suite
/// (docs/evaluation).
pub const NEAR_PT: f64 = 10.0;

/// Sets from which on a mean error with the measuring noise removed is given beside the raw one. Fitted: simulated
/// programs of 24 to 60 sets, where it is biased by less than a point (crates/divine/src/denoise.rs). Judged: none since;
/// programs of the suite have one to five sets, so that nothing is removed.
pub const DENOISED_FROM_SETS: usize = 20;

/// Chance that the lower end of a mean error's interval lies above the true one, 0 to 1. Fitted: simulated sets with known
/// misses (crates/divine/src/figures.rs), so that the truth is inside in 95 to 96 % of all. Judged: the simulated
/// laboratory (crates/divine/tests/coverage.rs).
pub const MEAN_ERROR_LOWER_MISS: f64 = 0.04;

/// Chance that its upper end lies below, 0 to 1. As [`MEAN_ERROR_LOWER_MISS`].
pub const MEAN_ERROR_UPPER_MISS: f64 = 0.03;

/// Miss of the program's total, points, from which on a plan is rejected in its evaluation, and from which on a
/// reader is told. Fitted: set beforehand. Judged: the suite (17 of 18 plans are nearer; docs/studies/divine).
pub const TOTAL_WANTED_PT: f64 = 2.0;

/// Mean miss of the judged sets as measured, points, from which on a reader is told. As [`TOTAL_WANTED_PT`].
pub const SETS_WANTED_PT: f64 = 8.0;

/// Part of the time that a plan adds, 0 to 1, that must fit a process of its own for its total to count. Fitted: set
/// beforehand. Judged: simulated processes (crates/experiment/tests/protocols.rs).
pub const FRESH_LEAST_PART: f64 = 0.5;

/// Share of the program's time, %, that judged sets should hold; below it a reader is told. Fitted: set beforehand. Judged:
/// the suite (97 % and more); JTidy's 63 to 71 % are told (not kept).
pub const JUDGED_WANTED_PCT: f64 = 85.0;

/// Standard error of a block's slowdown, points, above which nothing is said of it but that samples are too few. Fitted: set
/// beforehand. Judged: the suite.
pub const TOO_WIDE_PT: f64 = 15.0;

/// Smallest share, 0 to 1, of a compiled unit whose blocks are judged; smaller ones are pooled. Fitted: set beforehand.
/// Judged: as [`JUDGED_WANTED_PCT`].
pub const UNIT_SHARE: f64 = 0.02;

/// Standard error that the ratio of a judged block may have with the samples of an evaluation, 0 to 1 (0.05 is 5 points);
/// blocks known less well are pooled. Fitted: set beforehand. Judged: the suite.
pub const BLOCK_STANDARD_ERROR: f64 = 0.05;
