//! Functions under control of made-up texts.

use proofmark_experiment::lab::Filler;

use super::super::kept::How;
use super::*;

const TEXT: &str = "\t.text\n\t.file 1 \"a.c\"\n\t.type\tf, @function\nf:\n\t.loc 1 3 1\n.L2:\n\tincl\t%eax\n\t.loc 1 4 1\n\tcmpl\t$9, %eax\n\tjne\t.L2\n\tret\n\t.size\tf, .-f\n\t.type\tg, @function\ng:\n\tret\n\t.size\tg, .-g\n\t.type\th, @function\nh:\n\tjrcxz\t.L9\n.L9:\n\tret\n\t.size\th, .-h\n";

fn kept(source: &str) -> KeptText {
    KeptText {
        how: How {
            compiler: "cc".into(),
            words: Vec::new(),
            directory: "/".into(),
            source: source.into(),
            rust: false,
        },
        text: TEXT.into(),
    }
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Marks of a function, a byte apart each.
fn marks(begin: u64, number: u32) -> BTreeMap<u32, u64> {
    (0..=number).map(|at| (at, begin + u64::from(at))).collect()
}

#[test]
fn functions_that_the_linker_kept_are_under_control() {
    let texts = [kept("a.c"), kept("b.c")];
    let (control, left) = Control::of(&texts, &names(&["f", "h", "main"]));
    assert_eq!((control.len(), left), (2, names(&["h"])));
    let both = Image {
        marks: BTreeMap::from([(0, marks(0, 4)), (1, marks(9, 4))]),
        ..Image::default()
    };
    let second = Image {
        marks: BTreeMap::from([(1, marks(0, 4))]),
        ..Image::default()
    };
    let (again, _) = Control::of(&texts, &names(&["f"]));
    let units = again.present(&both, &texts).described();
    let named: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(named, ["f (a.c, object 0)", "f (b.c, object 1)"]);
    let control = control.present(&second, &texts);
    assert_eq!((control.len(), control.names()), (1, names(&["f"])));
    let unit = &control.described()[0];
    assert_eq!((unit.name.as_str(), unit.positions.len()), ("f", 2));
    assert_eq!(unit.blocks[0].successors, [0, 1]);
    assert_eq!(control.units[0].text, 1);
}

#[test]
fn code_is_told_from_what_was_inserted() {
    let texts = [kept("a.c")];
    let (control, _) = Control::of(&texts, &names(&["f"]));
    let counts = BTreeMap::from([(0, vec![3, 0])]);
    let insertion = Insertion {
        filler: Filler::Nop,
        at: InsertionPoint::Start,
    };
    let slowed = control.slowed(&counts, insertion, 1).unwrap();
    assert_eq!(slowed.texts[&0].matches(".byte\t0x66, 0x90\n").count(), 3);
    assert!(slowed.texts[&0].contains("\t.skip\t16, 0x90\nf:\n"));
    let image = Image {
        marks: BTreeMap::from([(0, marks(64, 5))]),
        ..Image::default()
    };
    let codes = control.codes(&slowed, &image, 7).unwrap();
    let (code, begin) = &codes[0];
    assert_eq!((code.id, code.unit, code.size, *begin), (7, 0, 5, 64));
    let inserted: Vec<bool> = code.spans.iter().map(|span| span.inserted).collect();
    assert_eq!(inserted, [true, false, false, false, false]);
    let at: Vec<_> = code
        .spans
        .iter()
        .map(|span| (span.block, span.position))
        .collect();
    let [first, second] = [(Some(0), Some(0)), (Some(0), Some(1))];
    assert_eq!(at, [first, first, second, second, (Some(1), Some(1))]);
    assert!(control.codes(&slowed, &Image::default(), 0).is_err());
    let push = Insertion::plan(Filler::PushPop);
    assert!(control.slowed(&counts, push, 0).is_err());
}

#[test]
fn counters_are_found_behind_those_of_other_texts() {
    let texts = [kept("a.c"), kept("b.c")];
    let (control, _) = Control::of(&texts, &names(&["f", "g"]));
    let counting = control.counting();
    assert_eq!(counting.texts.len(), 2);
    let image = Image {
        counters: BTreeMap::from([(0, 24), (1, 0)]),
        ..Image::default()
    };
    let written: Vec<u8> = (1..=6_u64).flat_map(u64::to_le_bytes).collect();
    let counts = control.counts(&counting, &image, &written).unwrap();
    assert_eq!(counts, [vec![4, 5], vec![6], vec![1, 2], vec![3]]);
    assert!(control.counts(&counting, &image, &written[..40]).is_none());
}

#[test]
fn functions_of_rust_go_by_their_paths() {
    let function = |name: &str| {
        format!(
            "\t.type\t{name},@function\n{name}:\n\tretq\n.Lfunc_end0:\n\t.size\t{name}, .Lfunc_end0-{name}\n"
        )
    };
    let linked = [
        "_ZN6shapes4area17h3cacaabc498a2939E",
        "_ZN4core3ptr4drop17h0000000000000001E",
        "_ZN4core3ptr4drop17h0000000000000002E",
    ];
    let mut text = kept("shapes");
    text.how.rust = true;
    text.text = linked.map(function).concat();
    let texts = [text];
    let shown = |control: &Control| -> Vec<String> {
        let units = control.named();
        units.map(|(unit, _)| unit.to_owned()).collect()
    };
    let (all, _) = Control::every(&texts);
    assert_eq!(shown(&all), ["shapes::area", linked[1], linked[2]]);
    for asked in ["shapes::area", linked[0]] {
        let (one, _) = Control::of(&texts, &names(&[asked]));
        assert_eq!(
            (one.len(), one.names()),
            (1, names(&linked[..1])),
            "{asked}"
        );
    }
}
