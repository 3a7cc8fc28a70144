//! Names of units that another JVM must find again, and what their calls have seen.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::{compile, kit};
use proofmark_jvm::{HarnessClient, Launch, Start, Workload};

/// Two lambdas that are units of their own, because nothing is inlined that is called `step`; each call has seen one of them.
const PROGRAM: &str = "
    interface Step { long step(long s); }
    static long apply(Step one, Step other, long s) { for (int i = 0; i < 600_000; i++) { s = one.step(s); s = other.step(s); } return s; }
    public static void main(String[] a) {
        System.out.println(apply(s -> { s ^= s << 13; s ^= s >>> 7; return s ^ s << 17; }, s -> { s ^= s << 5; s ^= s >>> 9; return s ^ s << 7; }, 1));
    }";

/// The JVM names the class of a lambda after its address, which is another one in every run: a plan or an interrupted search would
/// not find the unit again. Nor would a call that has seen the lambda be compiled as before, if what it has seen were not found.
#[test]
fn lambdas_and_what_calls_have_seen_of_them_are_found_in_the_next_jvm() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    compile(&kit, place.path(), "Lambdas", PROGRAM);
    let mut workload = Workload::parse("class:Lambdas", vec![place.path().into()]).unwrap();
    workload.jvm_options = vec!["-XX:CompileCommand=dontinline,*::step".into()];
    let profiles = place.path().join("profiles");
    std::fs::create_dir(&profiles).unwrap();
    let launch = Launch {
        heap_mb: 256,
        ..Launch::default()
    };
    // Names of the lambdas, and what the JVM said. Its units are taken under control as a laboratory takes those that it has found hot;
    // what a laboratory does behind that is nothing to them.
    let of_a_jvm = |log: &str| -> (BTreeSet<String>, String) {
        let log = place.path().join(log);
        let start = Start {
            workload: &workload,
            launch: &launch,
            laboratory: true,
            log: &log,
            iteration_limit: Duration::from_secs(600),
            interrupted: Default::default(),
        };
        let mut client = HarnessClient::start(&kit, start).unwrap();
        client.warm_up((1.0, 60.0), None).unwrap();
        // A unit compiled for on-stack replacement counts as its method.
        let units = client.map().units().iter();
        let methods = units.map(|unit| unit.name.split('@').next().unwrap_or_default());
        let own: BTreeSet<&str> = methods.filter(|name| name.starts_with("Lambdas")).collect();
        let own: Vec<String> = own.into_iter().map(str::to_owned).collect();
        let taken = client.control(&own, Some(&profiles)).unwrap();
        let units = client.map().units();
        let names = (taken.controlled.iter()).map(|(unit, _)| units[*unit as usize].name.clone());
        let lambdas = names.filter(|name| name.starts_with("Lambdas$$Lambda"));
        let lambdas = lambdas.collect();
        client.stop();
        (lambdas, std::fs::read_to_string(log).unwrap())
    };
    let (first, _) = of_a_jvm("first.log");
    assert_eq!(first.len(), 2, "{first:?}");
    let kept = std::fs::read_dir(&profiles).unwrap();
    let kept = kept.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let lambdas = kept.filter(|profile| profile.contains("$$Lambda"));
    assert!(lambdas.count() > 0, "the call has seen a lambda");
    let (second, said) = of_a_jvm("second.log");
    assert_eq!(first, second);
    assert!(!said.contains("Unable to load"), "{said}");
}
