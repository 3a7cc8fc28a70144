//! Which instructions can throw before the counter is stored for them.
//!
//! A block stores the counter at its start if an exception can leave it: handlers and callers read it. Most blocks of
//! small methods cannot be left so: they access fields of `this`, which is never null. So the stack of each block is
//! followed, slot by slot, as far as `this` goes.

use crate::Reason;
use crate::calls::Call;
use crate::code::Code;
use crate::descriptor;
use crate::opcode;
use crate::pool::Pool;

/// What must be known of a method beside its code.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    /// Not static.
    pub(crate) instance: bool,
    /// The counter is stored in front of calls with the old signature.
    pub(crate) leave_stores: bool,
}

/// The operand stack of one block, from its start on; what lies below is not known.
pub(crate) struct Follower<'f, 'a> {
    code: &'f Code<'a>,
    pool: &'f Pool<'a>,
    around: Around,
    /// Local variable 0 is always `this`.
    keeps_this: bool,
    /// By slot: holds `this`.
    stack: Vec<bool>,
    /// Slots that were taken from below the block's start.
    below: usize,
}

impl<'f, 'a> Follower<'f, 'a> {
    pub(crate) fn new(code: &'f Code<'a>, pool: &'f Pool<'a>, around: Around) -> Self {
        let mut follower = Self {
            code,
            pool,
            around,
            keeps_this: around.instance,
            stack: Vec::new(),
            below: 0,
        };
        let stored = (0..code.instructions.len()).any(|index| follower.stores_first(index));
        follower.keeps_this &= !stored;
        follower
    }

    /// A block begins.
    pub(crate) fn begin(&mut self) {
        self.stack.clear();
        self.below = 0;
    }

    /// Slots on the stack, less those at the block's start.
    pub(crate) fn growth(&self) -> isize {
        self.stack.len() as isize - self.below as isize
    }

    /// Executes one instruction; whether it can throw before the counter is stored.
    pub(crate) fn step(&mut self, index: usize, call: Option<Call>) -> Result<bool, Reason> {
        let opcode = self.code.instructions[index].opcode;
        match opcode {
            opcode::GETFIELD..=opcode::PUTFIELD | 0xb2 | 0xb3 => self.field(opcode, index),
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => self.call(opcode, index, call),
            opcode::MULTIANEWARRAY => {
                self.pop(self.code.bytes_of(index)[3].into());
                self.push(1);
                Ok(true)
            }
            opcode::DUP => {
                let top = self.stack.last() == Some(&true);
                self.pop(1);
                self.stack.extend([top, top]);
                Ok(false)
            }
            0x12..=0x14 => {
                self.push(if opcode == 0x14 { 2 } else { 1 });
                self.constant(index)
            }
            _ => {
                let (popped, pushed) = opcode::stack(opcode);
                self.pop(popped);
                if self.loads_first(index) && self.keeps_this {
                    self.stack.push(true);
                } else {
                    self.push(pushed);
                }
                Ok(opcode::can_throw(opcode))
            }
        }
    }

    fn pop(&mut self, slots: usize) {
        let kept = self.stack.len().saturating_sub(slots);
        self.below += slots - (self.stack.len() - kept);
        self.stack.truncate(kept);
    }

    fn push(&mut self, slots: usize) {
        self.stack.extend(std::iter::repeat_n(false, slots));
    }

    /// Whether the slot so many slots below the top holds `this`.
    fn is_this(&self, under: usize) -> bool {
        let slot = self.stack.len().checked_sub(under + 1);
        slot.is_some_and(|slot| self.stack[slot])
    }

    fn loads_first(&self, index: usize) -> bool {
        self.local(index, opcode::ALOAD, opcode::ALOAD_3 - 3) == Some(0)
    }

    /// Whether any kind of value goes to local variable 0.
    fn stores_first(&self, index: usize) -> bool {
        let opcode = self.code.instructions[index].opcode;
        let short = (opcode::ISTORE_0..=opcode::ASTORE_3).contains(&opcode)
            && (opcode - opcode::ISTORE_0).is_multiple_of(4);
        let long = (opcode::ISTORE..=opcode::ASTORE).contains(&opcode)
            && self.local(index, opcode, opcode) == Some(0);
        short || long
    }

