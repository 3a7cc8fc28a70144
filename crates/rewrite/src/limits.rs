//! Tests: classes at the limits of the class-file format, and methods that take no site. What cannot be done is named, and the rest is
//! rewritten all the same.

use std::borrow::Cow;
use std::sync::Arc;

use crate::bytes::{Reader, Write};
use crate::class::{Attribute, Class, Member, PUBLIC, STATIC};
use crate::code::Code;
use crate::layout::{Shift, lay_out};
use crate::opcode::{GOTO, GOTO_W, ICONST_0, RETURN};
use crate::options::{Mode, Options};
use crate::outcome::{Outcome, Reason};
use crate::patches::Patches;
use crate::pool::Pool;
use crate::rewrite::rewrite;
use crate::sites::{DoseKind, Place, Site, Sited, Work, insert_sites};
use crate::summary::Summary;
use crate::world::{MethodIds, Treatment, World};

const NOP: u8 = 0x00;
const IFEQ: u8 = 0x99;
/// Most bytes of a method, and most constants of a class, the unused first one included.
pub(crate) const MOST: usize = 65_535;
/// The class's name.
pub(crate) const NAME: &str = "Large";

/// A static method without a result.
struct Plain {
    name: &'static str,
    descriptor: String,
    code: Vec<u8>,
}

/// A method that is so many bytes long and does nothing.
fn idle(name: &'static str, bytes: usize) -> Plain {
    let mut code = vec![NOP; bytes - 1];
    code.push(RETURN);
    Plain {
        name,
        descriptor: "()V".to_owned(),
        code,
    }
}

/// The attribute of code that needs neither operands nor variables.
pub(crate) fn attribute(code: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(code.len() + 12);
    // Operands on the stack, and variables.
    body.u2(0);
    body.u2(0);
    body.u4(code.len() as u32);
    body.extend_from_slice(code);
    // Handlers, and attributes.
    body.u2(0);
    body.u2(0);
    body
}

/// A class with these methods, and so many constants at least.
fn class(methods: &[Plain], constants: usize) -> Vec<u8> {
    let mut pool = Pool::read(&mut Reader::new(&[0, 1])).expect("an empty pool");
    let this = pool.add_class(NAME.as_bytes()).expect("room");
    let parent = pool.add_class(b"java/lang/Object").expect("room");
    let code = pool.add_utf8(b"Code").expect("room");
    let mut members = Vec::new();
    for method in methods {
        members.push(Member {
            access: PUBLIC | STATIC,
            name: pool.add_utf8(method.name.as_bytes()).expect("room"),
            descriptor: pool.add_utf8(method.descriptor.as_bytes()).expect("room"),
            attributes: vec![Attribute {
                name: code,
                body: Cow::Owned(attribute(&method.code)),
            }],
        });
    }
    class_file(pool, [this, parent], members, constants)
}

/// The file of a class and its parent with these methods, and so many constants at least.
pub(crate) fn class_file<'a>(
    mut pool: Pool<'a>,
    [this, parent]: [u16; 2],
    methods: Vec<Member<'a>>,
    constants: usize,
) -> Vec<u8> {
    // Numbers that nobody uses.
    for number in pool.slots()..constants {
        pool.add_integer(number as i32).expect("room");
    }
    let class = Class {
        minor: 0,
        major: 52,
        pool,
        access: PUBLIC | 0x0020,
        this,
        parent,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods,
        attributes: Vec::new(),
    };
    class.write(1 << 17).expect("a class file")
}

/// Code of the first method of that name.
fn code_of(bytes: &[u8], name: &str) -> Vec<u8> {
    let class = Class::read(bytes).expect("a class file");
    let is_it = |method: &&Member<'_>| class.pool.utf8(method.name) == Ok(name.as_bytes());
    let method = class.methods.iter().find(is_it).expect("the method");
    let at = method.find(&class.pool, b"Code").expect("attributes");
    let body = &method.attributes[at.expect("code")].body;
    Code::read(body).expect("code").bytes.to_vec()
}

fn constants_of(bytes: &[u8]) -> usize {
    Class::read(bytes).expect("a class file").pool.slots()
}

