//! How long an array still takes.

/// Seconds until all is done, of what running tasks still take and what waiting ones will: as many at once as run now. None
/// as long as none runs, because nobody knows when the first one begins.
pub(super) fn left_s(running: &[f64], waiting: &[f64]) -> Option<f64> {
    if running.is_empty() {
        return None;
    }
    let all = || running.iter().chain(waiting).copied();
    let shared = all().sum::<f64>() / running.len() as f64;
    Some(all().fold(shared, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_share_what_is_left_and_none_is_faster_than_its_program() {
        assert_eq!(left_s(&[], &[300.0]), None);
        assert_eq!(left_s(&[100.0], &[]), Some(100.0));
        assert_eq!(left_s(&[100.0, 50.0], &[150.0, 100.0]), Some(200.0));
        assert_eq!(left_s(&[10.0, 10.0], &[300.0]), Some(300.0));
    }
}
