//! Classes with sites.

use std::borrow::Cow;

use crate::Reason;
use crate::class::{ABSTRACT, Class, Member, NATIVE, STATIC};
use crate::code::Code;
use crate::frames::{self, Type};
use crate::opcode;
use crate::summary::text;

use super::edit::Edit;
use super::exits::exit_calls;
use super::lines::{line_at, line_table};
use super::place::Ground;
use super::{Placed, Refused, Site, Sited};

/// The method that the JVM calls to initialise a class.
const INITIALISER: &str = "<clinit>";
/// Nothing that a site does in it is repeated.
const ONCE: Reason = Reason::NoPlace("it runs once, when the class is initialised");

/// Puts sites into a class. Methods that cannot take one stay as they are and are named. `exits` is the class whose
/// methods `exit(int)` and `exit(Runtime, int)` are called instead of `System.exit`, `Runtime.exit` and `Runtime.halt`,
/// in all methods of the class.
///
/// # Errors
/// When the bytes are no class file that can be read.
pub fn insert_sites(bytes: &[u8], sites: &[Site], exits: Option<&str>) -> Result<Sited, Reason> {
    let mut class = Class::read(bytes)?;
    let mut sited = Sited::default();
    let mut found = vec![false; sites.len()];
    let mut changed = false;
    for at in 0..class.methods.len() {
        let (name, descriptor) = names(&class, &class.methods[at])?;
        let mut wanted = Vec::new();
        for (site, found) in sites.iter().zip(&mut found) {
            let same = site
                .descriptor
                .as_ref()
                .is_none_or(|one| *one == descriptor);
            if site.method == name && same {
                *found = true;
                wanted.push(site);
            }
        }
        changed |= method(&mut class, at, &wanted, exits, &mut sited)?;
    }
    for (site, _) in sites.iter().zip(found).filter(|(_, found)| !found) {
        sited.refused.push(Refused {
            index: site.index,
            descriptor: String::new(),
            reason: Reason::NoPlace("the class has no such method"),
        });
    }
    if changed {
        sited.bytes = Some(class.write(2 * bytes.len())?);
    }
    Ok(sited)
}

fn names(class: &Class<'_>, method: &Member<'_>) -> Result<(String, String), Reason> {
    let name = class.pool.utf8(method.name)?;
    let descriptor = class.pool.utf8(method.descriptor)?;
    Ok((text(name), text(descriptor)))
}

/// Rewrites one method; whether it was changed. One that cannot take its sites is rewritten without them.
fn method<'a>(
    class: &mut Class<'a>,
    at: usize,
    wanted: &[&Site],
    exits: Option<&str>,
    sited: &mut Sited,
) -> Result<bool, Reason> {
    let (name, descriptor) = names(class, &class.methods[at])?;
    let refuse = |reason: Reason, sited: &mut Sited| {
        sited.refused.extend(wanted.iter().map(|site| Refused {
            index: site.index,
            descriptor: descriptor.clone(),
            reason: reason.clone(),
        }));
    };
    if wanted.is_empty() && exits.is_none() {
        return Ok(false);
    }
    if name == INITIALISER && !wanted.is_empty() {
        refuse(ONCE, sited);
        return method(class, at, &[], exits, sited);
    }
    let Some(attribute) = class.methods[at].find(&class.pool, b"Code")? else {
        let what = match class.methods[at].access & (NATIVE | ABSTRACT) {
            NATIVE => "it is native: it has no bytecode",
            _ => "it is abstract: it has no bytecode",
        };
        refuse(Reason::NoPlace(what), sited);
        return Ok(false);
    };
    match rewritten(class, at, attribute, wanted, exits) {
        Ok(None) => Ok(false),
        Ok(Some((body, placed, refused))) => {
            let changes = !body.is_empty();
            if changes {
                class.methods[at].attributes[attribute].body = Cow::Owned(body);
            }
            sited.placed.extend(placed);
            sited.refused.extend(refused);
            Ok(changes)
        }
        // Constants that were added before the pool was full are in nobody's way.
        Err(reason) => {
            refuse(reason, sited);
            if wanted.is_empty() || exits.is_none() {
                return Ok(false);
            }
            // What would end the JVM is replaced all the same.
            method(class, at, &[], exits, sited)
        }
    }
}

/// New code (empty if it stays as it is), what is in it, what is not.
type Rewritten = (Vec<u8>, Vec<Placed>, Vec<Refused>);

fn rewritten<'a>(
    class: &mut Class<'a>,
    at: usize,
    attribute: usize,
    wanted: &[&Site],
    exits: Option<&str>,
) -> Result<Option<Rewritten>, Reason> {
    let method = class.methods[at].clone();
    let descriptor = class.pool.utf8(method.descriptor)?;
    let Cow::Borrowed(old) = method.attributes[attribute].body else {
        return Err(Reason::Malformed("code that was rewritten before"));
    };
    let code = Code::read(old)?;
    let leaving = match exits {
        Some(class_name) => exit_calls(&code, class_name, &mut class.pool)?,
        None => Vec::new(),
    };
    if wanted.is_empty() && leaving.is_empty() {
        return Ok(None);
    }
    if code
        .instructions
        .iter()
        .any(|one| matches!(one.opcode, opcode::JSR | opcode::JSR_W | opcode::RET))
    {
        return Err(Reason::Subroutines);
    }
    let this = match (method.access & STATIC, class.pool.utf8(method.name)?) {
        (0, b"<init>") => Some(Type::UninitializedThis),
        (0, _) => Some(Type::Object(class.this)),
        _ => None,
    };
    let entry = frames::parameters(descriptor, this, |name| class.pool.add_class(name))?;
    let ground = Ground::new(&code, entry.clone(), class.this, class.major, &class.pool)?;
    let mut spots = Vec::new();
    let mut refused = Vec::new();
    for &site in wanted {
        match ground.find(site.place, &class.pool) {
            Ok(spot) => spots.push((site, spot)),
            Err(reason) => refused.push(Refused {
                index: site.index,
                descriptor: text(descriptor),
                reason,
            }),
        }
    }
    if spots.is_empty() && leaving.is_empty() {
        return Ok(Some((Vec::new(), Vec::new(), refused)));
    }
    let edit = Edit {
        code: &code,
        entry: &entry,
        spots: &spots,
        leaving: &leaving,
        major: class.major,
    };
    let (body, positions) = edit.assemble(&mut class.pool)?;
    let lines = line_table(&code, &class.pool)?;
    let placed = spots
        .iter()
        .zip(positions)
        .map(|((site, spot), (begin, end))| Placed {
            index: site.index,
            descriptor: text(descriptor),
            line: line_at(&lines, code.instructions[spot.instruction].at),
            begin,
            end,
        });
    let placed = placed.collect();
    Ok(Some((body, placed, refused)))
}
