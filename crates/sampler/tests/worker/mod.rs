//! A thread that computes when told to.

use std::hint::black_box;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rustix::time::{ClockId, clock_gettime};

/// A thread that computes for as much CPU time as it is told.
pub struct Worker {
    pub tid: u32,
    orders_ns: Sender<u64>,
    done: Receiver<()>,
    thread: JoinHandle<()>,
}

impl Worker {
    pub fn start() -> Worker {
        let (orders_ns, orders) = channel::<u64>();
        let (finished, done) = channel();
        let (report_tid, tid) = channel();
        let thread = std::thread::spawn(move || {
            report_tid
                .send(rustix::thread::gettid().as_raw_pid() as u32)
                .unwrap();
            for cpu_ns in orders {
                compute(cpu_ns);
                finished.send(()).unwrap();
            }
        });
        Worker {
            tid: tid.recv().unwrap(),
            orders_ns,
            done,
            thread,
        }
    }

    /// Computes for this much CPU time and returns when it is used up.
    pub fn compute(&self, cpu_ns: u64) {
        self.orders_ns.send(cpu_ns).unwrap();
        self.done.recv().unwrap();
    }

    /// Ends the thread.
    pub fn end(self) {
        drop(self.orders_ns);
        self.thread.join().unwrap();
    }
}

pub fn now_ns(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[inline(never)]
fn compute(cpu_ns: u64) {
    let end = now_ns(ClockId::ThreadCPUTime) + cpu_ns;
    while now_ns(ClockId::ThreadCPUTime) < end {
        for turn in 0..50_000_u32 {
            black_box(turn);
        }
    }
}
