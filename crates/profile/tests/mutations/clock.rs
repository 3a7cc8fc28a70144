//! Time that this thread has had on a processor: a busy machine does not count.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Where the kernel does not tell that time.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time so far.
pub fn spent() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    let ns = first.and_then(|ns| ns.parse().ok());
    ns.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
