//! When the harness takes compilers for resting: by looks at their time that a small program makes up, so that no clock decides.

use std::path::Path;
use std::process::Command;

use proofmark_test_support::{jdks_with, quick_tool};

/// Says when compilers begin to rest and when they work again, ms, and since when they had rested.
const LOOKS: &str = r#"
package proofmark.harness;

import java.util.function.LongUnaryOperator;

final class Looks {
    public static void main(String[] args) {
        say("never", 0, 10, ms -> 0);
        say("a-little", 0.03, 10, ms -> (ms + 80) / 100 * 2);
        say("too-much", 0.03, 10, ms -> (ms + 80) / 100 * 10);
        say("once", 0, 10, ms -> ms < 1000 ? 0 : 50);
        say("long-iterations", 0, 1000, ms -> ms < 2000 ? 0 : 50);
    }

    private static void say(String name, double trickle, long step, LongUnaryOperator compiled) {
        Rest rest = new Rest(0, 0, trickle);
        boolean before = false;
        for (long ms = step; ms <= 4000; ms += step) {
            boolean now = rest.at(ms * 1_000_000, compiled.applyAsLong(ms));
            if (now != before) {
                System.out.println(name + (now ? " rest " + ms + " since " + rest.since() / 1_000_000 : " work " + ms));
            }
            before = now;
        }
    }
}
"#;

/// Twenty ms a second are 2 %: each burst is more than 3 % of the moment since the last one, but not of the stretch.
const EXPECTED: &str = "never rest 400 since 0
a-little rest 400 since 0
once rest 400 since 0
once work 1000
once rest 1400 since 1000
long-iterations rest 1000 since 0
long-iterations work 2000
long-iterations rest 3000 since 2000
";

#[test]
fn compilers_rest_while_they_work_for_a_small_part_of_a_stretch() {
    let rest = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../java/harness/src/proofmark/harness/Rest.java");
    for jdk in jdks_with(&["java", "javac"]) {
        let place = tempfile::tempdir().unwrap();
        let looks = place.path().join("Looks.java");
        std::fs::write(&looks, LOOKS).unwrap();
        let mut javac = quick_tool(&jdk, "javac");
        let compiled = javac.arg("-d").arg(place.path()).args([&rest, &looks]);
        assert!(compiled.status().unwrap().success());
        let mut java = Command::new(jdk.join("bin/java"));
        let said = java.arg("-cp").arg(place.path());
        let said = said.arg("proofmark.harness.Looks").output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        assert_eq!(said, EXPECTED, "{}", jdk.display());
    }
}
