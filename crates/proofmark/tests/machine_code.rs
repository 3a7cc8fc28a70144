//! The map, the counts and the insertions against the machine code of a running JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::common::{compile, kit, lab_settings};
use proofmark_blocks::Location;
use proofmark_experiment::lab::{Filler, Insertion, UnitTable, Variant, WindowSpec, abba};
use proofmark_experiment::tables::{NamedTable, resolve};
use proofmark_jvm::{HarnessClient, Launch, Start, WarmJvm, WindowOrder, Workload};

/// Moves of the tower of 13 disks, times the runs of an iteration.
const MOVES: f64 = 8191.0 * 400.0;
const MOVE: &str = "moveTopDisk";
const HOW: Insertion = Insertion::plan(Filler::Mov);

/// One JVM for all checks: getting it ready takes longer than they do.
#[test]
fn the_laboratory_does_what_it_says() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let mut workload = Workload::parse("suite:Towers", Vec::new()).unwrap();
    // A unit of its own, so that the number of its executions is the number of moves.
    workload.jvm_options = vec![
        "-XX:CompileCommand=dontinline,proofmark.suite.Towers$Board::moveTopDisk".into(),
        "-XX:+PrintCompilation".into(),
    ];
    let log = place.path().join("log");
    let mut jvm = WarmJvm::prepare(&kit, &workload, lab_settings(log.clone())).unwrap();
    let unit = jvm
        .units()
        .find(|(_, name)| name.contains(MOVE))
        .map(|(unit, _)| unit)
        .expect("moveTopDisk is hot");
    counts_are_exact(&jvm, unit);
    the_compiler_says_what_it_believes_of_blocks(&jvm, unit);
    markers_lie_where_the_map_says(&mut jvm, unit);
    insertions_have_their_size(&mut jvm, unit);
    installing_again_gives_other_addresses(&mut jvm, unit);
    padding_moves_code_in_its_cache_line(&mut jvm, unit);
    units_stay_compilable_however_often_they_are_installed(&mut jvm, &log);
    many_instructions_slow_the_program(&mut jvm);
    a_plan_for_other_code_is_refused(&jvm, unit);
    jvm.stop();
}

fn counts_are_exact(jvm: &WarmJvm, unit: u32) {
    let described = &jvm.client().map().units()[unit as usize];
    let counts: Vec<f64> = jvm
        .executions()
        .iter()
        .filter(|(key, _)| key.unit == unit)
        .map(|(_, n)| *n)
        .collect();
    let body = counts.iter().filter(|n| **n == MOVES).count();
    assert!(
        body >= 1 && counts.iter().all(|n| *n <= MOVES),
        "{}: {counts:?}",
        described.name
    );
}

/// The table of one unit with the same number of instructions in every executed block.
fn table(jvm: &WarmJvm, unit: u32, count: u32, markers: bool) -> UnitTable {
    let executed = jvm
        .executions()
        .iter()
        .filter(|(key, n)| key.unit == unit && **n > 0.0);
    let counts = executed.map(|(key, _)| (key.block, count)).collect();
    UnitTable {
        unit,
        markers,
        ..UnitTable::new(unit, HOW, counts)
    }
}

/// Compiles and installs one unit; its code's id.
fn install(jvm: &mut WarmJvm, table: &UnitTable) -> u32 {
    let code = jvm
        .client_mut()
        .compile(std::slice::from_ref(table))
        .unwrap()[0];
    install_again(jvm, code);
    code
}

fn install_again(jvm: &mut WarmJvm, code: u32) {
    let order = WindowOrder {
        label: "test",
        seconds: 0.0,
        iterations: 1,
        discard: 0,
        groups: &[vec![code]],
    };
    let window = jvm.client_mut().window(&order, &mut || Ok(())).unwrap();
    assert_eq!(window.invalid, Vec::<String>::new());
}

/// Bytes of a code with what the map says about each, per address; every place where it is installed.
fn bytes_of(jvm: &WarmJvm, code: u32) -> BTreeMap<u64, (Location, u8)> {
    let pid = jvm.client().hello().pid;
    let memory = std::fs::File::open(format!("/proc/{pid}/mem")).unwrap();
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let now = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
    let located = |ip: u64| {
        jvm.client()
            .map()
            .locate(ip, now)
            .filter(|at| at.code == code)
    };
    let mut bytes = BTreeMap::new();
    for region in maps.lines().filter(|line| line.contains(" rwxp ")) {
        let (start, end) = region
            .split_whitespace()
            .next()
            .unwrap()
            .split_once('-')
            .unwrap();
        let (start, end) = (
            u64::from_str_radix(start, 16).unwrap(),
            u64::from_str_radix(end, 16).unwrap(),
        );
        // Code is longer than 16 bytes: a coarse look finds it.
        for near in (start..end).step_by(16).filter(|ip| located(*ip).is_some()) {
            for ip in near.saturating_sub(15).max(start)..(near + 16).min(end) {
                if let Some(at) = located(ip) {
                    let mut byte = [0];
                    memory.read_exact_at(&mut byte, ip).unwrap();
                    bytes.insert(ip, (at, byte[0]));
                }
            }
        }
    }
    assert!(!bytes.is_empty(), "code {code} is not in the code cache");
    bytes
}

