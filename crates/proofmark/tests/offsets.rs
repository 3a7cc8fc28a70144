//! Iterations run at many offsets of the stack, so that none of them is measured alone.

use crate::common::{Place, compile, kit, stderr};

/// The kernel tells a thread its stack pointer in /proc/thread-self/syscall.
#[test]
fn iterations_run_at_many_offsets_of_the_stack() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let body = "static int runs; static java.util.TreeSet<Long> seen = new java.util.TreeSet<>();
        static volatile long sink;
        public static void main(String[] a) throws Exception {
            long state = 1;
            for (int i = 0; i < 5_000_000; i++) { state ^= state << 13; state ^= state >>> 7; state ^= state << 17; }
            sink = state;
            String line = java.nio.file.Files.readString(java.nio.file.Path.of(\"/proc/thread-self/syscall\"));
            // The second half only: code that is compiled by then stays, and with it the size of the frames in between.
            if (++runs > 300) { seen.add(Long.decode(line.trim().split(\" \")[7]) % 4096); }
            if (runs == 600) { throw new IllegalStateException(\"places: \" + seen.size() + \".\"); }
        }";
    compile(&kit, place.path(), "StackPointer", body);
    let path = place.path().display().to_string();
    let run = Place::new();
    let output = run
        .divine(&["class:StackPointer", "--class-path", &path])
        .output()
        .unwrap();
    let text = stderr(&output);
    let places = text
        .split_once("places: ")
        .and_then(|(_, rest)| rest.split('.').next()?.parse::<u32>().ok());
    // 300 draws from 64 offsets meet 63.4 of them on average, and fewer than 56 once in a million times.
    assert!(places.is_some_and(|places| places >= 56), "{text}");
}
