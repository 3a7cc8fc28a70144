//! Writing the straight-line code that counts.

use crate::Reason;
use crate::bytes::Write;
use crate::layout::access;
use crate::opcode;
use crate::options::Mode;
use crate::patches::Patches;
use crate::pool::Pool;
use crate::runtime::{Runtime, Symbol, push_int, push_long};

/// Additional operand stack slots that the inserted code needs at most.
pub(crate) const STACK: u16 = 6;

/// Writes into the patches of one method.
pub(crate) struct Emitter<'e, 'a> {
    pub(crate) pool: &'e mut Pool<'a>,
    pub(crate) runtime: &'e mut Runtime,
    pub(crate) patches: Patches,
    /// First inserted local variable: the context or the node.
    pub(crate) base: u16,
    pub(crate) id: u32,
}

impl Emitter<'_, '_> {
    fn sampling(&self) -> bool {
        self.runtime.mode == Mode::Sampling
    }

    fn access(&mut self, plain: u8, distance: u16) {
        access(plain, self.base + distance, &mut self.patches.bytes);
    }

    /// Pushes the context (sampling) or the node (exact).
    fn state(&mut self) {
        self.access(opcode::ALOAD, 0);
    }

    fn frame(&mut self) {
        self.access(opcode::ALOAD, 1);
    }

    fn counter(&mut self, plain: u8) {
        let distance = if self.sampling() { 2 } else { 1 };
        self.access(plain, distance);
    }

    fn emit(&mut self, symbol: Symbol) -> Result<(), Reason> {
        self.runtime
            .emit(symbol, self.pool, &mut self.patches.bytes)
    }

    fn push_id(&mut self) -> Result<(), Reason> {
        push_int(self.id as i32, self.pool, &mut self.patches.bytes)
    }

    fn context_frame_counter(&mut self) {
        self.state();
        self.frame();
        self.counter(opcode::LLOAD);
    }

    /// Start of an extended method. `push`: its frame gets its id.
    pub(crate) fn entry(&mut self, push: bool) -> Result<(), Reason> {
        if self.sampling() {
            if push {
                self.frame();
                self.push_id()?;
                self.emit(Symbol::Id)?;
            }
            return Ok(());
        }
        self.state();
        self.push_id()?;
        self.emit(Symbol::Child)?;
        self.load_node()
    }

    fn load_node(&mut self) -> Result<(), Reason> {
        self.access(opcode::ASTORE, 0);
        self.state();
        self.emit(Symbol::Count)?;
        self.counter(opcode::LSTORE);
        Ok(())
    }

    /// Start of a static initialiser.
    pub(crate) fn initializer_entry(&mut self) -> Result<(), Reason> {
        self.push_id()?;
        self.emit(Symbol::Initializer)?;
        if self.sampling() {
            self.load_frame()
        } else {
            self.load_node()
        }
    }

    /// Leaves the context of a static initialiser.
    pub(crate) fn initializer_end(&mut self) -> Result<(), Reason> {
        let distance = u16::from(self.sampling());
        self.access(opcode::ALOAD, distance);
        self.emit(Symbol::LeaveInitializer)
    }

    /// Start of a method that keeps its signature, as a wrapper and the extended method together.
    pub(crate) fn root_entry(&mut self) -> Result<(), Reason> {
        self.emit(Symbol::Enter)?;
        if self.sampling() {
            return self.load_frame();
        }
        // The node above, below which this method's own is looked for.
        self.access(opcode::ASTORE, 0);
        self.entry(true)
    }

    /// End of a method that keeps its signature.
    pub(crate) fn root_end(&mut self) -> Result<(), Reason> {
        if self.sampling() {
            self.frame();
            return self.emit(Symbol::Exit);
        }
        // Back to the node above the method's own, as at the end of an initialiser.
        self.state();
        self.emit(Symbol::LeaveInitializer)
    }