/// The block id of the marker at an address.
fn marker(bytes: &BTreeMap<u64, (Location, u8)>, at: u64) -> Option<u32> {
    let eight: Vec<u8> = (at..at + 8)
        .map_while(|ip| bytes.get(&ip).map(|(_, byte)| *byte))
        .collect();
    let tagged =
        eight.len() == 8 && eight[..4] == [0x0F, 0x1F, 0x84, 0x00] && eight[6..] == [0x4D, 0x50];
    tagged.then(|| u32::from(eight[4]) | u32::from(eight[5]) << 8)
}

/// Both ways: every block's first byte is its marker's, and no marker lies anywhere else.
/// Its own estimates of cycles come with the description of the unit.
fn the_compiler_says_what_it_believes_of_blocks(jvm: &WarmJvm, unit: u32) {
    let described = &jvm.client().map().units()[unit as usize];
    let cycles: Option<Vec<u32>> = described.blocks.iter().map(|block| block.cycles).collect();
    let cycles = cycles.expect("an estimate for every block");
    assert!(cycles.iter().sum::<u32>() > 10, "{cycles:?}");
}

fn markers_lie_where_the_map_says(jvm: &mut WarmJvm, unit: u32) {
    let code = install(jvm, &table(jvm, unit, 0, true));
    let bytes = bytes_of(jvm, code);
    let mut seen = BTreeSet::new();
    for (ip, (at, _)) in &bytes {
        let expected = if at.at_block_start { at.block } else { None };
        assert_eq!(marker(&bytes, *ip), expected, "at {ip:#x}: {at:?}");
        seen.extend(expected);
    }
    let described: BTreeSet<u32> = jvm.client().map().units()[unit as usize]
        .blocks
        .iter()
        .map(|block| block.id)
        .collect();
    assert!(
        seen.len() > 1 && seen.is_subset(&described),
        "{seen:?} of {described:?}"
    );
    let executed = jvm
        .executions()
        .iter()
        .filter(|(key, n)| key.unit == unit && **n > 0.0);
    assert!(
        executed
            .into_iter()
            .all(|(key, _)| seen.contains(&key.block))
    );
}

/// Every slowdown instruction, and the fewest and the most bytes that it has, by its registers.
const FILLERS: [(Filler, [usize; 2]); 8] = [
    (Filler::Mov, [3, 3]),
    (Filler::Nop, [2, 2]),
    (Filler::Nop9, [9, 9]),
    (Filler::Lea, [3, 5]),
    (Filler::PushPop, [2, 4]),
    (Filler::Sfence, [3, 3]),
    (Filler::Pause, [2, 2]),
    (Filler::Long, [18, 30]),
];

/// The program checks its own result: every one of them leaves it as it is.
fn insertions_have_their_size(jvm: &mut WarmJvm, unit: u32) {
    const EACH: u32 = 7;
    let plain = install(jvm, &table(jvm, unit, 0, false));
    let plain = bytes_of(jvm, plain);
    assert!(plain.values().all(|(at, _)| !at.inserted));
    for (filler, [fewest, most]) in FILLERS {
        let slowed_table = UnitTable {
            insertion: Insertion::plan(filler),
            ..table(jvm, unit, EACH, false)
        };
        let slowed = install(jvm, &slowed_table);
        let slowed = bytes_of(jvm, slowed);
        let inserted = slowed.values().filter(|(at, _)| at.inserted).count();
        let each = EACH as usize * slowed_table.counts.len();
        assert!(
            (fewest * each..=most * each).contains(&inserted),
            "{filler:?}: {inserted} bytes of {each}"
        );
        has_grown(&plain, &slowed, inserted);
    }
}

type Bytes = BTreeMap<u64, (Location, u8)>;

fn has_grown(plain: &Bytes, slowed: &Bytes, inserted: usize) {
    assert!(
        slowed.len() >= plain.len() + inserted,
        "{} and {}",
        plain.len(),
        slowed.len()
    );
}

/// Beginnings of stretches of addresses.
fn places(bytes: &BTreeMap<u64, (Location, u8)>) -> usize {
    bytes.values().filter(|(at, _)| at.offset == 0).count()
}

fn installing_again_gives_other_addresses(jvm: &mut WarmJvm, unit: u32) {
    let code = install(jvm, &table(jvm, unit, 3, false));
    assert_eq!(places(&bytes_of(jvm, code)), 1);
    install_again(jvm, code);
    assert_eq!(places(&bytes_of(jvm, code)), 2);
}

