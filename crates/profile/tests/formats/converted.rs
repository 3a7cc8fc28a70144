//! What other tools say of the same file.

use super::*;

/// `flat flat% sum% cum cum% name` lines of `go tool pprof -top`; overloads are one there.
fn go_top(name: &str) -> BTreeMap<String, f64> {
    let text = String::from_utf8(fixture(name)).expect("text");
    let mut weights = BTreeMap::new();
    for row in text
        .lines()
        .skip_while(|line| !line.contains("flat%"))
        .skip(1)
    {
        let flat: f64 = row
            .split_whitespace()
            .next()
            .and_then(|w| w.parse().ok())
            .expect(row);
        let name = row[row.rfind('%').expect(row) + 1..]
            .trim()
            .trim_end_matches(" (inline)");
        let java =
            MethodId::parse(name).filter(|_| !name.contains("::") && !name.contains(".part"));
        let id = java.map_or_else(|| MethodId::symbol(name), |m| m.without_descriptor());
        if flat > 0.0 {
            *weights.entry(id.to_string()).or_default() += flat;
        }
    }
    weights
}

#[test]
fn pprof_of_async_profiler_as_go_reads_it() {
    let profile = read("async.pprof.gz", Format::Pprof);
    assert_eq!(profile.unit, Unit::Samples);
    let kinds: Vec<FrameKind> = profile.frames.iter().map(|f| f.kind).collect();
    assert!(
        kinds.contains(&FrameKind::Unknown) && !kinds.contains(&FrameKind::Jit),
        "pprof does not tell"
    );
    assert_eq!(by_name(&all(&profile)), go_top("async.pprof.expected.txt"));
}

/// async-profiler's own converter against our reader, on the same recording.
#[test]
fn the_recording_and_its_conversions_agree() {
    let recording = import(&fixture("async.jfr.gz"), &Options::default()).expect("sound");
    let collapsed =
        import(&fixture("async-from-jfr.collapsed.gz"), &Options::default()).expect("sound");
    let pprof = import(&fixture("async.pprof.gz"), &Options::default()).expect("sound");
    let expected = by_name(&all(&recording));
    assert_eq!(by_name(&all(&collapsed)), expected);
    assert_eq!(by_name(&all(&pprof)), expected);
    assert_eq!(
        all(&pprof).methods,
        all(&collapsed).methods,
        "whole stacks, not only leaves"
    );
    let id = collapsed
        .threads
        .iter()
        .find_map(|t| t.os_id)
        .expect("an id");
    let thread = Filter {
        thread: ThreadFilter::OsId(id),
        ..Filter::default()
    };
    for converted in [&collapsed, &pprof] {
        assert_eq!(
            by_name(&converted.by_method(&thread)),
            by_name(&recording.by_method(&thread))
        );
    }
}

#[test]
fn callgrind_as_its_own_tool_sums_it() {
    let profile = read("callgrind.out.gz", Format::Callgrind);
    assert_eq!(
        (
            profile.unit,
            profile.tool.as_str(),
            profile.events[0].name.as_str()
        ),
        (Unit::Count, "callgrind", "Ir")
    );
    let shares = all(&profile);
    let text = String::from_utf8(fixture("callgrind.expected.txt")).expect("text");
    let total = text
        .lines()
        .find(|l| l.contains("PROGRAM TOTALS"))
        .and_then(|l| l.split_whitespace().next());
    let total: f64 = total
        .expect("totals")
        .replace(',', "")
        .parse()
        .expect("a number");
    assert_eq!(shares.weight(), total);
    let mut expected: BTreeMap<String, f64> = BTreeMap::new();
    for line in text
        .lines()
        .filter(|l| l.contains("%)") && l.contains(':') && !l.contains("TOTALS"))
    {
        let (cost, rest) = line.trim().split_once(" (").expect(line);
        let function = rest
            .split_once("%)")
            .expect(line)
            .1
            .trim()
            .split(" [")
            .next()
            .expect(line);
        let name = function.rsplit_once(':').expect(line).1.to_owned();
        *expected.entry(name).or_default() += cost.replace(',', "").parse::<f64>().expect(line);
    }
    assert!(expected.len() > 10);
    for hot in [
        "mix",
        "count",
        "outer",
        "_dl_relocate_object",
        "do_lookup_x",
    ] {
        let known = expected
            .iter()
            .filter(|(name, _)| name.split('\'').next() == Some(hot))
            .map(|(_, w)| w);
        let ours = shares
            .not_java
            .iter()
            .filter(|(name, _)| name.split('\'').next() == Some(hot))
            .map(|(_, w)| w);
        assert_eq!(ours.sum::<f64>(), known.sum::<f64>(), "{hot}");
    }
}
