//! A known fault of the JIT compiler C2. Where code that it compiles together boxes a number (`Map.get(id)` with an `int`), it notes the
//! method that boxes for machine code of other methods too, so that every profiler charges that one (docs/studies/boxing).

use super::remedy::quoted;
use super::{Again, AttributionRow, JvmFacts};

/// The option of the JVM with which C2 makes all boxes, and does not have the fault.
pub const KEEPS_BOXES: &str = "-XX:-EliminateAutoBox";

/// What C2 does with boxes and with objects that nothing else sees. Where one of these is off, it does not have the fault.
const NEEDED: [&str; 3] = ["EliminateAutoBox", "DoEscapeAnalysis", "AggressiveUnboxing"];
/// In what JVMs that are not HotSpot, and have no C2, say of themselves.
const OTHERS: [&str; 4] = ["OpenJ9", "IBM", "Zing", "zing"];
/// Options with which the JVM has no compiler but C1, or none.
const WITHOUT_C2: [&str; 6] = [
    "-Xint",
    "-XX:TieredStopAtLevel=0",
    "-XX:TieredStopAtLevel=1",
    "-XX:TieredStopAtLevel=2",
    "-XX:TieredStopAtLevel=3",
    "-XX:CompilationMode=quick-only",
];
/// Classes of `java.lang` whose `valueOf` makes a box.
const BOXES: [&str; 8] = [
    "Boolean",
    "Byte",
    "Character",
    "Double",
    "Float",
    "Integer",
    "Long",
    "Short",
];

/// Whether a JVM compiles with C2, and no option keeps the fault out.
pub(super) fn may_have_fault(jvm: &JvmFacts) -> bool {
    let options = &jvm.options;
    has_c2(jvm) && (NEEDED.iter()).all(|flag| switched(options, flag) != Some(false))
}

fn has_c2(jvm: &JvmFacts) -> bool {
    let options = &jvm.options;
    let other = OTHERS.iter();
    let other = other
        .copied()
        .any(|one| jvm.vendor.contains(one) || jvm.version.contains(one));
    let graal = jvm.version.contains("jvmci") || jvm.vendor.contains("GraalVM");
    let asked = ["UseJVMCICompiler", "UseGraalJIT"].map(|flag| switched(options, flag));
    let graal = asked.into_iter().flatten().next().unwrap_or(graal);
    let without = options
        .iter()
        .any(|option| WITHOUT_C2.contains(&option.as_str()));
    !other && !graal && !without
}

/// Whether a flag of the JVM is on or off by these options, of which the last one counts; none where they do not say.
fn switched(options: &[String], flag: &str) -> Option<bool> {
    let says = |option: &String| {
        let switch = option.strip_prefix("-XX:")?;
        let name = switch.get(1..)?;
        (name == flag).then(|| switch.starts_with('+'))
    };
    options.iter().rev().find_map(says)
}

/// Whether a method makes a box of a number, such as `java.lang.Integer.valueOf`.
pub(super) fn makes_box(method: &str) -> bool {
    let class = method.strip_prefix("java.lang.");
    let class = class.and_then(|class| class.strip_suffix(".valueOf"));
    class.is_some_and(|class| BOXES.contains(&class))
}

/// What a cause says of the fault. `made_by`: a method in the same machine code that makes a box, if one is known.
pub(super) fn explained(made_by: Option<&str>) -> String {
    let boxes = match made_by {
        Some(method) => format!("where it boxes numbers, as {method} does here"),
        None => "if it boxes numbers".to_owned(),
    };
    format!(
        " (a known fault of the compiler C2 does this to code that is compiled together, {boxes}: start the JVM with {KEEPS_BOXES}, \
         which was not tried)"
    )
}

/// Whether the cause of a wrong row that counts names the fault.
pub(super) fn is_suspected(row: &AttributionRow) -> bool {
    let cause = row.cause.as_ref();
    row.is_wrong() && cause.is_some_and(|cause| cause.boxing_fault)
}

/// Where C2 has the fault and what to do, without the beginning of the sentence.
pub(super) fn what_to_do() -> String {
    format!(
        "where code that is compiled together boxes numbers, as Map.get(id) does with an int: start the JVM with {KEEPS_BOXES} and ask \
         again about it. That was not tried, and the program may take more time where boxes are then made."
    )
}

/// The command that asks again about a method in a JVM with the option; none where the program has no command of its own.
pub(super) fn ask_again(method: &str, again: &Again) -> Option<String> {
    let command = again.in_jvm_with(KEEPS_BOXES, &format!("--method {}", quoted(method)))?;
    Some(format!(
        "To ask again about {method} with {KEEPS_BOXES}: {command}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jvm(version: &str, vendor: &str, options: &str) -> JvmFacts {
        JvmFacts {
            version: version.into(),
            vendor: vendor.into(),
            options: options.split_whitespace().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn the_fault_is_c2s_and_options_keep_it_out() {
        let hotspot = |options: &str| may_have_fault(&jvm("25.0.3+9-LTS", "Acme", options));
        for may in [
            "",
            "-Xmx1g -XX:+EliminateAutoBox",
            "-XX:-EliminateAutoBox -XX:+EliminateAutoBox",
            "-XX:TieredStopAtLevel=4",
            "-XX:-TieredCompilation",
        ] {
            assert!(hotspot(may), "{may}");
        }
        for not in [
            "-XX:-EliminateAutoBox",
            "-XX:+EliminateAutoBox -XX:-EliminateAutoBox",
            "-XX:-DoEscapeAnalysis",
            "-XX:+UnlockDiagnosticVMOptions -XX:-AggressiveUnboxing",
            "-Xint",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockExperimentalVMOptions -XX:+UseJVMCICompiler",
        ] {
            assert!(!hotspot(not), "{not}");
        }
    }

    #[test]
    fn other_jvms_have_no_c2() {
        let with = |version: &str, vendor: &str, options: &str| {
            may_have_fault(&jvm(version, vendor, options))
        };
        assert!(!with("17.0.9+9", "Eclipse OpenJ9", ""));
        assert!(!with("17.0.9+9-jvmci-23.0-b22", "GraalVM Community", ""));
        assert!(!with(
            "21.0.2+13-LTS-jvmci-23.1-b30",
            "Oracle Corporation",
            ""
        ));
        let c2 = "-XX:-UseJVMCICompiler";
        assert!(with("17.0.9+9-jvmci-23.0-b22", "GraalVM Community", c2));
    }

    #[test]
    fn boxes_are_made_by_value_of() {
        assert!(makes_box("java.lang.Integer.valueOf"));
        assert!(makes_box("java.lang.Character.valueOf"));
        for other in [
            "java.lang.String.valueOf",
            "java.lang.Integer.intValue",
            "shop.Integer.valueOf",
        ] {
            assert!(!makes_box(other), "{other}");
        }
    }

    #[test]
    fn who_gives_no_command_is_given_none() {
        let method = "shop.A$B.get";
        assert_eq!(ask_again(method, &Again::default()), None);
        let again = Again {
            command: "-- java -jar shop.jar".into(),
            ..Again::default()
        };
        assert_eq!(
            ask_again(method, &again).as_deref(),
            Some(
                "To ask again about shop.A$B.get with -XX:-EliminateAutoBox: `proofmark dose --method 'shop.A$B.get' -- java \
                 -XX:-EliminateAutoBox -jar shop.jar`."
            )
        );
    }
}
