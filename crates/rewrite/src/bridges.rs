//! Tests: a class that cannot be counted, and overrides a method of one that is. Counted code must call it all the same, or it is named.

use std::borrow::Cow;
use std::sync::Arc;

use crate::bytes::Reader;
use crate::class::{Attribute, Class, Member, PUBLIC};
use crate::limits::{Ids, MOST, NAME, attribute, class_file};
use crate::opcode::RETURN;
use crate::options::{Mode, Options};
use crate::outcome::{Outcome, Reason};
use crate::pool::Pool;
use crate::rewrite::rewrite;
use crate::summary::Summary;
use crate::world::{Treatment, World};

/// The class that is counted.
const COUNTED: &str = "Counted";
const OBJECT: &str = "java/lang/Object";

/// A class with a method `few` that objects have, and so many constants at least.
fn class(name: &str, parent: &str, constants: usize) -> Vec<u8> {
    let mut pool = Pool::read(&mut Reader::new(&[0, 1])).expect("an empty pool");
    let this = pool.add_class(name.as_bytes()).expect("room");
    let parent = pool.add_class(parent.as_bytes()).expect("room");
    let few = Member {
        access: PUBLIC,
        name: pool.add_utf8(b"few").expect("room"),
        descriptor: pool.add_utf8(b"()V").expect("room"),
        attributes: vec![Attribute {
            name: pool.add_utf8(b"Code").expect("room"),
            body: Cow::Owned(attribute(&[RETURN])),
        }],
    };
    class_file(pool, [this, parent], vec![few], constants)
}

/// Both classes are the program.
struct Both {
    counted: Arc<Summary>,
}

impl World for Both {
    fn treatment(&self, class: &str) -> Treatment {
        match class {
            NAME | COUNTED => Treatment::Whole,
            _ => Treatment::Not,
        }
    }

    fn summary(&self, class: &str) -> Option<Arc<Summary>> {
        (class == COUNTED).then(|| self.counted.clone())
    }
}

#[test]
fn a_class_without_room_for_what_passes_calls_on_is_named() {
    let counted = Summary::read(&class(COUNTED, OBJECT, 0)).expect("a class file");
    let world = Both {
        counted: Arc::new(counted),
    };
    for mode in [Mode::Sampling, Mode::Exact] {
        let options = Options {
            mode,
            ..Options::default()
        };
        let outcome = |parent: &str, constants: usize| {
            let bytes = class(NAME, parent, constants);
            rewrite(&bytes, &options, &world, &mut Ids(0))
        };
        // There is no room for code that counts, but for a method that calls the old one.
        match outcome(COUNTED, MOST - 20) {
            Outcome::Rewritten { bytes, methods } => {
                let changed = Class::read(&bytes).expect("a class file");
                assert_eq!(changed.methods.len(), 2, "{mode:?}");
                assert_eq!(methods[0].id, Err(Reason::PoolFull), "{mode:?}");
            }
            Outcome::LeftAlone { reason } => panic!("{mode:?}: {reason}"),
        }
        let alone = |reason| Outcome::LeftAlone { reason };
        assert_eq!(outcome(COUNTED, MOST), alone(Reason::NoBridge), "{mode:?}");
        // It overrides nothing that is counted.
        assert_eq!(outcome(OBJECT, MOST), alone(Reason::PoolFull), "{mode:?}");
    }
}