/// Sites at the entries of methods of these names, numbered from 0.
fn with_sites(bytes: &[u8], methods: &[&str]) -> Sited {
    let sites = methods.iter().zip(0..).map(|(method, index)| Site {
        index,
        method: (*method).to_owned(),
        descriptor: None,
        place: Place::Entry,
        work: Work::Turns {
            turn: DoseKind::Arithmetic,
            steps: 8,
        },
        gated: false,
    });
    let sites: Vec<Site> = sites.collect();
    insert_sites(bytes, &sites, None).expect("a class file")
}

/// Numbers of the sites that are in, and of those that are not, with the reason.
fn told(sited: &Sited) -> (Vec<u16>, Vec<(u16, String)>) {
    let placed = sited.placed.iter().map(|one| one.index);
    let refused = sited.refused.iter();
    let refused = refused.map(|one| (one.index, one.reason.to_string()));
    (placed.collect(), refused.collect())
}

/// The class is the whole program.
pub(crate) struct Alone;

impl World for Alone {
    fn treatment(&self, class: &str) -> Treatment {
        match class {
            NAME => Treatment::Whole,
            _ => Treatment::Not,
        }
    }

    fn summary(&self, _: &str) -> Option<Arc<Summary>> {
        None
    }
}

/// Numbers in the order in which they are asked for.
pub(crate) struct Ids(pub(crate) u32);

impl MethodIds for Ids {
    fn id(&mut self, _: &str, _: &str, _: &str) -> u32 {
        self.0 += 1;
        self.0
    }
}

fn counted(bytes: &[u8], mode: Mode) -> Outcome {
    let options = Options {
        mode,
        ..Options::default()
    };
    rewrite(bytes, &options, &Alone, &mut Ids(0))
}

#[test]
fn a_method_that_a_site_makes_too_long_has_none_and_others_have_theirs() {
    let few = class(&[idle("few", 10)], 0);
    let changed = with_sites(&few, &["few"]).bytes.expect("a change");
    let site = code_of(&changed, "few").len() - 10;
    assert!(site > 35, "{site}");
    for (length, fits) in [
        (65_500, false),
        (MOST - site, true),
        (MOST - site + 1, false),
    ] {
        let bytes = class(&[idle("long", length), idle("few", 10)], 0);
        let sited = with_sites(&bytes, &["long", "few"]);
        let changed = sited.bytes.as_deref().expect("a change");
        assert_eq!(code_of(changed, "few").len(), 10 + site);
        let long = code_of(changed, "long").len();
        let (placed, refused) = told(&sited);
        if fits {
            assert_eq!((placed, long), (vec![0, 1], MOST));
        } else {
            assert_eq!((placed, long), (vec![1], length));
            let why = "with a site it would exceed 65,535 bytes, the most that a method can have";
            assert_eq!(refused, [(0, why.to_owned())]);
        }
    }
}

/// It runs once, whatever is added to it.
#[test]
fn an_initialiser_of_a_class_has_no_site() {
    let bytes = class(&[idle("<clinit>", 10), idle("few", 10)], 0);
    let sited = with_sites(&bytes, &["<clinit>", "few"]);
    let why = "it runs once, when the class is initialised";
    assert_eq!(told(&sited), (vec![1], vec![(0, why.to_owned())]));
    let changed = sited.bytes.expect("a change");
    assert_eq!(code_of(&changed, "<clinit>"), idle("<clinit>", 10).code);
}

#[test]
fn methods_that_counting_makes_too_long_are_not_counted_and_others_are() {
    let methods = [
        idle("long", 65_530),
        idle("<clinit>", 65_530),
        idle("few", 10),
    ];
    let bytes = class(&methods, 0);
    for mode in [Mode::Sampling, Mode::Exact] {
        let (bytes, methods) = match counted(&bytes, mode) {
            Outcome::Rewritten { bytes, methods } => (bytes, methods),
            Outcome::LeftAlone { reason } => panic!("{mode:?}: {reason}"),
        };
        let told: Vec<(&str, Option<&Reason>)> = methods
            .iter()
            .map(|method| (method.name.as_str(), method.id.as_ref().err()))
            .collect();
        let too_large = Some(&Reason::TooLarge);
        let expected = [("long", too_large), ("<clinit>", too_large), ("few", None)];
        assert_eq!(told, expected, "{mode:?}");
        for name in ["long", "<clinit>"] {
            assert_eq!(code_of(&bytes, name), idle(name, 65_530).code, "{mode:?}");
        }
    }
}

