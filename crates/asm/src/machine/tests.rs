//! Small listings by hand, sound ones and broken ones, and a few bytes.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{
    Checked, Difference, Flow, Instruction, Stretch, Twins, Ways, checked, disassembled, mentioned,
};

/// Instructions behind each other: length, shape, what becomes of control. `nop` is padding, `mov r8, r8` idle.
fn code(begin: u64, all: &[(u32, &str, Flow)]) -> Vec<Instruction> {
    let mut address = begin;
    let one = |(length, shape, flow): &(u32, &str, Flow)| {
        let one = Instruction {
            address,
            length: *length,
            shape: (*shape).to_owned(),
            numbers: Vec::new(),
            place: None,
            flow: *flow,
            nothing: *shape == "nop",
            idle: ["nop", "mov r8, r8"].contains(shape),
        };
        address = one.end();
        one
    };
    all.iter().map(one).collect()
}

const NEXT: Flow = Flow::Next;

/// A loop with padding in front of it, at 0x100: blocks at +0, +8, +14; behind the jump at +12.
fn old() -> Vec<Instruction> {
    code(
        0x100,
        &[
            (3, "xor eax, eax", NEXT),
            (5, "nop", NEXT),
            (4, "add eax, #", NEXT),
            (2, "jne target", Flow::Branch(0x108)),
            (1, "ret", Flow::Leaves),
        ],
    )
}

/// The same at 0x400 with an instruction in the first block and two in the loop: blocks at +0, +12, +24.
fn new() -> Vec<Instruction> {
    code(
        0x400,
        &[
            (3, "mov r8, r8", NEXT),
            (3, "xor eax, eax", NEXT),
            (6, "nop", NEXT),
            (3, "mov r8, r8", NEXT),
            (3, "mov r8, r8", NEXT),
            (4, "add eax, #", NEXT),
            (2, "jne target", Flow::Branch(0x40c)),
            (1, "ret", Flow::Leaves),
        ],
    )
}

fn stretches(all: &[(u64, u32, bool)]) -> Vec<Stretch> {
    let one = |(begin, block, inserted): &(u64, u32, bool)| Stretch {
        begin: *begin,
        block: *block,
        inserted: *inserted,
    };
    all.iter().map(one).collect()
}

fn map() -> Vec<Stretch> {
    stretches(&[
        (0x400, 0, true),
        (0x403, 0, false),
        (0x40c, 1, true),
        (0x412, 1, false),
        (0x416, 1, false),
        (0x418, 2, false),
    ])
}

const NO_ADDRESSES: [Range<u64>; 2] = [0..0, 0..0];

fn result(
    old: &[Instruction],
    new: &[Instruction],
    map: &[Stretch],
) -> Result<Checked, Difference> {
    with_ways(old, new, map, &Ways::default())
}

fn with_ways(
    old: &[Instruction],
    new: &[Instruction],
    map: &[Stretch],
    ways: &Ways,
) -> Result<Checked, Difference> {
    checked(&Twins {
        old,
        new,
        map,
        counts: &[1, 2],
        addresses: &NO_ADDRESSES,
        ways,
    })
}

#[test]
fn what_holds_is_counted() {
    let expected = Checked {
        instructions: 4,
        inserted: 3,
        borders: 3,
        unseen: Vec::new(),
    };
    assert_eq!(result(&old(), &new(), &map()), Ok(expected));
}

#[test]
fn an_instruction_too_many_is_found() {
    // Three where two were wanted.
    let mut more = new();
    more[5] = Instruction {
        shape: "mov r8, r8".into(),
        idle: true,
        ..more[5].clone()
    };
    let mut all = map();
    all.remove(3);
    let count = Difference::Count {
        block: 1,
        wanted: 2,
        found: 3,
    };
    assert_eq!(result(&old(), &more, &all), Err(count));
    // One that no map says.
    let mut all = map();
    all[2].inserted = false;
    let changed = |found: Result<Checked, Difference>| match found {
        Err(Difference::Changed { at, before, now }) => (at, before, now),
        other => panic!("{other:?}"),
    };
    let counted = Err(Difference::Count {
        block: 1,
        wanted: 2,
        found: 0,
    });
    assert_eq!(result(&old(), &new(), &all), counted);
    let twins = |counts: &'static [u32]| {
        let (old, new) = (old(), new());
        checked(&Twins {
            old: &old,
            new: &new,
            map: &all,
            counts,
            addresses: &NO_ADDRESSES,
            ways: &Ways::default(),
        })
    };
    let found = changed(twins(&[1]));
    assert_eq!(found, (0xc, "add eax, #".into(), "mov r8, r8".into()));
    // One behind the last, and one that is gone.
    let last = new().pop().unwrap();
    let mut more = new();
    more.push(Instruction {
        address: last.end(),
        ..last.clone()
    });
    let found = result(&old(), &more, &map());
    let now = "ret".to_owned();
    assert_eq!(found, Err(Difference::More { at: 25, now }));
    let mut less = new();
    less.pop();
    let before = "ret".to_owned();
    let found = result(&old(), &less, &map()[..5]);
    assert_eq!(found, Err(Difference::Less { before }));
}

