//! The ring buffer that the kernel writes records into.

use std::io;
use std::os::fd::AsFd;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use perf_event_open_sys::bindings::perf_event_mmap_page;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::error::SamplerError;
use crate::records::unread_spans;

/// A mapped ring: one page of head and tail, then `size` bytes of records.
pub(crate) struct Ring {
    page: *mut perf_event_mmap_page,
    size: usize,
    mapped: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and `take` needs `&mut self`.
unsafe impl Send for Ring {}

impl Ring {
    /// Maps a ring of at least `wanted` bytes, or the largest smaller one that the limit on locked memory leaves.
    ///
    /// # Errors
    /// [`SamplerError::Ring`] if not even one page of records can be mapped.
    pub fn map(counter: impl AsFd, wanted: usize) -> Result<Ring, SamplerError> {
        let page_bytes = rustix::param::page_size();
        let mut size = wanted.max(page_bytes).next_power_of_two();
        loop {
            match Ring::map_exactly(counter.as_fd(), page_bytes, size) {
                Ok(ring) => return Ok(ring),
                Err(_) if size > page_bytes => size /= 2,
                Err(source) => return Err(SamplerError::Ring { source }),
            }
        }
    }

    fn map_exactly(counter: impl AsFd, page_bytes: usize, size: usize) -> io::Result<Ring> {
        let mapped = page_bytes + size;
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory of ours.
        let page = unsafe {
            mmap(
                ptr::null_mut(),
                mapped,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED,
                counter,
                0,
            )
        }?;
        Ok(Ring {
            page: page.cast(),
            size,
            mapped,
        })
    }

    /// Moves all unread bytes to the end of `bytes` and frees their place in the ring.
    ///
    /// # Errors
    /// [`SamplerError::Corrupt`] if head and tail contradict each other.
    pub fn take(&mut self, bytes: &mut Vec<u8>) -> Result<(), SamplerError> {
        let head = self.head().load(Ordering::Acquire);
        let tail = self.tail().load(Ordering::Relaxed);
        let spans = unread_spans(tail, head, self.size).ok_or(SamplerError::Corrupt {
            offset: 0,
            length: head.wrapping_sub(tail) as usize,
        })?;
        for span in spans {
            // SAFETY: the span lies inside the record space, which starts one page (mapped - size) into the mapping, and
            // the kernel does not write between tail and head until the tail is moved below.
            let unread = unsafe {
                std::slice::from_raw_parts(
                    self.page
                        .cast::<u8>()
                        .add(self.mapped - self.size + span.start),
                    span.len(),
                )
            };
            bytes.extend_from_slice(unread);
        }
        self.tail().store(head, Ordering::Release);
        Ok(())
    }

    /// The kernel's position: bytes ever written.
    fn head(&self) -> &AtomicU64 {
        // SAFETY: the field is aligned, lives as long as the mapping, and is only ever read and written atomically.
        unsafe { AtomicU64::from_ptr(&raw mut (*self.page).data_head) }
    }

    /// Our position: bytes ever read.
    fn tail(&self) -> &AtomicU64 {
        // SAFETY: as for `head`.
        unsafe { AtomicU64::from_ptr(&raw mut (*self.page).data_tail) }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: exactly what `map_exactly` mapped; no reference into it outlives `take`. Failure would leak, no more.
        let _ = unsafe { munmap(self.page.cast(), self.mapped) };
    }
}