    /// Takes the frame on the operand stack, its context and the counter.
    fn load_frame(&mut self) -> Result<(), Reason> {
        self.access(opcode::ASTORE, 1);
        self.frame();
        self.emit(Symbol::FrameContext)?;
        self.access(opcode::ASTORE, 0);
        self.state();
        self.emit(Symbol::Count)?;
        self.counter(opcode::LSTORE);
        self.entry(true)
    }

    /// Counts a block. `through`: the count is also stored where handlers and callers find it.
    pub(crate) fn count(&mut self, bytecodes: usize, through: bool) -> Result<(), Reason> {
        if through {
            self.state();
        }
        self.add(bytecodes)?;
        if through {
            self.patches.bytes.u1(opcode::DUP2);
        }
        self.counter(opcode::LSTORE);
        if through {
            self.runtime
                .emit_store(self.pool, &mut self.patches.bytes)?;
        }
        Ok(())
    }

    /// Counts the last block of an exact activation, whose local count is not needed any more.
    pub(crate) fn count_last(&mut self, bytecodes: usize) -> Result<(), Reason> {
        self.state();
        self.add(bytecodes)?;
        self.runtime.emit_store(self.pool, &mut self.patches.bytes)
    }

    /// Counts the last block of an activation and leaves the sample that may be due to the caller.
    pub(crate) fn count_end(&mut self, bytecodes: usize) -> Result<(), Reason> {
        self.state();
        self.frame();
        self.add(bytecodes)?;
        self.push_id()?;
        self.emit(Symbol::End)
    }

    fn add(&mut self, bytecodes: usize) -> Result<(), Reason> {
        self.counter(opcode::LLOAD);
        push_long(bytecodes as i64, self.pool, &mut self.patches.bytes)?;
        let sum = if self.sampling() {
            opcode::LSUB
        } else {
            opcode::LADD
        };
        self.patches.bytes.u1(sum);
        Ok(())
    }

    /// Leaves the sample that may be due at the end of the method to the caller.
    pub(crate) fn end(&mut self) -> Result<(), Reason> {
        self.context_frame_counter();
        self.push_id()?;
        self.emit(Symbol::End)
    }

    /// Takes a sample if one is due, and goes on.
    pub(crate) fn check(&mut self) -> Result<(), Reason> {
        self.context_frame_counter();
        self.emit(Symbol::Check)?;
        self.counter(opcode::LSTORE);
        Ok(())
    }

    /// Pushes the additional arguments of a call.
    pub(crate) fn arguments(&mut self) -> Result<(), Reason> {
        self.state();
        if self.sampling() {
            self.frame();
            self.emit(Symbol::Next)?;
            self.context_frame_counter();
            self.emit(Symbol::Check)?;
        }
        Ok(())
    }

    /// After a call of an extended method.
    pub(crate) fn returned(&mut self) -> Result<(), Reason> {
        if self.sampling() {
            self.state();
            self.emit(Symbol::Count)?;
            self.counter(opcode::LSTORE);
        }
        Ok(())
    }

    /// Before a call with the old signature.
    pub(crate) fn leave(&mut self) -> Result<(), Reason> {
        if self.sampling() {
            self.context_frame_counter();
        } else {
            self.state();
        }
        self.emit(Symbol::Leave)
    }

    /// After a call with the old signature.
    pub(crate) fn back(&mut self) -> Result<(), Reason> {
        self.state();
        self.emit(Symbol::Back)?;
        if self.sampling() {
            self.counter(opcode::LSTORE);
        }
        Ok(())
    }

    /// Where an exception is caught: what [`Self::back`] does, by loads and stores alone. Where the stack has overflowed a call
    /// would overflow it again, and a lock that the handler gives back would stay held.
    pub(crate) fn caught(&mut self) -> Result<(), Reason> {
        self.state();
        if self.sampling() {
            self.patches.bytes.u1(opcode::ICONST_0);
        } else {
            self.emit(Symbol::Thread)?;
            self.patches.bytes.u1(opcode::ACONST_NULL);
        }
        self.emit(Symbol::Top)?;
        self.returned()
    }
}
