//! Classes that the JDK generates for `java.lang.reflect.Proxy`.
//!
//! The generator implements every method of every interface, extended ones included; such a call would reach the
//! program's handler. Without them the interface's own reverse wrapper is found, which calls the old signature.

use crate::Reason;
use crate::class::Class;
use crate::runtime::Runtime;

/// Removes the extended methods.
pub(crate) fn strip(class: &mut Class<'_>, runtime: &Runtime) -> Result<(), Reason> {
    let ending = [&runtime.parameters[..], b")"].concat();
    let mut kept = Vec::with_capacity(class.methods.len());
    for method in std::mem::take(&mut class.methods) {
        let descriptor = class.pool.utf8(method.descriptor)?;
        let end = descriptor.iter().rposition(|&byte| byte == b')');
        if !end.is_some_and(|end| descriptor[..=end].ends_with(&ending)) {
            kept.push(method);
        }
    }
    class.methods = kept;
    Ok(())
}
