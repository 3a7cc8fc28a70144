//! A class file, taken apart down to its attributes and put together again byte for byte.

use std::borrow::Cow;

use crate::Reason;
use crate::bytes::{Reader, Write, malformed};
use crate::pool::{INTERFACE_METHOD, METHOD, Pool};

pub(crate) const PUBLIC: u16 = 0x0001;
pub(crate) const PRIVATE: u16 = 0x0002;
pub(crate) const STATIC: u16 = 0x0008;
pub(crate) const FINAL: u16 = 0x0010;
pub(crate) const VARARGS: u16 = 0x0080;
pub(crate) const NATIVE: u16 = 0x0100;
pub(crate) const INTERFACE: u16 = 0x0200;
pub(crate) const ABSTRACT: u16 = 0x0400;
pub(crate) const SYNTHETIC: u16 = 0x1000;
pub(crate) const ANNOTATION: u16 = 0x2000;
pub(crate) const ENUM: u16 = 0x4000;

/// First version whose interfaces may have methods with bodies.
pub(crate) const JAVA_8: u16 = 52;
/// First version with stack maps.
pub(crate) const JAVA_6: u16 = 50;

pub(crate) struct Class<'a> {
    pub(crate) minor: u16,
    pub(crate) major: u16,
    pub(crate) pool: Pool<'a>,
    pub(crate) access: u16,
    pub(crate) this: u16,
    pub(crate) parent: u16,
    pub(crate) interfaces: Vec<u16>,
    pub(crate) fields: Vec<Member<'a>>,
    pub(crate) methods: Vec<Member<'a>>,
    pub(crate) attributes: Vec<Attribute<'a>>,
}

/// A field or a method.
#[derive(Clone)]
pub(crate) struct Member<'a> {
    pub(crate) access: u16,
    pub(crate) name: u16,
    pub(crate) descriptor: u16,
    pub(crate) attributes: Vec<Attribute<'a>>,
}

#[derive(Clone)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: u16,
    pub(crate) body: Cow<'a, [u8]>,
}

impl<'a> Class<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Reason> {
        let mut reader = Reader::new(bytes);
        if reader.u4()? != 0xcafe_babe {
            return malformed("not a class file");
        }
        let minor = reader.u2()?;
        let major = reader.u2()?;
        let pool = Pool::read(&mut reader)?;
        let class = Self {
            minor,
            major,
            pool,
            access: reader.u2()?,
            this: reader.u2()?,
            parent: reader.u2()?,
            interfaces: reader.table(Reader::u2)?,
            fields: reader.table(read_member)?,
            methods: reader.table(read_member)?,
            attributes: read_attributes(&mut reader)?,
        };
        if !reader.is_empty() {
            return malformed("bytes behind the end of the class");
        }
        Ok(class)
    }

    pub(crate) fn write(&self, capacity: usize) -> Result<Vec<u8>, Reason> {
        let mut out = Vec::with_capacity(capacity);
        out.u4(0xcafe_babe);
        out.u2(self.minor);
        out.u2(self.major);
        self.pool.write(&mut out);
        out.u2(self.access);
        out.u2(self.this);
        out.u2(self.parent);
        out.count(self.interfaces.len())?;
        for &interface in &self.interfaces {
            out.u2(interface);
        }
        for members in [&self.fields, &self.methods] {
            out.count(members.len())?;
            for member in members {
                out.u2(member.access);
                out.u2(member.name);
                out.u2(member.descriptor);
                write_attributes(&member.attributes, &mut out)?;
            }
        }
        write_attributes(&self.attributes, &mut out)?;
        Ok(out)
    }

    pub(crate) fn name(&self) -> Result<&'a [u8], Reason> {
        self.pool.class(self.this)
    }

    /// Name of the super class; none for `java.lang.Object` and modules.
    pub(crate) fn parent_name(&self) -> Result<Option<&'a [u8]>, Reason> {
        match self.parent {
            0 => Ok(None),
            parent => self.pool.class(parent).map(Some),
        }
    }

    pub(crate) fn is_interface(&self) -> bool {
        self.access & INTERFACE != 0
    }

    /// The constant of a method by the class's own name.
    pub(crate) fn own_method(&mut self, name: &[u8], descriptor: &[u8]) -> Result<u16, Reason> {
        let tag = match self.is_interface() {
            true => INTERFACE_METHOD,
            false => METHOD,
        };
        self.pool.add_member(tag, self.this, name, descriptor)
    }
}

impl<'a> Member<'a> {
    /// Index of the attribute with that name.
    pub(crate) fn find(&self, pool: &Pool<'_>, name: &[u8]) -> Result<Option<usize>, Reason> {
        for (index, attribute) in self.attributes.iter().enumerate() {
            if pool.utf8(attribute.name)? == name {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

fn read_member<'a>(reader: &mut Reader<'a>) -> Result<Member<'a>, Reason> {
    Ok(Member {
        access: reader.u2()?,
        name: reader.u2()?,
        descriptor: reader.u2()?,
        attributes: read_attributes(reader)?,
    })
}

pub(crate) fn read_attributes<'a>(reader: &mut Reader<'a>) -> Result<Vec<Attribute<'a>>, Reason> {
    reader.table(|reader| {
        let name = reader.u2()?;
        let length = reader.u4()? as usize;
        Ok(Attribute {
            name,
            body: Cow::Borrowed(reader.take(length)?),
        })
    })
}

pub(crate) fn write_attributes(
    attributes: &[Attribute<'_>],
    out: &mut Vec<u8>,
) -> Result<(), Reason> {
    out.count(attributes.len())?;
    for attribute in attributes {
        out.u2(attribute.name);
        out.u4(u32::try_from(attribute.body.len()).map_err(|_| Reason::TooMany)?);
        out.extend_from_slice(&attribute.body);
    }
    Ok(())
}
