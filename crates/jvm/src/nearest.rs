//! Misspelt names.

/// The name that a misspelt one is nearest to; none if none is near.
#[must_use]
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    /// Signs that may be wrong.
    const WRONG: usize = 2;
    let far = |known: &&str| distance(&name.to_lowercase(), &known.to_lowercase());
    let nearest = known.into_iter().min_by_key(far);
    // Of three signs one may be wrong.
    let too_far = |known: &str| match known.len() {
        3 => 2,
        signs => signs / 2,
    };
    nearest.filter(|known| far(known) <= WRONG && far(known) < too_far(known))
}

/// Signs to put in, leave out or exchange until one text is the other.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (at, sign) in one.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], at + 1);
        for (to, same) in other.chars().enumerate() {
            let exchanged = corner + usize::from(sign != same);
            corner = row[to + 1];
            row[to + 1] = exchanged.min(row[to] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_near_is_meant() {
        let known = ["locks", "branches", "if", "run"];
        for (name, near) in [
            ("lock", Some("locks")),
            ("BRANCHS", Some("branches")),
            ("bracnhes", Some("branches")),
            ("blocks", Some("locks")),
            ("rn", Some("run")),
            ("ran", Some("run")),
            ("an", None),
            ("of", None),
            ("loops", None),
            ("allocations", None),
        ] {
            assert_eq!(nearest(name, known), near, "{name}");
        }
        assert_eq!(nearest("x", []), None);
    }
}