#[test]
fn sites_that_need_more_constants_than_there_is_room_for_are_refused() {
    let both = || [idle("one", 10), idle("other", 10)];
    let full = with_sites(&class(&both(), MOST), &["one", "other"]);
    let why = Reason::PoolFull.to_string();
    let refused = vec![(0, why.clone()), (1, why.clone())];
    assert_eq!(told(&full), (Vec::new(), refused));
    assert!(full.bytes.is_none());
    // Room for those of the first one.
    let plain = class(&both(), 0);
    let changed = with_sites(&plain, &["one"]).bytes.expect("a change");
    let needed = constants_of(&changed) - constants_of(&plain);
    let sited = with_sites(&class(&both(), MOST - needed), &["one", "other"]);
    assert_eq!(told(&sited), (vec![0], vec![(1, why)]));
    assert_eq!(constants_of(&sited.bytes.expect("a change")), MOST);
}

/// Other classes ask only for what is known of a class, and call methods that it then must have.
#[test]
fn a_class_is_rewritten_if_and_only_if_it_is_known_to_have_room() {
    let full = class(&[idle("few", 10)], MOST);
    // Each parameter of another type: their names are constants once there are frames.
    let with_types = |methods: usize| {
        let all = (0..methods).map(|method| {
            let types: String = (0..100).map(|one| format!("La{method}b{one};")).collect();
            Plain {
                descriptor: format!("({types})V"),
                ..idle("few", 10)
            }
        });
        class(&all.collect::<Vec<_>>(), 0)
    };
    let classes = [full, with_types(100), with_types(300), with_types(400)];
    for (bytes, room) in classes.iter().zip([false, true, true, false]) {
        let known = Summary::read(bytes).expect("a class file").refused;
        for mode in [Mode::Sampling, Mode::Exact] {
            match counted(bytes, mode) {
                Outcome::Rewritten { bytes, .. } => {
                    assert!(room && known.is_none(), "{known:?}");
                    assert!(constants_of(&bytes) <= MOST);
                }
                Outcome::LeftAlone { reason } => {
                    assert!(!room, "{reason}");
                    assert_eq!(known, Some(reason));
                }
            }
        }
    }
}

#[test]
fn branches_that_become_too_long_still_lead_where_they_did() {
    const FAR: u16 = 32_000;
    let mut bytes = vec![ICONST_0, IFEQ];
    bytes.u2(FAR + 6);
    bytes.u1(GOTO);
    bytes.u2(FAR + 3);
    bytes.extend(vec![NOP; FAR.into()]);
    bytes.u1(RETURN);
    let old = attribute(&bytes);
    let code = Code::read(&old).expect("code");
    let last = code.instructions.len() - 1;
    let mut patches = Patches::default();
    for index in 0..=last {
        if (3..last).contains(&index) && index % 10 == 0 {
            patches.bytes.u1(NOP);
        }
        patches.end_before();
        patches.end_instead();
        patches.end();
    }
    let layout = lay_out(&code, &patches, Shift { slot: 0, by: 0 });
    let layout = layout.expect("a layout");
    let again = attribute(&layout.bytes);
    let new = Code::read(&again).expect("code");
    let now = |index: usize| {
        let at = layout.instruction[index] as usize;
        new.find_instruction(at).expect("an instruction")
    };
    let target = |index: usize| new.target(index).expect("a target");
    // The condition leads to a branch that reaches as far as it must.
    let island = target(now(1));
    for branch in [island, now(2)] {
        assert_eq!(new.instructions[branch].opcode, GOTO_W);
        assert_eq!(target(branch), now(last));
    }
}
