//! Names of units that another JVM must find again.

use std::collections::BTreeSet;

use crate::common::{compile, kit, lab_settings};
use proofmark_jvm::{LabSettings, WarmJvm, Workload};

/// Two lambdas that are units of their own, because `apply` cannot know what it calls.
const PROGRAM: &str = "
    interface Step { long step(long s); }
    static long apply(Step[] steps, long s) { for (int i = 0; i < 1_200_000; i++) s = steps[i & 1].step(s); return s; }
    public static void main(String[] a) {
        Step[] steps = {s -> { s ^= s << 13; s ^= s >>> 7; return s ^ s << 17; }, s -> { s ^= s << 5; s ^= s >>> 9; return s ^ s << 7; }};
        System.out.println(apply(steps, 1));
    }";

/// The JVM names the class of a lambda after its address, which is another one in every run: a plan or an
/// interrupted search would not find the unit again.
#[test]
fn lambdas_have_the_same_name_in_every_jvm() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    compile(&kit, place.path(), "Lambdas", PROGRAM);
    let mut workload = Workload::parse("class:Lambdas", vec![place.path().into()]).unwrap();
    // Without type profiles nothing is inlined into `apply`.
    workload.jvm_options = vec!["-XX:TypeProfileWidth=0".into()];
    let names = || -> BTreeSet<String> {
        let settings = lab_settings(place.path().join("log"));
        let jvm = WarmJvm::prepare(&kit, &workload, settings).unwrap();
        let lambdas = jvm.units().map(|(_, name)| name.to_owned());
        let lambdas = lambdas
            .filter(|name| name.starts_with("Lambdas$$Lambda"))
            .collect();
        jvm.stop();
        lambdas
    };
    let first = names();
    assert_eq!(first.len(), 2, "{first:?}");
    assert_eq!(first, names());
}

/// A lambda that is inlined where it is called, because nothing else was ever seen there.
const SEEN: &str = "
    interface Step { long step(long s); }
    static long apply(Step step, long s) { for (int i = 0; i < 1_200_000; i++) s = step.step(s); return s; }
    public static void main(String[] a) {
        System.out.println(apply(s -> { s ^= s << 13; s ^= s >>> 7; return s ^ s << 17; }, 1));
    }";

/// What a call has seen of a lambda is found in a JVM in which its class has another address: else that one compiles the call
/// differently, and an interrupted search begins anew.
#[test]
fn profiles_of_lambdas_are_found_in_the_next_jvm() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    compile(&kit, place.path(), "Seen", SEEN);
    let workload = Workload::parse("class:Seen", vec![place.path().into()]).unwrap();
    let profiles = place.path().join("profiles");
    std::fs::create_dir(&profiles).unwrap();
    let said = |log: &str| -> String {
        let log = place.path().join(log);
        let settings = LabSettings {
            profiles: Some(profiles.clone()),
            ..lab_settings(log.clone())
        };
        WarmJvm::prepare(&kit, &workload, settings).unwrap().stop();
        std::fs::read_to_string(log).unwrap()
    };
    said("first.log");
    let kept = std::fs::read_dir(&profiles).unwrap();
    let kept = kept.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let lambdas = kept.filter(|profile| profile.contains("$$Lambda"));
    assert!(lambdas.count() > 0, "the call has seen a lambda");
    let second = said("second.log");
    assert!(!second.contains("Unable to load"), "{second}");
}
