//! Rewriting a class: which methods get which counterpart.

use std::borrow::Cow;
use std::sync::Arc;

use crate::calls::Calls;
use crate::class::{
    ABSTRACT, Attribute, Class, Member, NATIVE, PRIVATE, STATIC, SYNTHETIC, VARARGS,
};
use crate::code::Code;
use crate::frames::Type;
use crate::method::{self, Subject, Tools, WayIn};
use crate::opcode;
use crate::options::Options;
use crate::outcome::{Method, Outcome};
use crate::runtime::Runtime;
use crate::serial;
use crate::summary::{Summary, key, text};
use crate::world::{MethodIds, Surroundings, Treatment, World};
use crate::wrapper::{self, Callee};
use crate::{Reason, conflicts, proxy};

/// Rewrites one class.
///
/// The result depends on the class, the options, the ids and on what `world` says, on nothing else. Anything that
/// cannot be rewritten is left as it is: the class ([`Outcome::LeftAlone`]) or single methods ([`Method::id`]).
///
/// # Accuracy
/// All blocks of all methods with an id are counted, each at its start: a block that an exception ends early counts in
/// full.
pub fn rewrite(
    class: &[u8],
    options: &Options,
    world: &dyn World,
    ids: &mut dyn MethodIds,
) -> Outcome {
    match try_rewrite(class, options, world, ids) {
        Ok((bytes, methods)) => Outcome::Rewritten { bytes, methods },
        Err(reason) => Outcome::LeftAlone { reason },
    }
}

fn try_rewrite(
    bytes: &[u8],
    options: &Options,
    world: &dyn World,
    ids: &mut dyn MethodIds,
) -> Result<(Vec<u8>, Vec<Method>), Reason> {
    let mut class = Class::read(bytes)?;
    let runtime = Runtime::new(options);
    if class.parent_name()? == Some(b"java/lang/reflect/Proxy") {
        proxy::strip(&mut class, &runtime)?;
    }
    let own = Summary::of(&class)?;
    let treatment = world.treatment(&own.name);
    let treatment = match (&own.refused, treatment) {
        (_, Treatment::Not) => return Err(Reason::Excluded),
        (Some(_), Treatment::Whole | Treatment::Copy) => Treatment::Bridges,
        (_, treatment) => treatment,
    };
    let refused = own.refused.clone();
    let surroundings = Surroundings {
        world,
        own: Arc::new(own),
        treatment,
        more_slots: runtime.parameter_slots(),
    };
    let serial = if options.serial_version && treatment != Treatment::Bridges {
        serial::version(&class, &surroundings)?
    } else {
        None
    };
    let calls = Calls::new(
        class.pool.original_slots(),
        options.pure_calls,
        options.reflection && treatment == Treatment::Whole,
    );
    let mut rewriter = Rewriter {
        runtime,
        calls,
        surroundings: &surroundings,
        options,
        ids,
        report: Vec::new(),
    };
    let before = class.methods.len();
    class.methods = rewriter
        .methods(&mut class)
        .map_err(|reason| match reason {
            // Nothing but bridges takes constants there.
            Reason::PoolFull if treatment == Treatment::Bridges => Reason::NoBridge,
            reason => reason,
        })?;
    // Such a class can only have got bridges.
    if treatment == Treatment::Bridges && class.methods.len() == before {
        return Err(refused.unwrap_or(Reason::Excluded));
    }
    if let Some(version) = serial {
        serial::add(&mut class, version)?;
    }
    let report = rewriter.report;
    Ok((class.write(2 * bytes.len())?, report))
}

struct Rewriter<'r> {
    runtime: Runtime,
    calls: Calls,
    surroundings: &'r Surroundings<'r>,
    options: &'r Options,
    ids: &'r mut dyn MethodIds,
    report: Vec<Method>,
}