#[test]
fn a_changed_operand_is_found() {
    let mut changed = new();
    changed[5].shape = "add ecx, #".into();
    let found = result(&old(), &changed, &map());
    let text = found.unwrap_err().to_string();
    assert_eq!(text, "at +0x12: \"add ecx, #\" where \"add eax, #\" was");
    let (mut before, mut now) = (old(), new());
    before[2].numbers = vec![1];
    now[5].numbers = vec![2];
    let found = result(&before, &now, &map());
    let text = found.unwrap_err().to_string();
    assert_eq!(
        text,
        "at +0x12: \"add eax, # (0x2)\" where \"add eax, # (0x1)\" was"
    );
    // Addresses in programs at fixed places differ.
    let of_both = |addresses: &[Range<u64>; 2]| {
        let map = map();
        let twins = Twins {
            old: &before,
            new: &now,
            map: &map,
            counts: &[1, 2],
            addresses,
            ways: &Ways::default(),
        };
        checked(&twins).is_ok()
    };
    assert!(of_both(&[1..2, 1..3]));
    assert!(!of_both(&[1..2, 3..4]));
}

#[test]
fn what_is_inserted_changes_nothing() {
    let mut wrong = new();
    wrong[3].idle = false;
    let now = "mov r8, r8".to_owned();
    let found = result(&old(), &wrong, &map());
    assert_eq!(found, Err(Difference::NotIdle { at: 0xc, now }));
}

#[test]
fn padding_aligns() {
    // A NOP behind the jump: what follows is at +25.
    let stray = [
        &new()[..7],
        &code(0x418, &[(1, "nop", NEXT), (1, "ret", Flow::Leaves)])[..],
    ]
    .concat();
    let found = result(&old(), &stray, &map());
    assert_eq!(found, Err(Difference::Padding { at: 25 }));
    // Where it aligns, there may be more of it, and where nothing has to be aligned none.
    let aligned = [
        &new()[..7],
        &code(0x418, &[(8, "nop", NEXT), (1, "ret", Flow::Leaves)])[..],
    ]
    .concat();
    let mut all = map();
    all[5].begin = 0x420;
    assert!(result(&old(), &aligned, &all).is_ok());
    let mut none = code(
        0x400,
        &[
            (3, "mov r8, r8", NEXT),
            (3, "xor eax, eax", NEXT),
            (3, "mov r8, r8", NEXT),
            (3, "mov r8, r8", NEXT),
            (4, "add eax, #", NEXT),
            (2, "jne target", Flow::Branch(0x406)),
            (1, "ret", Flow::Leaves),
        ],
    );
    let all = stretches(&[
        (0x400, 0, true),
        (0x403, 0, false),
        (0x406, 1, true),
        (0x40c, 1, false),
        (0x412, 2, false),
    ]);
    assert!(result(&old(), &none, &all).is_ok());
    // The compiler's own NOPs stay.
    none.insert(
        0,
        Instruction {
            address: 0x3ff,
            ..code(0, &[(1, "nop", NEXT)]).remove(0)
        },
    );
    let mut all = all;
    all.insert(0, stretches(&[(0x3ff, 0, false)])[0]);
    let own = [&code(0xff, &[(1, "nop", NEXT)])[..], &old()[..]].concat();
    assert!(result(&own, &none, &all).is_ok());
}

#[test]
fn a_jump_to_another_instruction_is_found() {
    let mut wrong = new();
    wrong[6].flow = Flow::Branch(0x403);
    let found = result(&old(), &wrong, &map());
    assert_eq!(found, Err(Difference::Target { at: 22 }));
    // Behind what was inserted, so that this would not be executed in the loop.
    wrong[6].flow = Flow::Branch(0x412);
    let found = result(&old(), &wrong, &map());
    assert_eq!(found, Err(Difference::NoBegin { at: 18 }));
    // Out of the function instead of into it.
    wrong[6].flow = Flow::Branch(0x900);
    let found = result(&old(), &wrong, &map());
    assert_eq!(found, Err(Difference::Target { at: 22 }));
}

