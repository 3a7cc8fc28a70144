//! What other classes must know of a class.

use foldhash::{HashMap, HashMapExt};

use crate::Reason;
use crate::bytes::Reader;
use crate::class::{ABSTRACT, ANNOTATION, Class, JAVA_8, Member, NATIVE, STATIC};
use crate::pool::{INTERFACE_METHOD, METHOD, Pool};
use crate::text::{from_modified_utf8, to_modified_utf8};

/// Names and methods of a class, without its code.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Internal name, such as `java/util/List`.
    pub name: String,
    /// Internal name of the super class.
    pub parent: Option<String>,
    /// Internal names of the interfaces that it names itself.
    pub interfaces: Vec<String>,
    /// Whether it is abstract, or an interface.
    pub is_abstract: bool,
    /// Why the class cannot get extended methods; none if it can.
    pub refused: Option<Reason>,
    /// Name and descriptor, one behind the other, to what is known of the method.
    methods: HashMap<Box<[u8]>, Known>,
}

/// A method that a class declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its descriptor, such as `(I)V`.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}

/// What is known of a method.
#[derive(Clone, Copy, Debug)]
struct Known {
    is_static: bool,
    /// Whether the JDK's policy allows a copy.
    copyable: bool,
}

/// Annotations of methods that the JVM treats specially.
const SPECIAL: [&[u8]; 6] = [
    b"Ljdk/internal/vm/annotation/IntrinsicCandidate;",
    b"Ljdk/internal/HotSpotIntrinsicCandidate;",
    b"Ljdk/internal/reflect/CallerSensitive;",
    b"Ljdk/internal/vm/annotation/Hidden;",
    b"Ljava/lang/invoke/LambdaForm$Hidden;",
    b"Ljdk/internal/vm/annotation/ReservedStackAccess;",
];

impl Summary {
    /// Reads the summary of a class file.
    ///
    /// # Errors
    /// [`Reason::Malformed`] if the bytes are no class file.
    pub fn read(class: &[u8]) -> Result<Self, Reason> {
        Self::of(&Class::read(class)?)
    }

    pub(crate) fn of(class: &Class<'_>) -> Result<Self, Reason> {
        let pool = &class.pool;
        let mut methods = HashMap::with_capacity(class.methods.len());
        for method in &class.methods {
            let copyable = method.access & NATIVE == 0 && !is_special(method, pool)?;
            let key = key(pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
            methods.insert(
                key.into_boxed_slice(),
                Known {
                    is_static: method.access & STATIC != 0,
                    copyable,
                },
            );
        }
        let interfaces = class.interfaces.iter();
        Ok(Self {
            name: text(class.name()?),
            parent: class.parent_name()?.map(text),
            interfaces: interfaces
                .map(|&interface| pool.class(interface).map(text))
                .collect::<Result<_, _>>()?,
            is_abstract: class.access & ABSTRACT != 0,
            refused: refused(class)?,
            methods,
        })
    }

    /// Names of the methods that the class declares, sorted; overloads are named once.
    #[must_use]
    pub fn method_names(&self) -> Vec<String> {
        let name = |key: &[u8]| text(key.split(|&byte| byte == b'(').next().unwrap_or_default());
        let names: std::collections::BTreeSet<String> =
            self.methods.keys().map(|key| name(key)).collect();
        names.into_iter().collect()
    }

    /// The methods of that name which the class declares.
    #[must_use]
    pub fn descriptors(&self, name: &str) -> Vec<Declared> {
        let name = to_modified_utf8(name);
        let all = self.methods.iter().filter_map(|(key, known)| {
            let descriptor = key.strip_prefix(&*name)?;
            descriptor.starts_with(b"(").then(|| Declared {
                descriptor: text(descriptor),
                is_static: known.is_static,
            })
        });
        all.collect()
    }

    /// Whether the class itself declares the method.
    pub(crate) fn declares(&self, key: &[u8]) -> bool {
        self.methods.contains_key(key)
    }

    /// Names and descriptors of the methods that the class declares and objects can have, in no order.
    pub(crate) fn virtual_keys(&self) -> impl Iterator<Item = &[u8]> {
        let all = self.methods.iter();
        let all = all.filter(|(key, known)| !known.is_static && !key.starts_with(b"<"));
        all.map(|(key, _)| &**key)
    }

    /// Whether a counted copy of a method of the JDK may stand beside it.
    pub(crate) fn copyable(&self, key: &[u8]) -> bool {
        self.methods.get(key).is_some_and(|known| known.copyable)
    }
}

/// Name and descriptor as one key; the parenthesis separates them.
pub(crate) fn key(name: &[u8], descriptor: &[u8]) -> Vec<u8> {
    [name, descriptor].concat()
}

/// A name of the class file as text; what is no text is never equal to a name that somebody gave us.
pub(crate) fn text(name: &[u8]) -> String {
    from_modified_utf8(name).into_owned()
}

/// Decided by the class file alone, so that every caller comes to the same result.
fn refused(class: &Class<'_>) -> Result<Option<Reason>, Reason> {
    if class.access & ANNOTATION != 0 {
        return Ok(Some(Reason::Annotation));
    }
    if class.is_interface() && class.major < JAVA_8 {
        return Ok(Some(Reason::OldInterface));
    }
    let mut needed = class.pool.slots() + 72 + 12 * class.methods.len();
    for method in &class.methods {
        // Frames name the classes of parameters: each is a constant, and its name another one.
        let descriptor = class.pool.utf8(method.descriptor)?;
        let classes = descriptor.iter().filter(|byte| matches!(byte, b';' | b'['));
        needed += 2 * classes.count();
    }
    for slot in 1..class.pool.original_slots() {
        if let Ok(METHOD | INTERFACE_METHOD) = class.pool.tag(slot as u16) {
            needed += 4;
        }
    }
    let full = needed > 0xffff || 2 * class.methods.len() > 0xffff;
    Ok(full.then_some(Reason::PoolFull))
}

/// Names of the methods of a class file that carry an annotation which is kept at run time, in the order of the file;
/// `annotation` is its descriptor, such as `Lcom/acme/Mark;`.
///
/// # Errors
/// [`Reason::Malformed`] if the bytes are no class file.
pub fn annotated_methods(class: &[u8], annotation: &str) -> Result<Vec<String>, Reason> {
    let class = Class::read(class)?;
    let mut names = Vec::new();
    for method in &class.methods {
        if carries(method, &class.pool, &[annotation.as_bytes()])? {
            names.push(text(class.pool.utf8(method.name)?));
        }
    }
    Ok(names)
}

fn is_special(method: &Member<'_>, pool: &Pool<'_>) -> Result<bool, Reason> {
    carries(method, pool, &SPECIAL)
}

/// Whether a method has one of these annotations, kept at run time.
fn carries(method: &Member<'_>, pool: &Pool<'_>, annotations: &[&[u8]]) -> Result<bool, Reason> {
    let Some(index) = method.find(pool, b"RuntimeVisibleAnnotations")? else {
        return Ok(false);
    };
    let mut reader = Reader::new(&method.attributes[index].body);
    for _ in 0..reader.u2()? {
        let kind = pool.utf8(reader.clone().u2()?)?;
        if annotations.contains(&kind) {
            return Ok(true);
        }
        crate::annotations::skip(&mut reader)?;
    }
    Ok(false)
}