impl Rewriter<'_> {
    fn methods<'a>(&mut self, class: &mut Class<'a>) -> Result<Vec<Member<'a>>, Reason> {
        let old = std::mem::take(&mut class.methods);
        let mut new = Vec::with_capacity(2 * old.len());
        for method in old {
            self.method(method, class, &mut new)?;
        }
        new.extend(conflicts::bridges(
            class,
            self.surroundings,
            &mut self.runtime,
        )?);
        Ok(new)
    }

    fn method<'a>(
        &mut self,
        mut method: Member<'a>,
        class: &mut Class<'a>,
        new: &mut Vec<Member<'a>>,
    ) -> Result<(), Reason> {
        let name = class.pool.utf8(method.name)?;
        let descriptor = class.pool.utf8(method.descriptor)?;
        if name == b"<clinit>" {
            self.initializer(&mut method, class)?;
            new.push(method);
            return Ok(());
        }
        if !self.wants_counterpart(&method, name, descriptor)? {
            if method.access & (ABSTRACT | NATIVE) == 0 {
                self.kept(name, descriptor, self.why_kept());
            }
            new.push(method);
            return Ok(());
        }
        if !self.surroundings.fits(descriptor)? {
            self.kept(name, descriptor, Reason::TooManySlots);
            new.push(method);
            return Ok(());
        }
        let mut counterpart = Member {
            access: method.access & !(VARARGS | ABSTRACT | NATIVE) | SYNTHETIC,
            name: method.name,
            descriptor: class.pool.add_utf8(&self.runtime.extend(descriptor))?,
            attributes: Vec::new(),
        };
        match self.counted(&method, class)? {
            Some(code) => {
                counterpart.attributes.push(code);
                if self.surroundings.treatment == Treatment::Whole
                    && !self.keep_main(&mut method, class)?
                {
                    self.make_wrapper(&mut method, class)?;
                }
            }
            None => counterpart.attributes.push(self.reverse(&method, class)?),
        }
        new.push(method);
        new.push(counterpart);
        Ok(())
    }

    /// Whether the method gets an extended counterpart at all.
    fn wants_counterpart(
        &self,
        method: &Member<'_>,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<bool, Reason> {
        let surroundings = self.surroundings;
        let copied = match surroundings.treatment {
            Treatment::Whole => return Ok(true),
            Treatment::Copy => surroundings.own.copyable(&key(name, descriptor)),
            Treatment::Bridges | Treatment::Not => false,
        };
        let virtual_method = method.access & (STATIC | PRIVATE) == 0;
        Ok(copied || (virtual_method && surroundings.overrides_extended(name, descriptor)?))
    }

    /// Why a method that could be rewritten is not.
    fn why_kept(&self) -> Reason {
        match (&self.surroundings.own.refused, self.surroundings.treatment) {
            (Some(reason), _) => reason.clone(),
            (None, Treatment::Bridges) => Reason::Excluded,
            (None, _) => Reason::Special,
        }
    }

    fn kept(&mut self, name: &[u8], descriptor: &[u8], reason: Reason) {
        self.report.push(Method {
            name: text(name),
            descriptor: text(descriptor),
            id: Err(reason),
        });
    }

    /// The counted code of a method, none if it has none or if it cannot be counted.
    fn counted<'a>(
        &mut self,
        method: &Member<'a>,
        class: &mut Class<'a>,
    ) -> Result<Option<Attribute<'a>>, Reason> {
        let Some(index) = method.find(&class.pool, b"Code")? else {
            return Ok(None);
        };
        let name = class.pool.utf8(method.name)?;
        let descriptor = class.pool.utf8(method.descriptor)?;
        if self.surroundings.treatment == Treatment::Bridges
            || (self.surroundings.treatment == Treatment::Copy
                && !self.surroundings.own.copyable(&key(name, descriptor)))
        {
            self.kept(name, descriptor, self.why_kept());
            return Ok(None);
        }
        let way_in = match name {
            b"<clinit>" => WayIn::Initializer,
            _ => WayIn::Extended,
        };
        let (id, code) = self.code(method, index, way_in, class)?;
        let (code, id) = match code {
            Ok(code) => (Some(code), Ok(id)),
            Err(reason) => (None, Err(reason)),
        };
        self.report.push(Method {
            name: text(name),
            descriptor: text(descriptor),
            id,
        });
        Ok(code)
    }

    /// The method's id and the counted form of its attribute `index`, its code; or why that cannot be counted.
    fn code<'a>(
        &mut self,
        method: &Member<'a>,
        index: usize,
        way_in: WayIn,
        class: &mut Class<'a>,
    ) -> Result<(u32, Result<Attribute<'a>, Reason>), Reason> {
        let name = class.pool.utf8(method.name)?;
        let descriptor = class.pool.utf8(method.descriptor)?;
        let attribute = &method.attributes[index];
        let own = &self.surroundings.own.name;
        let id = self.ids.id(own, &text(name), &text(descriptor));
        let subject = Subject {
            descriptor,
            this: this_type(method, name, class),
            id,
            way_in,
        };
        let body = match &attribute.body {
            Cow::Borrowed(body) => *body,
            Cow::Owned(_) => return Err(Reason::Malformed("code that was rewritten before")),
        };
        let mut tools = Tools {
            pool: &mut class.pool,
            runtime: &mut self.runtime,
            calls: &mut self.calls,
            surroundings: self.surroundings,
            options: self.options,
            major: class.major,
        };
        let result = Code::read(body).and_then(|code| method::rewrite(&code, &subject, &mut tools));
        let code = match result {
            Err(Reason::PoolFull) => return Err(Reason::PoolFull),
            result => result.map(|body| Attribute {
                name: attribute.name,
                body: Cow::Owned(body),
            }),
        };
        Ok((id, code))
    }

    /// Counts `main` in place, beside its extended form: a wrapper would be a second `main` in every stack trace. False
    /// if the method is another, or cannot be counted so.
    fn keep_main<'a>(
        &mut self,
        method: &mut Member<'a>,
        class: &mut Class<'a>,
    ) -> Result<bool, Reason> {
        let name = class.pool.utf8(method.name)?;
        let descriptor = class.pool.utf8(method.descriptor)?;
        let is_main = name == b"main" && descriptor == b"([Ljava/lang/String;)V";
        if !is_main || method.access & STATIC == 0 {
            return Ok(false);
        }
        let Some(index) = method.find(&class.pool, b"Code")? else {
            return Ok(false);
        };
        let (_, code) = self.code(method, index, WayIn::Root, class)?;
        let Ok(code) = code else {
            return Ok(false);
        };
        method.attributes[index] = code;
        Ok(true)
    }

    /// A static initialiser is counted in place: only it may assign static final fields.
    fn initializer<'a>(
        &mut self,
        method: &mut Member<'a>,
        class: &mut Class<'a>,
    ) -> Result<(), Reason> {
        if self.surroundings.treatment != Treatment::Whole {
            self.kept(b"<clinit>", b"()V", self.why_kept());
            return Ok(());
        }
        if let Some(code) = self.counted(method, class)?
            && let Some(index) = method.find(&class.pool, b"Code")?
        {
            method.attributes[index] = code;
        }
        Ok(())
    }

    /// Replaces the code of the old signature by a call of the extended one.
    fn make_wrapper<'a>(
        &mut self,
        method: &mut Member<'a>,
        class: &mut Class<'a>,
    ) -> Result<(), Reason> {
        let Some(index) = method.find(&class.pool, b"Code")? else {
            return Ok(());
        };
        let name = class.pool.utf8(method.name)?;
        let descriptor = class.pool.utf8(method.descriptor)?;
        let extended = self.runtime.extend(descriptor);
        let is_static = method.access & STATIC != 0;
        let callee = Callee {
            opcode: if is_static {
                opcode::INVOKESTATIC
            } else {
                opcode::INVOKESPECIAL
            },
            slot: class.own_method(name, &extended)?,
            descriptor,
            this: this_type(method, name, class),
        };
        let line = wrapper::first_line(&method.attributes[index].body, &class.pool)?;
        let (major, pool) = (class.major, &mut class.pool);
        let body = wrapper::forward(&callee, line, major, pool, &mut self.runtime)?;
        method.attributes[index].body = Cow::Owned(body);
        Ok(())
    }

    /// Code of an extended method that calls the old one.
    fn reverse<'a>(
        &mut self,
        method: &Member<'a>,
        class: &mut Class<'a>,
    ) -> Result<Attribute<'a>, Reason> {
        let name = class.pool.utf8(method.name)?;
        let descriptor = class.pool.utf8(method.descriptor)?;
        let opcode = if method.access & STATIC != 0 {
            opcode::INVOKESTATIC
        } else if method.access & ABSTRACT == 0 {
            // A sub class may come here by `super`: the method of this very class is meant.
            opcode::INVOKESPECIAL
        } else if class.is_interface() {
            opcode::INVOKEINTERFACE
        } else {
            opcode::INVOKEVIRTUAL
        };
        let callee = Callee {
            opcode,
            slot: class.own_method(name, descriptor)?,
            descriptor,
            this: this_type(method, name, class),
        };
        let body = wrapper::reverse(&callee, &mut class.pool, &mut self.runtime)?;
        Ok(Attribute {
            name: class.pool.add_utf8(b"Code")?,
            body: Cow::Owned(body),
        })
    }
}

/// Type of `this` at method entry.
fn this_type(method: &Member<'_>, name: &[u8], class: &Class<'_>) -> Option<Type> {
    match (method.access & STATIC, name) {
        (0, b"<init>") => Some(Type::UninitializedThis),
        (0, _) => Some(Type::Object(class.this)),
        _ => None,
    }
}