fn padding_moves_code_in_its_cache_line(jvm: &mut WarmJvm, unit: u32) {
    let mut begin = |padding| {
        let table = UnitTable {
            padding,
            ..table(jvm, unit, 3, false)
        };
        let code = install(jvm, &table);
        let bytes = bytes_of(jvm, code);
        let mut of_blocks = bytes.iter().filter(|(_, (at, _))| at.block.is_some());
        let first = of_blocks.next().expect("a block").0 % 64;
        (first, of_blocks.count())
    };
    let (plain, length) = begin(0);
    for padding in [16, 32, 48, 4096 + 16] {
        assert_eq!(begin(padding), ((plain + u64::from(padding)) % 64, length));
    }
}

/// HotSpot counts an installation as a decompilation, and after 400 of them it would call a method not
/// compilable: Graal would no longer inline it, and units that it was inlined into would change.
fn units_stay_compilable_however_often_they_are_installed(jvm: &mut WarmJvm, log: &Path) {
    // Five times before each iteration: iterations are what takes the time.
    let codes = jvm.baseline().aligned[0].repeat(5);
    let order = WindowOrder {
        label: "test",
        seconds: 0.0,
        iterations: 1,
        discard: 0,
        groups: &vec![codes; 82],
    };
    jvm.client_mut().window(&order, &mut || Ok(())).unwrap();
    let said = std::fs::read_to_string(log).unwrap();
    let replaced = said.matches("JVMCI replaced with new code").count();
    assert!(
        replaced > 400,
        "the JVM's log tells {replaced} replacements"
    );
    assert!(!said.contains("made not compilable"), "{said}");
}

fn many_instructions_slow_the_program(jvm: &mut WarmJvm) {
    let units: Vec<u32> = jvm.units().map(|(unit, _)| unit).collect();
    let tables: Vec<UnitTable> = units
        .iter()
        .map(|unit| table(jvm, *unit, 100, false))
        .collect();
    let variants: [Variant; 2] = [jvm.baseline(), jvm.variant(&tables).unwrap()];
    let spec = WindowSpec {
        label: "slowed",
        seconds: 0.1,
        iterations: 3,
        rate_hz: None,
    };
    let measured = jvm.window(&spec, &variants, &abba(2), &mut ()).unwrap();
    let fastest = |side| {
        let times = measured
            .of_variant(side)
            .flat_map(|group| &group.iterations)
            .map(|(_, _, cpu)| *cpu);
        times.min().expect("iterations") as f64
    };
    assert!(
        fastest(1) > 1.5 * fastest(0),
        "{} and {}",
        fastest(0),
        fastest(1)
    );
}

fn a_plan_for_other_code_is_refused(jvm: &WarmJvm, unit: u32) {
    let map = jvm.client().map();
    let units: Vec<u32> = jvm.units().map(|(unit, _)| unit).collect();
    let code = (map, &units[..]);
    let here = map.units()[unit as usize].clone();
    let counts = BTreeMap::from([(here.blocks[0].id, 1)]);
    let good = NamedTable {
        unit: here.name.clone(),
        signature: here.signature.clone(),
        counts: counts.clone(),
    };
    assert_eq!(resolve(code, &[good], HOW, &[]).tables.len(), 1);
    let mut original = here.clone();
    original.signature = "other".into();
    original.blocks[0].operations.push("AMD64BinaryRM".into());
    let other = NamedTable {
        unit: here.name.clone(),
        signature: "other".into(),
        counts,
    };
    let refused = resolve(code, &[other], HOW, &[original]);
    assert!(refused.tables.is_empty());
    let text = refused.refused.join(";");
    assert!(
        text.contains(&here.name) && text.contains("operations expected"),
        "{text}"
    );
}

/// A program that ends itself after each run, and one that keeps the stream it found at first.
#[test]
fn a_program_that_exits_can_be_repeated() {
    let Some(kit) = kit() else { return };
    let place = tempfile::tempdir().unwrap();
    let body = "static final java.io.PrintStream OUT = System.out; static { OUT.println(1); } \
                public static void main(String[] a) { OUT.println(2); Runtime.getRuntime().exit(0); throw new IllegalStateException(); }";
    compile(&kit, place.path(), "Ends", body);
    let workload = Workload::parse("class:Ends", vec![place.path().to_owned()]).unwrap();
    let launch = Launch {
        heap_mb: 64,
        ..Launch::default()
    };
    let log = place.path().join("log");
    let start = Start {
        workload: &workload,
        launch: &launch,
        laboratory: true,
        log: &log,
        iteration_limit: std::time::Duration::from_secs(600),
        interrupted: Default::default(),
    };
    let mut client = HarnessClient::start(&kit, start).unwrap();
    let order = WindowOrder {
        label: "test",
        seconds: 0.0,
        iterations: 5,
        discard: 0,
        groups: &[Vec::new()],
    };
    let window = client.window(&order, &mut || Ok(())).unwrap();
    assert_eq!(window.groups[0].iterations.len(), 5);
    client.stop();
}
