//! Records, texts and links, without a compiler.

use super::*;

fn how(source: &str) -> How {
    How {
        compiler: "cc".into(),
        words: vec!["-m64".into()],
        directory: "/tmp".into(),
        source: source.into(),
        rust: false,
    }
}

#[test]
fn records_that_follow_each_other_are_told_apart() {
    let mut bytes = record(&how("a.c"), b"text \"a\"\n");
    bytes.extend(record(&how("b.c"), b""));
    let all: Vec<(How, &[u8])> = records(&bytes).unwrap();
    assert_eq!(
        all,
        [(how("a.c"), &b"text \"a\"\n"[..]), (how("b.c"), &[][..])]
    );
    for cut in [1, 8, FRAME, bytes.len() - 1] {
        assert_eq!(records::<How>(&bytes[..cut]), None, "{cut}");
    }
    bytes[0] = 0;
    assert_eq!(records::<How>(&bytes), None);
}

#[test]
fn a_text_goes_by_its_contents_and_its_command() {
    let text = |source: &str, text: &str| KeptText {
        how: how(source),
        text: text.into(),
    };
    let name = text("a.c", "x").name();
    assert_eq!(name.len(), 16);
    assert_eq!(name, text("a.c", "x").name());
    assert_ne!(name, text("b.c", "x").name());
    assert_ne!(name, text("a.c", "y").name());
}

fn taken(words: &[String], directory: &Path, keeping: Keeping) -> KeptLink {
    let mut link = KeptLink {
        compiler: "cc".into(),
        directory: directory.to_owned(),
        words: Vec::new(),
        files: Vec::new(),
    };
    link.take(words, keeping);
    link
}

#[test]
fn words_that_are_no_objects_stay() {
    let words = ["-o", "main.o", "none.o", "-lm"].map(str::to_owned);
    let plain = words.clone().map(LinkWord::Plain);
    for keeping in [Keeping::Texts, Keeping::Files] {
        assert_eq!(taken(&words, Path::new("/none"), keeping).words, plain);
    }
}

#[test]
fn objects_are_known_by_what_they_begin_with() {
    let place = tempfile::tempdir().unwrap();
    let kind = |kind: u8| [&b"\x7fELF"[..], &[0; 12], &[kind, 0, 9]].concat();
    for (name, bytes, object) in [
        ("main.os", kind(1), true),
        ("libx.so", kind(3), false),
        ("liba.a", b"!<arch>\nlonger than a head".to_vec(), false),
        ("short", b"\x7fELF".to_vec(), false),
    ] {
        let path = place.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(is_object(&path), object, "{name}");
    }
    assert!(!is_object(place.path()) && !is_object(&place.path().join("none")));
}

#[test]
fn files_that_go_are_kept() {
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("symbols.o", "first"),
        ("shim.o", "2"),
        ("liba.rlib", "rlib"),
    ] {
        std::fs::write(place.path().join(name), bytes).unwrap();
    }
    let words = ["symbols.o", "-o", "shim.o", "shim.o", "--x=shim.o"].map(str::to_owned);
    let link = taken(&words, place.path(), Keeping::Files);
    let kept = |name: &str, bytes| LinkWord::Kept {
        name: name.into(),
        bytes,
    };
    let plain = |word: &str| LinkWord::Plain(word.into());
    let expected = [
        kept("symbols.o", [0, 5]),
        plain("-o"),
        plain("shim.o"),
        kept("shim.o", [5, 1]),
        plain("--x=shim.o"),
    ];
    assert_eq!(
        (&link.words[..], &link.files[..]),
        (&expected[..], &b"first2"[..])
    );
    let texts = taken(&words, place.path(), Keeping::Texts);
    assert!(texts.files.is_empty() && texts.words.contains(&plain("symbols.o")));
}
