//! Types of events of a user's own, written in Java against Graal.

use std::path::Path;

use proofmark_jvm::toolchain::Kit;
use proofmark_test_support::quick_tool;

use super::succeeds;

/// Two event types of a user: one that is recognised where it costs nothing, and one that marks every fixed node before
/// anything is optimised, so that loops look larger than they are when it is decided whether to unroll them.
const OWN_TYPES: &str = "
import jdk.graal.compiler.graph.Node;
import proofmark.graal.events.UserEvent;
public class OwnTypes {
    public static class Returns implements UserEvent {
        public String name() { return \"return\"; }
        public boolean matches(Node node) { return node instanceof jdk.graal.compiler.nodes.ReturnNode; }
        public String when() { return \"end\"; }
    }
    public static class EarlyNodes implements UserEvent {
        public String name() { return \"early-node\"; }
        public boolean matches(Node node) { return node instanceof jdk.graal.compiler.nodes.FixedNode; }
        public String when() { return \"high:before:InliningPhase\"; }
    }
}";

/// Compiles them into a class path: `return` and `early-node`; and with them these classes, names and sources.
pub fn own_types(kit: &Kit, classes: &Path, more: &[(&str, &str)]) {
    std::fs::create_dir_all(classes.join("META-INF/services")).unwrap();
    let all = [&[("OwnTypes", OWN_TYPES)][..], more].concat();
    javac(kit, classes, &all);
    let services = classes.join("META-INF/services/proofmark.graal.events.UserEvent");
    std::fs::write(services, "OwnTypes$Returns\nOwnTypes$EarlyNodes\n").unwrap();
}

/// Compiles classes that may use what such types use.
fn javac(kit: &Kit, into: &Path, classes: &[(&str, &str)]) {
    let files = classes.iter().map(|(class, source)| {
        let file = into.join(format!("{class}.java"));
        std::fs::write(&file, source).unwrap();
        file
    });
    let open = |package: &str| {
        format!("--add-exports=jdk.graal.compiler/jdk.graal.compiler.{package}=ALL-UNNAMED")
    };
    succeeds(
        quick_tool(&kit.jdk.home, "javac")
            .args(["-proc:none", "--add-modules", "jdk.graal.compiler"])
            .arg("--upgrade-module-path")
            .arg(&kit.graal_dir)
            .args([open("graph"), open("nodes")])
            .arg("-cp")
            .arg(&kit.plugin_jar)
            .arg("-d")
            .arg(into)
            .args(files),
    );
}
