//! What each call of a class becomes.

use crate::Reason;
use crate::pool::{INTERFACE_METHOD, Pool};
use crate::pure;
use crate::runtime::Runtime;
use crate::world::Surroundings;

/// How a call is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// To the extended method in that constant.
    Extended(u16),
    /// As it is, with the state saved before and read again after it.
    Old,
    /// As it is; it never calls back, and is not counted.
    Pure,
    /// To a static method of the runtime in that constant, otherwise as [`Call::Old`].
    Substituted(u16),
}

/// Decisions, one per method reference of the class.
pub(crate) struct Calls {
    decided: Vec<Option<Call>>,
    pure_calls: bool,
    reflection: bool,
}

impl Calls {
    pub(crate) fn new(slots: usize, pure_calls: bool, reflection: bool) -> Self {
        Self {
            decided: vec![None; slots],
            pure_calls,
            reflection,
        }
    }

    /// What becomes of a call that names the method reference in `slot`.
    pub(crate) fn decide(
        &mut self,
        slot: u16,
        pool: &mut Pool<'_>,
        runtime: &mut Runtime,
        surroundings: &Surroundings<'_>,
    ) -> Result<Call, Reason> {
        if let Some(Some(decided)) = self.decided.get(usize::from(slot)) {
            return Ok(*decided);
        }
        let reference = pool.member(slot)?;
        let (owner, name, descriptor) = (reference.owner, reference.name, reference.descriptor);
        let shape = substitute(owner, name, descriptor).filter(|_| self.reflection);
        let call = if let Some(shape) = shape {
            Call::Substituted(runtime.reflection(name, shape.as_bytes(), pool)?)
        } else if surroundings.is_extended(owner, name, descriptor)? {
            let extended = runtime.extend(descriptor);
            let tag = reference.tag.min(INTERFACE_METHOD);
            Call::Extended(pool.add_member(tag, reference.class, name, &extended)?)
        } else if self.pure_calls && pure::is_pure(owner, name, descriptor) {
            // Only what is not counted: where the JDK is, `String.charAt` is a method like others.
            Call::Pure
        } else {
            Call::Old
        };
        if let Some(decided) = self.decided.get_mut(usize::from(slot)) {
            *decided = Some(call);
        }
        Ok(call)
    }
}

/// Descriptor of the runtime's substitute for a method of reflection.
fn substitute(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static str> {
    Some(match (owner, name, descriptor) {
        (b"java/lang/Class", b"getMethods" | b"getDeclaredMethods", _) => {
            "(Ljava/lang/Class;)[Ljava/lang/reflect/Method;"
        }
        (b"java/lang/Class", b"getConstructors" | b"getDeclaredConstructors", _) => {
            "(Ljava/lang/Class;)[Ljava/lang/reflect/Constructor;"
        }
        (b"java/lang/reflect/Proxy", b"newProxyInstance", _) => {
            "(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)\
             Ljava/lang/Object;"
        }
        (b"java/lang/reflect/Proxy", b"getInvocationHandler", _) => {
            "(Ljava/lang/Object;)Ljava/lang/reflect/InvocationHandler;"
        }
        _ => return None,
    })
}
