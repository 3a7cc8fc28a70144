//! One opened perf event: a file descriptor that can be switched and read.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use perf_event_open_sys as perf;
use perf_event_open_sys::bindings as sys;

use crate::error::SamplerError;

/// A perf event opened on one thread.
pub(crate) struct Counter {
    fd: OwnedFd,
    counts_lost: bool,
}

/// What a counter says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Events counted since opening, in the event's unit (ns or cycles).
    pub value: u64,
    /// Samples lost since opening; `None` before Linux 6.0, then only the ring's records tell.
    pub lost: Option<u64>,
}

impl Counter {
    /// Opens an event on one thread, on whatever CPU it runs, children not included.
    pub fn open(mut attributes: sys::perf_event_attr, tid: u32) -> io::Result<Counter> {
        attributes.read_format = sys::PERF_FORMAT_LOST.into();
        match open_fd(&mut attributes, tid) {
            Ok(fd) => Ok(Counter {
                fd,
                counts_lost: true,
            }),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                attributes.read_format = 0;
                open_fd(&mut attributes, tid).map(|fd| Counter {
                    fd,
                    counts_lost: false,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Starts counting.
    pub fn enable(&self) -> Result<(), SamplerError> {
        // SAFETY: the descriptor is a live perf event and ENABLE takes no pointer.
        check(
            unsafe { perf::ioctls::ENABLE(self.fd.as_raw_fd(), 0) },
            "switching the sampler on",
        )
    }

    /// Stops counting; what was sampled stays in the ring.
    pub fn disable(&self) -> Result<(), SamplerError> {
        // SAFETY: the descriptor is a live perf event and DISABLE takes no pointer.
        check(
            unsafe { perf::ioctls::DISABLE(self.fd.as_raw_fd(), 0) },
            "switching the sampler off",
        )
    }

    /// Reads value and losses.
    pub fn read(&self) -> Result<Reading, SamplerError> {
        let mut bytes = [0; 16];
        let length = rustix::io::read(&self.fd, &mut bytes)
            .map_err(|errno| system("reading the counter", errno))?;
        let word = |index: usize| {
            bytes.as_chunks::<8>().0[..length / 8]
                .get(index)
                .map(|word| u64::from_ne_bytes(*word))
        };
        // A pinned event that lost its hardware counter reads as end of file.
        let value = word(0).ok_or(SamplerError::CounterTaken)?;
        Ok(Reading {
            value,
            lost: word(1).filter(|_| self.counts_lost),
        })
    }
}

impl AsFd for Counter {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

fn open_fd(attributes: &mut sys::perf_event_attr, tid: u32) -> io::Result<OwnedFd> {
    let tid = i32::try_from(tid).map_err(|_| io::Error::from(rustix::io::Errno::SRCH))?;
    // SAFETY: the attributes are initialised, carry their own size and ask for nothing that writes to our memory.
    let fd =
        unsafe { perf::perf_event_open(attributes, tid, -1, -1, sys::PERF_FLAG_FD_CLOEXEC.into()) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just made this descriptor for us, nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn check(result: i32, what: &'static str) -> Result<(), SamplerError> {
    if result < 0 {
        return Err(SamplerError::System {
            what,
            source: io::Error::last_os_error(),
        });
    }
    Ok(())
}

fn system(what: &'static str, errno: rustix::io::Errno) -> SamplerError {
    SamplerError::System {
        what,
        source: errno.into(),
    }
}