#[test]
fn a_border_that_is_off_is_found() {
    // By a byte.
    for (at, begin) in [(2, 0x40d), (5, 0x417), (1, 0x402)] {
        let mut all = map();
        all[at].begin = begin;
        let found = result(&old(), &new(), &all);
        assert_eq!(found, Err(Difference::Within { at: begin - 0x400 }));
    }
    // By an instruction, where nothing was inserted: the loop begins too late, and ends too early.
    let plain = |begin: u64, behind: u64| {
        let map = stretches(&[(0x100, 0, false), (begin, 1, false), (behind, 2, false)]);
        let code = old();
        checked(&Twins {
            old: &code,
            new: &code,
            map: &map,
            counts: &[],
            addresses: &NO_ADDRESSES,
            ways: &Ways::default(),
        })
    };
    assert!(plain(0x108, 0x10e).is_ok());
    assert_eq!(plain(0x10c, 0x10e), Err(Difference::NoBegin { at: 8 }));
    assert_eq!(plain(0x108, 0x10c), Err(Difference::NoEnd { at: 12 }));
    let mut early = map();
    early[4].block = 2;
    let found = result(&old(), &new(), &early);
    assert_eq!(found, Err(Difference::NoEnd { at: 22 }));
    let mut missing = map();
    missing[5].block = 1;
    let found = result(&old(), &new(), &missing);
    assert_eq!(found, Err(Difference::NoEnd { at: 22 }));
}

#[test]
fn blocks_that_nothing_leads_to_are_told() {
    let mut divided = map();
    divided[4].block = 7;
    divided[5].block = 8;
    let found = result(&old(), &new(), &divided).unwrap();
    assert_eq!((found.borders, found.unseen), (4, vec![0x16]));
    // A table names the place.
    let named = Ways {
        named: BTreeSet::from([0x416]),
        ..Ways::default()
    };
    let found = with_ways(&old(), &new(), &divided, &named).unwrap();
    assert_eq!(found.unseen, Vec::<u64>::new());
    // Another function jumps there, and the map does not know.
    let jumped = Ways {
        jumped: BTreeSet::from([0x416]),
        ..Ways::default()
    };
    let found = with_ways(&old(), &new(), &map(), &jumped);
    assert_eq!(found, Err(Difference::NoBegin { at: 0x16 }));
}

#[test]
fn machine_code_is_read() {
    // xor eax, eax; mov r8, r8; lea r9, [r9]; jne -8; lea rdi, [rip+16]; call 0; nop; ret
    let bytes = [
        0x31, 0xc0, 0x4d, 0x89, 0xc0, 0x4d, 0x8d, 0x09, 0x75, 0xf8, 0x48, 0x8d, 0x3d, 0x10, 0, 0,
        0, 0xe8, 0, 0, 0, 0, 0x66, 0x90, 0xc3,
    ];
    let all = disassembled(&bytes, 0x1000).unwrap();
    let shapes: Vec<&str> = all.iter().map(|one| one.shape.as_str()).collect();
    assert_eq!(shapes[0], "xor eax, eax");
    assert_eq!(shapes[1], "mov r8, r8");
    assert!(shapes[2].starts_with("lea r9, "), "{shapes:?}");
    let idle: Vec<bool> = all.iter().map(|one| one.idle).collect();
    let expected = [false, true, true, false, false, false, true, false];
    assert_eq!(idle, expected);
    assert_eq!(all[3].flow, Flow::Branch(0x1002));
    assert_eq!(all[4].place, Some(0x1021));
    assert_eq!((all[5].flow, all[7].flow), (NEXT, Flow::Leaves));
    assert!(all[6].nothing && !all[1].nothing);
    assert_eq!(all[7].end(), 0x1000 + bytes.len() as u64);
    let mentioned = mentioned(&bytes, 0x1000);
    assert_eq!(mentioned.jumped, [0x1002]);
    assert_eq!(mentioned.places, [0x1021]);
    // add eax, 5 against add eax, 6; jumps of both lengths are one instruction.
    let [five, six] = [5, 6].map(|number| disassembled(&[0x83, 0xc0, number], 0).unwrap());
    assert_eq!(five[0].shape, six[0].shape);
    assert_eq!(
        (&five[0].numbers[..], &six[0].numbers[..]),
        (&[5][..], &[6][..])
    );
    let near = disassembled(&[0x0f, 0x85, 0xfa, 0xff, 0xff, 0xff], 0x10).unwrap();
    assert_eq!(near[0].shape, all[3].shape);
    // What is cut off, and what is none in this mode.
    assert_eq!(disassembled(&bytes[..9], 0), None);
    assert_eq!(disassembled(&[0x06], 0), None);
}
