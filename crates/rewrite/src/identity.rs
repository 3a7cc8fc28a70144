//! Tests: what is not changed comes out byte for byte as it was.

use proofmark_test_support::jdk_classes;

use crate::Reason;
use crate::class::{Class, STATIC, write_attributes};
use crate::code::Code;
use crate::frames::{self, Type};
use crate::layout::{Shift, lay_out};
use crate::patches::Patches;
use crate::tables::{self, Locals, Moved};

/// Takes the code of a method apart and writes it again with nothing inserted.
fn rebuild(class: &mut Class<'_>, index: usize, attribute: &[u8]) -> Result<Vec<u8>, Reason> {
    let code = Code::read(attribute)?;
    let shift = Shift { slot: 0, by: 0 };
    let layout = lay_out(&code, &Patches::default(), shift)?;
    let method = &class.methods[index];
    let descriptor = class.pool.utf8(method.descriptor)?;
    let this = match class.pool.utf8(method.name)? {
        b"<init>" => Type::UninitializedThis,
        _ => Type::Object(class.this),
    };
    let this = (method.access & STATIC == 0).then_some(this);
    let entry = frames::parameters(descriptor, this, |_| Ok(class.this))?;
    let moved = Moved {
        code: &code,
        layout: &layout,
        shift,
    };
    let locals = Locals {
        shift,
        inserted: &[],
        old_entry: &entry,
        new_entry: &entry,
        more: Vec::new(),
    };
    let attributes = tables::attributes(&moved, &class.pool, &locals)?;
    let mut out = Vec::new();
    out.extend_from_slice(&code.max_stack.to_be_bytes());
    out.extend_from_slice(&code.max_locals.to_be_bytes());
    out.extend_from_slice(&(layout.bytes.len() as u32).to_be_bytes());
    out.extend_from_slice(&layout.bytes);
    tables::handlers(&moved, None, &mut out)?;
    write_attributes(&attributes, &mut out)?;
    Ok(out)
}

#[test]
fn every_class_of_java_base_is_read_and_written_unchanged() {
    for (jdk, classes) in jdk_classes() {
        let mut methods = 0;
        for (name, bytes) in classes {
            let mut class = Class::read(bytes).expect(name);
            assert!(
                class.write(bytes.len()).expect(name) == *bytes,
                "{jdk}: {name} is written differently"
            );
            for index in 0..class.methods.len() {
                let method = class.methods[index].clone();
                if let Some(code) = method.find(&class.pool, b"Code").expect(name) {
                    let attribute = &method.attributes[code].body;
                    let again = rebuild(&mut class, index, attribute).expect(name);
                    assert!(again == **attribute, "{jdk}: code {index} of {name}");
                    methods += 1;
                }
            }
        }
        let classes = classes.len();
        assert!(
            classes > 5_000 && methods > 40_000,
            "{jdk}: {classes}, {methods}"
        );
    }
}
