//! Protocol-buffer fields, read without schema.

/// A field's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wire<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Wire<'a> {
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Number(n) => n,
            Self::Bytes(_) => 0,
        }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(_) => &[],
        }
    }

    /// Numbers of a repeated field, packed or one by one.
    pub(crate) fn numbers(self) -> Vec<u64> {
        match self {
            Self::Number(n) => vec![n],
            Self::Bytes(mut packed) => {
                let mut numbers = Vec::new();
                while let Some(n) = varint(&mut packed) {
                    numbers.push(n);
                }
                numbers
            }
        }
    }
}

/// Fields of a message in their order, as number and value; `Err` with the number of bytes left where it is damaged.
pub(crate) fn fields(mut message: &[u8]) -> impl Iterator<Item = Result<(u64, Wire<'_>), usize>> {
    let mut broken = false;
    std::iter::from_fn(move || {
        if message.is_empty() || broken {
            return None;
        }
        let left = message.len();
        let field = field(&mut message).ok_or(left);
        broken = field.is_err();
        Some(field)
    })
}

/// The next field; `message` is then what follows it.
pub(crate) fn field<'a>(message: &mut &'a [u8]) -> Option<(u64, Wire<'a>)> {
    let tag = varint(message)?;
    let value = match tag & 7 {
        0 => Wire::Number(varint(message)?),
        1 => Wire::Number(u64::from_le_bytes(take(message, 8)?.try_into().ok()?)),
        2 => {
            let len = usize::try_from(varint(message)?).ok()?;
            Wire::Bytes(take(message, len)?)
        }
        5 => Wire::Number(u32::from_le_bytes(take(message, 4)?.try_into().ok()?).into()),
        _ => return None,
    };
    (tag >> 3 != 0).then_some((tag >> 3, value))
}

fn take<'a>(message: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, rest) = message.split_at_checked(len)?;
    *message = rest;
    Some(taken)
}

fn varint(message: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = message.split_first()?;
        *message = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bytes() {
        let read: Vec<_> = fields(&[0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i']).collect();
        assert_eq!(
            read,
            [Ok((1, Wire::Number(150))), Ok((2, Wire::Bytes(b"hi")))]
        );
        assert_eq!(Wire::Bytes(&[1, 0x96, 0x01]).numbers(), [1, 150]);
    }

    #[test]
    fn a_length_beyond_the_end_is_damage() {
        assert_eq!(
            fields(&[0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]).last(),
            Some(Err(6))
        );
    }
}
