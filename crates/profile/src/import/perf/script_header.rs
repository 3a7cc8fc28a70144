//! The line of `perf script` that starts a sample.

/// True if the line starts a sample.
pub(in crate::import) fn is_header(line: &str) -> bool {
    !line.starts_with(char::is_whitespace)
        && Header::parse(line).is_some_and(|h| h.time_ns.is_some())
}

/// The first line of a sample.
#[derive(Debug, PartialEq)]
pub(super) struct Header<'a> {
    pub(super) comm: &'a str,
    pub(super) tid: i64,
    pub(super) time_ns: Option<i64>,
    pub(super) period: Option<u64>,
    pub(super) event: &'a str,
    /// With a single address per sample, the frame is on the same line.
    pub(super) frame: &'a str,
}

impl<'a> Header<'a> {
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let (who, time_ns, rest) = match split_at_time(line) {
            Some((who, time, rest)) => (who, Some(time), rest),
            None => split_at_event(line).map(|(who, rest)| (who, None, rest))?,
        };
        let (comm, tid) = comm_and_tid(who)?;
        let (period, rest) = match rest.trim_start().split_once(' ') {
            Some((first, after)) if first.parse::<u64>().is_ok() => {
                (first.parse().ok(), after.trim_start())
            }
            _ => (None, rest.trim_start()),
        };
        let (event, frame) = match rest.split_once(char::is_whitespace) {
            Some((event, frame)) => (event, frame.trim()),
            None => (rest, ""),
        };
        Some(Self {
            comm,
            tid,
            time_ns,
            period,
            event: event.strip_suffix(':')?,
            frame,
        })
    }
}

/// Splits at `12.345678:`.
pub(super) fn split_at_time(line: &str) -> Option<(&str, i64, &str)> {
    let mut from = 0;
    while let Some(colon) = line[from..]
        .find(": ")
        .or_else(|| line[from..].ends_with(':').then(|| line.len() - from - 1))
    {
        let end = from + colon;
        let start = line[..end].rfind(' ').map_or(0, |space| space + 1);
        if let Some(time) = seconds_to_ns(&line[start..end]) {
            return Some((line[..start].trim_end(), time, &line[end + 1..]));
        }
        from = end + 1;
    }
    None
}

/// Without a time, the event's word is the first that ends in a colon.
fn split_at_event(line: &str) -> Option<(&str, &str)> {
    let colon = line
        .find(": ")
        .or_else(|| line.ends_with(':').then(|| line.len() - 1))?;
    let start = line[..colon].rfind(' ')?;
    Some((line[..start].trim_end(), &line[start..]))
}

fn seconds_to_ns(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.')?;
    let digits = u32::try_from(fraction.len())
        .ok()
        .filter(|&n| (1..=9).contains(&n))?;
    let fraction: i64 = fraction.parse::<u32>().ok()?.into();
    seconds
        .parse::<i64>()
        .ok()?
        .checked_mul(1_000_000_000)?
        .checked_add(fraction * 10_i64.pow(9 - digits))
}

/// `comm pid`, `comm pid/tid` or `comm tid`, with `[cpu]` behind or not. The comm may hold spaces and brackets.
fn comm_and_tid(who: &str) -> Option<(&str, i64)> {
    let who = match who.rsplit_once(' ') {
        Some((before, last)) if last.starts_with('[') && last.ends_with(']') => before.trim_end(),
        _ => who,
    };
    let (comm, ids) = who.rsplit_once(' ')?;
    let tid = ids.rsplit('/').next()?;
    Some((comm.trim(), tid.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn headers_with_and_without_fields() {
        let header = Header::parse(
            "C1 [x] Thre  9482/9492 [003]   1048.416492:    1001001 cpu-clock:pppH: ",
        )
        .expect("a header");
        assert_eq!(
            (header.comm, header.tid, header.time_ns),
            ("C1 [x] Thre", 9492, Some(1_048_416_492_000))
        );
        assert_eq!(
            (header.period, header.event),
            (Some(1_001_001), "cpu-clock:pppH")
        );
        let short =
            Header::parse("java 7 1.000000001: cycles:  7f00 f (/lib/a.so)").expect("a header");
        assert_eq!(
            (short.tid, short.time_ns, short.period),
            (7, Some(1_000_000_001), None)
        );
        assert_eq!((short.event, short.frame), ("cycles", "7f00 f (/lib/a.so)"));
        let timeless = Header::parse("java 7 cpu-clock:").expect("a header");
        assert_eq!(
            (timeless.comm, timeless.time_ns, timeless.event),
            ("java", None, "cpu-clock")
        );
        assert_eq!(Header::parse("no sample at all"), None);
    }
}
