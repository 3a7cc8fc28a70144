//! CPU time of the program's threads: every thread that runs Java code, but those of the JVM itself, of the harness and of
//! a profiler.
//!
//! *Accuracy.* The kernel's own clock of each thread, in ns, from where the JVM says that it begins to run Java code to
//! where it says that it has; what starting and ending a thread takes besides is not in it. A thread that ends between
//! two questions is asked as it ends, so that nothing of it is lost.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::jvmti::cpu_ns;

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    living: BTreeMap::new(),
    ended_ns: 0,
    ended: SinceMark {
        threads: 0,
        busiest_ns: 0,
    },
});

/// The ledger of this JVM.
pub(crate) fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the program's threads have used.
pub(crate) struct Ledger {
    /// By the kernel's id.
    living: BTreeMap<i32, Living>,
    /// Time of those that have ended, ns.
    ended_ns: u64,
    /// What of it was since the mark.
    ended: SinceMark,
}

/// A thread that has begun and not ended. Times are those of its own clock, ns.
struct Living {
    begun_ns: u64,
    marked_ns: u64,
    last_ns: u64,
}

/// What threads did since the mark.
#[derive(Clone, Copy)]
pub(crate) struct SinceMark {
    /// How many of them had CPU time.
    pub(crate) threads: u32,
    /// CPU time of the one that had most, ns.
    pub(crate) busiest_ns: u64,
}

impl Living {
    /// Looks at its clock; a thread that is gone without a word keeps what it had.
    fn look(&mut self, thread: i32) {
        self.last_ns = cpu_ns(thread).map_or(self.last_ns, |now| now.max(self.last_ns));
    }

    fn since_begin_ns(&self) -> u64 {
        self.last_ns - self.begun_ns
    }

    fn since_mark_ns(&self) -> u64 {
        self.last_ns - self.marked_ns
    }
}

impl SinceMark {
    fn with(self, more_ns: u64) -> Self {
        Self {
            threads: self.threads + u32::from(more_ns > 0),
            busiest_ns: self.busiest_ns.max(more_ns),
        }
    }
}

impl Ledger {
    /// The thread with that id counts from now on.
    pub(crate) fn begin(&mut self, thread: i32) {
        // The kernel gives ids again.
        self.end(thread);
        let now = cpu_ns(thread).unwrap_or(0);
        let living = Living {
            begun_ns: now,
            marked_ns: now,
            last_ns: now,
        };
        self.living.insert(thread, living);
    }

    /// It ends, if it is one of the program's.
    pub(crate) fn end(&mut self, thread: i32) {
        if let Some(mut one) = self.living.remove(&thread) {
            one.look(thread);
            self.ended_ns += one.since_begin_ns();
            self.ended = self.ended.with(one.since_mark_ns());
        }
    }

    /// CPU time of all, those included that have ended, ns.
    pub(crate) fn total_ns(&mut self) -> u64 {
        self.look();
        let living = self.living.values();
        self.ended_ns + living.map(Living::since_begin_ns).sum::<u64>()
    }

    /// From here on it is said what each one does.
    pub(crate) fn mark(&mut self) {
        self.look();
        for one in self.living.values_mut() {
            one.marked_ns = one.last_ns;
        }
        self.ended = SinceMark {
            threads: 0,
            busiest_ns: 0,
        };
    }

    /// What they did since the mark.
    pub(crate) fn since_mark(&mut self) -> SinceMark {
        self.look();
        let living = self.living.values();
        living.fold(self.ended, |sum, one| sum.with(one.since_mark_ns()))
    }

    fn look(&mut self) {
        for (thread, one) in &mut self.living {
            one.look(*thread);
        }
    }
}
