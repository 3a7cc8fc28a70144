//! Another object in an archive. Pure.
//!
//! rustc's libraries (`.rlib`) and those for C (`.a`) are archives in the format of GNU and System V: a mark, then members,
//! each with a header of 60 bytes and an even number of bytes. The first one, `/`, tells at which place the member of each
//! symbol begins; `//` has names that are too long for a header. The object with sites defines the symbols of the one
//! without, so that the list stays, and only its places change. `ar` does the same, but asks plug-ins of other compilers what
//! they make of Rust's objects, and loses symbols when they fail.

/// What an archive begins with.
pub(super) const MARK: &[u8] = b"!<arch>\n";
/// Bytes of a header.
const HEADER: usize = 60;
/// Where the size stands in a header.
const SIZE: std::ops::Range<usize> = 48..58;

/// A member.
struct Member {
    /// Where its header begins.
    at: usize,
    /// Where its bytes end.
    end: usize,
}

/// The archive with another object in place of the member whose name ends so. None where it is no archive, is damaged, or
/// has no such member.
pub(super) fn replaced(archive: &[u8], ends: &str, object: &[u8]) -> Option<Vec<u8>> {
    let members = members(archive)?;
    let names = members.iter().find(|one| field(archive, one) == b"//");
    let names = names.map_or(&[][..], |one| bytes(archive, one));
    let old = members.iter().find(|one| {
        let name = name(field(archive, one), names);
        name.is_some_and(|name| name.ends_with(ends.as_bytes()))
    })?;
    let mut out = archive[..old.at].to_vec();
    let mut header = archive[old.at..old.at + HEADER].to_vec();
    let size = format!("{:<10}", object.len());
    header[SIZE].copy_from_slice(size.as_bytes().get(..10)?);
    out.extend(header);
    out.extend(object);
    if object.len() % 2 == 1 {
        out.push(b'\n');
    }
    let behind = out.len();
    let before = padded(old.end).min(archive.len());
    out.extend(&archive[before..]);
    for one in &members {
        let places = &mut out[one.at + HEADER..];
        match field(archive, one) {
            b"/" => moved::<4>(places, old.at, (before, behind))?,
            b"/SYM64/" => moved::<8>(places, old.at, (before, behind))?,
            _ => {}
        }
        // Lists of symbols are in front of all that can move.
        if one.at >= old.at {
            break;
        }
    }
    Some(out)
}

fn members(archive: &[u8]) -> Option<Vec<Member>> {
    if !archive.starts_with(MARK) {
        return None;
    }
    let mut all = Vec::new();
    let mut at = MARK.len();
    while at < archive.len() {
        let header = archive.get(at..at + HEADER)?;
        let size: usize = text(&header[SIZE])?.parse().ok()?;
        let end = (at + HEADER).checked_add(size)?;
        archive.get(at..end)?;
        all.push(Member { at, end });
        at = padded(end);
    }
    Some(all)
}

fn padded(end: usize) -> usize {
    end + end % 2
}

fn bytes<'a>(archive: &'a [u8], member: &Member) -> &'a [u8] {
    &archive[member.at + HEADER..member.end]
}

/// The first field of a header, which has the name or says where it is.
fn field<'a>(archive: &'a [u8], member: &Member) -> &'a [u8] {
    archive[member.at..member.at + 16].trim_ascii_end()
}

fn text(field: &[u8]) -> Option<&str> {
    std::str::from_utf8(field).ok().map(str::trim)
}

/// `lib.rmeta/`, or `/12` for what stands there among the long names.
fn name<'a>(field: &'a [u8], names: &'a [u8]) -> Option<&'a [u8]> {
    let Some(place) = field.strip_prefix(b"/") else {
        return field.strip_suffix(b"/");
    };
    let place: usize = text(place)?.parse().ok()?;
    names.get(place..)?.split(|byte| *byte == b'/').next()
}

/// Places in a list of symbols, numbers of so many bytes with their count in front, are moved with what is behind the member
/// that begins `at`: from the one place to the other.
fn moved<const N: usize>(
    list: &mut [u8],
    at: usize,
    (before, behind): (usize, usize),
) -> Option<()> {
    let number = |bytes: &[u8]| {
        let step = |all: u64, byte: &u8| (all << 8) | u64::from(*byte);
        bytes.iter().fold(0, step)
    };
    let count = usize::try_from(number(list.get(..N)?)).ok()?;
    let places = list.get_mut(N..count.checked_add(1)?.checked_mul(N)?)?;
    for place in places.chunks_exact_mut(N) {
        let old = number(place);
        if old > at as u64 {
            let new = old.checked_add(behind as u64)?.checked_sub(before as u64)?;
            place.copy_from_slice(&new.to_be_bytes()[8 - N..]);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, bytes: &[u8]) -> Vec<u8> {
        let size = bytes.len();
        let header = format!("{name:<16}0           0     0     644     {size:<10}`\n");
        assert_eq!(header.len(), HEADER);
        let padding = &b"\n"[..bytes.len() % 2];
        [header.as_bytes(), bytes, padding].concat()
    }

    /// Three objects, of which the first has a short name, with a symbol each.
    fn archive(middle: &[u8]) -> Vec<u8> {
        let names = b"liba.a.4c1e-cgu.0.rcgu.o/\nliba.6lwu.rcgu.o/\n";
        let objects = [
            member("lib.rmeta/", b"about"),
            member("/0", middle),
            member("/26", b"last"),
        ];
        // The list: count, three places, three names of two bytes.
        let begin = MARK.len() + HEADER + 4 + 12 + 6 + HEADER + names.len();
        let places = [
            begin,
            begin + objects[0].len(),
            begin + objects[0].len() + objects[1].len(),
        ];
        let mut list = 3u32.to_be_bytes().to_vec();
        for place in places {
            list.extend((place as u32).to_be_bytes());
        }
        list.extend(b"a\0b\0c\0");
        let front = [MARK.to_vec(), member("/", &list), member("//", names)].concat();
        assert_eq!(front.len(), begin);
        [front, objects.concat()].concat()
    }

    #[test]
    fn what_is_behind_the_object_moves_and_is_found_again() {
        for (old, new) in [
            ("object", "an object with sites"),
            ("object with more", "odd"),
            ("odd", "odd too"),
        ] {
            let [before, after] = [old, new].map(|one| archive(one.as_bytes()));
            let changed = replaced(&before, ".a.4c1e-cgu.0.rcgu.o", new.as_bytes());
            assert_eq!(changed, Some(after), "{old} -> {new}");
        }
    }

    #[test]
    fn what_is_no_such_archive_stays() {
        let whole = archive(b"object");
        assert_eq!(replaced(&whole, ".b.4c1e-cgu.0.rcgu.o", b"x"), None);
        assert_eq!(replaced(b"\x7fELF", ".rcgu.o", b"x"), None);
        for end in MARK.len() + 1..whole.len() {
            // Cut between two members it is a smaller archive, whose list leads too far.
            let _ = replaced(&whole[..end], ".a.4c1e-cgu.0.rcgu.o", b"x");
        }
        let mut damaged = whole;
        damaged[MARK.len() + HEADER] = 0xff;
        assert_eq!(replaced(&damaged, ".a.4c1e-cgu.0.rcgu.o", b"x"), None);
    }
}