    /// The local variable of an instruction that is `long` or the first of the four short forms.
    fn local(&self, index: usize, long: u8, first: u8) -> Option<u16> {
        let (instruction, bytes) = (self.code.instructions[index], self.code.bytes_of(index));
        match instruction.opcode {
            code if code == long && instruction.wide => {
                Some(u16::from_be_bytes([bytes[2], bytes[3]]))
            }
            code if code == long => Some(bytes[1].into()),
            code if code == first => Some(0),
            _ => None,
        }
    }

    /// Numbers are there; classes, texts and method handles are resolved at run time.
    fn constant(&self, index: usize) -> Result<bool, Reason> {
        let bytes = self.code.bytes_of(index);
        let slot = match *bytes {
            [_, slot] => u16::from(slot),
            _ => self.code.constant(index),
        };
        Ok(!matches!(self.pool.tag(slot)?, 3..=6))
    }

    fn field(&mut self, opcode: u8, index: usize) -> Result<bool, Reason> {
        let field = self.pool.member(self.code.constant(index))?;
        let slots = descriptor::slots_of(field.descriptor);
        Ok(match opcode {
            opcode::GETFIELD => {
                let safe = self.is_this(0);
                self.pop(1);
                self.push(slots);
                !safe
            }
            opcode::PUTFIELD => {
                let safe = self.is_this(slots);
                self.pop(slots + 1);
                !safe
            }
            0xb2 => {
                self.push(slots);
                true
            }
            _ => {
                self.pop(slots);
                true
            }
        })
    }

