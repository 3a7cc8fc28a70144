//! Whose a class is, by the name of its package: the only list of the JDK's packages. Names may have dots or slashes,
//! and a method may follow.

/// Packages of the JDK and of its compiler with all below them. A program may bring classes of `javax` and `org.graalvm`
/// itself; where the JDK's own image can be asked, that decides.
const PLATFORM: [&str; 6] = ["java", "javax", "jdk", "sun", "com.sun", "org.graalvm"];
/// Packages where the JDK generates classes at run time, which are in no image: accessors of reflection, lambdas.
const GENERATED: [&str; 3] = ["java", "jdk.internal", "sun"];
/// What Proofmark has in the JVM of a laboratory.
const HARNESS: [&str; 2] = ["proofmark.harness", "proofmark.graal"];

/// Whether the name belongs to the JDK or its compiler.
#[must_use]
pub fn of_the_platform(name: &str) -> bool {
    PLATFORM.iter().any(|package| is_in(name, package))
}

/// Whether the name is in a package where the JDK generates classes at run time.
#[must_use]
pub fn of_generated_code(name: &str) -> bool {
    GENERATED.iter().any(|package| is_in(name, package))
}

/// Whether the name belongs to Proofmark's harness or plug-in.
#[must_use]
pub fn of_the_harness(name: &str) -> bool {
    HARNESS.iter().any(|package| is_in(name, package))
}

/// Whether the name belongs to the program: neither to the platform nor to the harness.
#[must_use]
pub fn of_the_program(name: &str) -> bool {
    !of_the_platform(name) && !of_the_harness(name)
}

/// Whether the name begins with the package and goes on below it.
fn is_in(name: &str, package: &str) -> bool {
    let mut letters = name.chars();
    let mut dotted = letters.by_ref().map(|c| if c == '/' { '.' } else { c });
    package.chars().all(|c| dotted.next() == Some(c)) && dotted.next() == Some('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_owners_in_both_spellings() {
        for name in [
            "java.lang.String",
            "java/lang/String",
            "javax.swing.JFrame.<init>()V",
            "jdk.internal.misc.Unsafe",
            "sun/nio/ch/IOUtil",
            "com.sun.proxy.$Proxy7",
            "org.graalvm.collections.EconomicMap",
        ] {
            assert!(of_the_platform(name) && !of_the_program(name), "{name}");
        }
        for name in [
            "com.acme.Main",
            "javafx.scene.Node",
            "Main",
            "java",
            "sunny/A",
            "com.sunny.A",
            "",
            "jdk",
        ] {
            assert!(!of_the_platform(name) && of_the_program(name), "{name}");
        }
        assert!(
            of_the_harness("proofmark.graal.Names") && !of_the_program("proofmark/harness/Main")
        );
        assert!(of_the_program("proofmark.suite.Queens"));
    }

    #[test]
    fn generated_classes_are_the_platforms() {
        assert!(of_generated_code(
            "jdk/internal/reflect/GeneratedMethodAccessor1"
        ));
        // The program's own proxies are there, and the program's loader defines them.
        assert!(!of_generated_code("jdk/proxy1/$Proxy0"));
        let within = |package: &&str| of_the_platform(&format!("{package}.A"));
        assert!(GENERATED.iter().all(within));
    }

    /// The plug-in decides the same while it compiles, where it cannot ask us.
    #[test]
    fn the_plug_in_knows_the_same_packages() {
        let source = include_str!("../../../java/graal-plugin/src/proofmark/graal/Callers.java");
        let known: Vec<String> = PLATFORM
            .iter()
            .map(|package| format!("\"{package}.\""))
            .collect();
        assert!(
            source.contains(&format!("List.of({}, ", known.join(", "))),
            "{known:?}"
        );
    }
}
