//! Whether others use this machine.

/// What is to be said if others use it; none if they do not, or nobody knows.
#[must_use]
pub fn busy() -> Option<String> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    said(&load, processors)
}

/// `load` as /proc/loadavg has it.
fn said(load: &str, processors: usize) -> Option<String> {
    let load: f64 = load.split(' ').next()?.parse().ok()?;
    // What this process and the run before it did counts too, up to about one and a half.
    (load > processors as f64 + 0.5).then(|| {
        format!(
            "others use this machine (load {load:.1}, {processors} processors): what is measured takes longer, and \
             intervals are wider, than on a quiet one"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_said_to_be_one() {
        let text = said("3.13 5.79 6.61 2/391 4711", 2).expect("a note");
        assert!(text.contains("load 3.1, 2 processors"), "{text}");
        assert_eq!(said("1.40 0.20 0.10 1/391 4711", 1), None);
        assert_eq!(said("", 2), None);
    }
}