    fn call(&mut self, opcode: u8, index: usize, call: Option<Call>) -> Result<bool, Reason> {
        let slot = self.code.constant(index);
        let (owner, name, descriptor) = if opcode == opcode::INVOKEDYNAMIC {
            (&b""[..], &b""[..], self.pool.dynamic_descriptor(slot)?)
        } else {
            let method = self.pool.member(slot)?;
            (method.owner, method.name, method.descriptor)
        };
        let arguments = descriptor::slots(descriptor)?;
        let instance = !matches!(opcode, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
        self.pop(arguments + usize::from(instance));
        self.push(descriptor::slots_of(descriptor::result(descriptor)));
        Ok(match call {
            // The callee would store what it is given; but compiled recursions became a quarter slower without the store.
            Some(Call::Extended(_)) => true,
            Some(Call::Old | Call::Substituted(_)) => !self.around.leave_stores,
            Some(Call::Pure) | None => !matches!(
                (owner, name),
                (b"java/lang/Object", b"<init>")
                    | (b"java/lang/Math", b"abs" | b"min" | b"max" | b"sqrt")
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use proofmark_test_support::jdk_classes;

    use super::*;
    use crate::class::{Class, STATIC};
    use crate::frames::{self, Type};

    const AROUND: Around = Around {
        instance: true,
        leave_stores: true,
    };

    /// Which instructions of a method without constants can throw.
    fn throwing(bytes: &[u8], around: Around) -> Vec<bool> {
        // One slot for a field of type int: class, name and type, names.
        let mut pool = vec![0, 7];
        pool.extend([9, 0, 2, 0, 3, 7, 0, 4, 12, 0, 5, 0, 6]);
        pool.extend([1, 0, 1, b'T', 1, 0, 1, b'f', 1, 0, 1, b'I']);
        let pool = Pool::read(&mut crate::bytes::Reader::new(&pool)).expect("a pool");
        let mut attribute = vec![0, 9, 0, 9, 0, 0, 0, bytes.len() as u8];
        attribute.extend_from_slice(bytes);
        attribute.extend([0; 4]);
        let code = Code::read(&attribute).expect("code");
        let mut follower = Follower::new(&code, &pool, around);
        let count = code.instructions.len();
        (0..count)
            .map(|index| follower.step(index, None).expect("a step"))
            .collect()
    }

    #[test]
    fn only_this_is_never_null() {
        // aload_0, getfield 1, pop; aload_1, getfield 1, pop; return
        let code = [0x2a, 0xb4, 0, 1, 0x57, 0x2b, 0xb4, 0, 1, 0x57, 0xb1];
        let found = throwing(&code, AROUND);
        assert_eq!(found, [false, false, false, false, true, false, false]);
        // A static method's variable 0 is any object; so is one that is assigned to.
        let plain = Around {
            instance: false,
            ..AROUND
        };
        assert!(throwing(&code, plain)[1]);
        assert!(throwing(&[0x2a, 0xb4, 0, 1, 0x57, 0x2b, 0x4b, 0xb1], AROUND)[1]);
    }

    #[test]
    fn this_is_found_below_what_is_put_into_its_field() {
        // aload_0, dup, getfield 1, iconst_1, iadd, putfield 1: this.f++
        let code = [0x2a, 0x59, 0xb4, 0, 1, 0x04, 0x60, 0xb5, 0, 1, 0xb1];
        assert!(throwing(&code, AROUND).iter().all(|&throws| !throws));
        // aload_1, aload_0, getfield 1, putfield 1: other.f = this.f
        let code = [0x2b, 0x2a, 0xb4, 0, 1, 0xb5, 0, 1, 0xb1];
        let found = throwing(&code, AROUND);
        assert_eq!(found, [false, false, false, true, false]);
        // aload_0, iload_1, iload_2, idiv, putfield 1: the division throws, the field does not.
        let code = [0x2a, 0x1b, 0x1c, 0x6c, 0xb5, 0, 1, 0xb1];
        assert!(throwing(&code, AROUND)[3] && !throwing(&code, AROUND)[4]);
    }

    /// The heights of the stack that the JDK's own stack maps give are the oracle.
    #[test]
    fn stacks_are_as_high_as_the_maps_of_java_base_say() {
        for (jdk, classes) in jdk_classes() {
            let mut compared = 0;
            for (name, bytes) in classes {
                let class = Class::read(bytes).expect(name);
                for method in &class.methods {
                    let Some(at) = method.find(&class.pool, b"Code").expect(name) else {
                        continue;
                    };
                    let code = Code::read(&method.attributes[at].body).expect(name);
                    let instance = method.access & STATIC == 0;
                    compared += compare(&class, &code, method.descriptor, instance);
                }
            }
            assert!(compared > 30_000, "{jdk}: {compared}");
        }
    }

    /// Follows the code from each frame to the next one that is reached by falling through.
    fn compare(class: &Class<'_>, code: &Code<'_>, descriptor: u16, instance: bool) -> usize {
        let pool = &class.pool;
        let mut heights = vec![None; code.instructions.len()];
        for attribute in &code.attributes {
            if pool.utf8(attribute.name).expect("a name") == b"StackMapTable" {
                let this = instance.then_some(Type::Top);
                let descriptor = pool.utf8(descriptor).expect("a descriptor");
                let entry = frames::parameters(descriptor, this, |_| Ok(1)).expect("parameters");
                for frame in frames::decode(&attribute.body, &entry).expect("frames") {
                    let index = code.find(frame.at as usize).expect("a position");
                    let height: usize = frame.stack.iter().map(|one| one.slots()).sum();
                    heights[index] = Some(height as isize);
                }
            }
        }
        let around = Around { instance, ..AROUND };
        let mut follower = Follower::new(code, pool, around);
        let mut base = Some(0);
        let mut compared = 0;
        for (index, &height) in heights.iter().enumerate() {
            if let Some(height) = height {
                if let Some(base) = base {
                    assert_eq!(base + follower.growth(), height, "instruction {index}");
                    compared += 1;
                }
                base = Some(height);
                follower.begin();
            }
            follower.step(index, None).expect("a step");
            if opcode::is_final(code.instructions[index].opcode) {
                base = None;
            }
        }
        compared
    }
}
