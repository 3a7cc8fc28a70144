//! Files of counted bytecodes: read, written, put into one form, used as a uniform profile.

use crate::common::fixture;
use proofmark_profile::{CountFile, Filter, Format, ImportError, MethodId, Options, Unit, import};

const FILE: &str = "constructed/count.tsv";

fn file() -> CountFile {
    CountFile::parse(&fixture(FILE)).expect("a sound file")
}

fn refused(text: &str, with: &str) -> ImportError {
    let whole = String::from_utf8(fixture(FILE)).unwrap();
    assert!(whole.contains(text), "{text:?} is not in the fixture");
    CountFile::parse(whole.replacen(text, with, 1).as_bytes()).expect_err(with)
}

#[test]
fn totals_are_those_of_all_threads() {
    let file = file();
    assert_eq!(
        (file.bytecodes(), file.samples(), file.rest()),
        (860, 8, 60)
    );
    assert!(file.remarks.is_empty(), "{:?}", file.remarks);
}

#[test]
fn virtual_threads_of_one_name_become_one_and_callees_are_sorted() {
    let canonical = file().canonical();
    let names: Vec<&str> = canonical.methods.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["[class initialisation]", "f", "main", "g\th"]);
    let [main, virtual_ones] = canonical.threads.as_slice() else {
        panic!("{} threads", canonical.threads.len());
    };
    assert_eq!((virtual_ones.bytecodes, virtual_ones.rest), (330, 30));
    let shape = |contexts: &[proofmark_profile::Context]| {
        let rows = contexts.iter();
        rows.map(|c| (c.depth, c.method, c.bytecodes))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shape(&main.contexts),
        [
            (0, 0, 0),
            (1, 1, 100),
            (0, 2, 100),
            (1, 1, 100),
            (1, 3, 0),
            (2, 1, 200)
        ]
    );
    assert_eq!(
        shape(&virtual_ones.contexts),
        [(0, 1, 200), (0, 3, 0), (1, 1, 100)]
    );
}

/// The order of creation, of methods and of threads does not reach the bytes; content does.
#[test]
fn one_content_gives_one_text() {
    let text = file().canonical().to_text();
    let again = CountFile::parse(text.as_bytes()).unwrap();
    assert_eq!(again.canonical().to_text(), text);
    let (mut head, mut threads) = (Vec::new(), Vec::new());
    for line in String::from_utf8(fixture(FILE)).unwrap().lines() {
        if line.starts_with("thread") {
            threads.push(Vec::new());
        }
        threads
            .last_mut()
            .unwrap_or(&mut head)
            .push(line.to_owned());
    }
    threads.reverse();
    let methods = head.split_off(6);
    let turned: Vec<String> = head
        .into_iter()
        .chain(threads.into_iter().flatten())
        .chain(methods.into_iter().rev())
        .collect();
    let turned = CountFile::parse((turned.join("\n") + "\n").as_bytes()).unwrap();
    assert_eq!(turned.canonical().to_text(), text);
    let other = text.replacen("\t30\t0\tmain", "\t31\t0\tmain", 1);
    let other = CountFile::parse(other.as_bytes()).unwrap();
    assert_ne!(other.canonical().to_text(), text);
    assert!(other.remarks[0].contains("531"), "{:?}", other.remarks);
}

/// Names may have tabs, and so may those of classes in descriptors.
#[test]
fn a_tab_in_a_descriptor_stays_in_it() {
    let fixture = String::from_utf8(fixture(FILE)).unwrap();
    let text = fixture.replacen("(I)I", "(La\\tb;)I", 1);
    let file = CountFile::parse(text.as_bytes()).unwrap();
    let again = CountFile::parse(file.to_text().as_bytes()).unwrap();
    for file in [&file, &again] {
        let methods = file.methods.iter();
        let mut descriptors = methods.filter_map(|m| m.descriptor.as_deref());
        assert!(descriptors.any(|one| one == "(La\tb;)I"));
    }
}

#[test]
fn it_is_a_uniform_profile_with_bytecodes_as_weight() {
    let profile = import(&fixture(FILE), &Options::default()).unwrap();
    assert_eq!((profile.format, profile.unit), (Format::Count, Unit::Count));
    let shares = profile.by_method(&Filter::default());
    let f = MethodId::parse("com.acme.Main.f(I)I").unwrap();
    assert_eq!(shares.methods[&f].self_weight, 700.0);
    assert_eq!(shares.failed_weight(), 60.0);
    let collapsed = profile.to_collapsed();
    let line = "[main tid=0];com.acme.Main.main([Ljava/lang/String|)V_[j];com.acme.Main$$Lambda.g\th()V_[j];com.acme.Main.f(I)I_[j] 200";
    assert!(collapsed.lines().any(|l| l == line), "{collapsed}");
}

#[test]
fn damage_is_named_with_its_line() {
    for (text, with) in [
        ("\n2\t2\t200\t2", "\n3\t2\t200\t2"),
        ("\n1\t9\t0\t0", "\n1\t8\t0\t0"),
        ("\tended\t530", "\tended\t-530"),
        ("mode\tsampled\n", ""),
        ("method\t2\t", "method\t4\t"),
        ("virtual\tended", "green\tended"),
        ("\t200\t2\n", "\t18446744073709551615\t2\n"),
    ] {
        let error = refused(text, with).to_string();
        assert!(error.contains("expected"), "{error}");
    }
}

/// Cut at the end of any line, with a line less or more, the file is no longer what was written.
#[test]
fn a_file_cut_at_a_line_end_is_refused() {
    let text = file().canonical().to_text();
    assert!(CountFile::parse(text.as_bytes()).is_ok());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for count in 1..lines.len() {
        let cut = lines[..count].concat();
        let error = CountFile::parse(cut.as_bytes()).expect_err("cut");
        assert!(error.to_string().contains("`end` was expected"), "{error}");
    }
    let mut without_one = lines.clone();
    without_one.remove(lines.len() - 2);
    let error = CountFile::parse(without_one.concat().as_bytes()).expect_err("a line less");
    assert!(
        error.to_string().contains("the file was changed"),
        "{error}"
    );
    let error = CountFile::parse((text.clone() + "mode\texact\n").as_bytes());
    let error = error.expect_err("a line more").to_string();
    assert!(error.contains("behind the line `end`"), "{error}");
    // What older versions wrote has no such line.
    assert!(CountFile::parse(&fixture(FILE)).is_ok());
}
