//! A method that calls a hot unit and is compiled late, with the unit inlined.

use crate::common::{kit, lab_settings};
use proofmark_experiment::lab::WindowSpec;
use proofmark_jvm::{WarmJvm, Workload};

/// After some thousand iterations the VM compiles what calls the workload, although it is not hot, and
/// inlines the hot unit: without a word our code of it would no longer be run. Here some hundred
/// iterations will do.
#[test]
fn callers_do_not_run_copies_of_hot_units() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let mut workload = Workload::parse("suite:Sieve", Vec::new()).unwrap();
    // The harness calls the workload by reflection.
    let callers = [
        "java.lang.reflect",
        "jdk.internal.reflect",
        "java.lang.invoke",
    ];
    workload.jvm_options = callers
        .map(|package| format!("-XX:CompileCommand=CompileThresholdScaling,{package}.*::*,0.1"))
        .to_vec();
    let mut jvm =
        WarmJvm::prepare(&kit, &workload, lab_settings(place.path().join("log"))).unwrap();
    let spec = |iterations, rate_hz| WindowSpec {
        label: "late",
        seconds: 0.0,
        iterations,
        rate_hz,
    };
    let variants = [jvm.baseline()];
    let before = jvm.warm().controlled_share;
    jvm.window(&spec(600, None), &variants, &[0], &mut ())
        .unwrap();
    let measured = jvm
        .window(&spec(40, Some(4000.0)), &variants, &[0], &mut ())
        .unwrap();
    let times = &measured.groups[0].times;
    let after: f64 = jvm
        .units()
        .filter_map(|(unit, _)| times.units.get(&unit))
        .map(|weight| weight.share_of(&times.total).value)
        .sum();
    assert!(before > 0.9 && after > 0.9, "{before} -> {after}");
    jvm.stop();
}
