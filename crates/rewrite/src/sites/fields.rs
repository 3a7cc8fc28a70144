//! The class whose static fields say how many turns the sites make.

use crate::Reason;
use crate::bytes::Reader;
use crate::class::{Attribute, Class, FINAL, Member, PUBLIC, STATIC, SYNTHETIC};
use crate::pool::Pool;

/// Internal name of the class. All loaders and modules see the JDK's package.
pub const FIELDS_CLASS: &str = "java/lang/ProofmarkSites";
/// Most sites in one JVM.
pub const MOST_SITES: u16 = 1024;
/// A field that no site ever writes, which no compiler knows.
pub(super) const SINK: &str = "sink";

/// Name of a site's field.
pub(super) fn field_name(index: u16) -> String {
    format!("k{index}")
}

/// The class file of [`FIELDS_CLASS`] with fields for so many sites, all 0: `public static int k0, k1, ...`.
///
/// # Errors
/// [`Reason::TooMany`] for more than [`MOST_SITES`].
pub fn fields_class(sites: u16) -> Result<Vec<u8>, Reason> {
    if sites > MOST_SITES {
        return Err(Reason::TooMany);
    }
    // A pool with nothing in it.
    let mut pool = Pool::read(&mut Reader::new(&[0, 1]))?;
    let this = pool.add_class(FIELDS_CLASS.as_bytes())?;
    let parent = pool.add_class(b"java/lang/Object")?;
    let descriptor = pool.add_utf8(b"I")?;
    let mut fields = Vec::with_capacity(usize::from(sites) + 1);
    for name in (0..sites).map(field_name).chain([SINK.to_owned()]) {
        fields.push(Member {
            access: PUBLIC | STATIC,
            name: pool.add_utf8(name.as_bytes())?,
            descriptor,
            attributes: Vec::<Attribute<'_>>::new(),
        });
    }
    let class = Class {
        minor: 0,
        major: 52,
        pool,
        access: PUBLIC | FINAL | SYNTHETIC | 0x0020,
        this,
        parent,
        interfaces: Vec::new(),
        fields,
        methods: Vec::new(),
        attributes: Vec::new(),
    };
    class.write(32 * (usize::from(sites) + 4))
}
