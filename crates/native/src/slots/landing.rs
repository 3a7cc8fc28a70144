//! Where tables of exceptions name places in code: the borders of their regions, and where exceptions land.
//!
//! Sources: the frames in `.eh_frame` are those of the Linux Standard Base, Core Specification, "Exception Frames", and the tables
//! that they name are those of the Itanium C++ ABI, "Exception Handling Tables", as GCC and Clang write them.

use std::collections::BTreeMap;

use super::loaded::Loaded;

/// An encoding that says that nothing is there.
const OMITTED: u8 = 0xff;

/// What frames have in common.
struct Common {
    /// How they write the function's begin and size.
    of_code: u8,
    /// How they write where the table of exceptions is; none: they have none.
    of_table: Option<u8>,
}

/// All places in code that tables of exceptions name. What cannot be read is left out.
pub(super) fn places(program: &Loaded) -> Vec<u64> {
    let mut all = Vec::new();
    let mut known = BTreeMap::new();
    let mut at = program.frames.start;
    while at < program.frames.end {
        let Some(length) = program.number::<4>(at) else {
            break;
        };
        let id_at = at + 4;
        // Frames of several objects may be parted by a length of zero; none here is longer than 4 GiB.
        at = id_at + length;
        if length < 4 {
            continue;
        }
        match program.number::<4>(id_at) {
            Some(0) => {
                let common = common(&mut Reader::new(program, id_at + 4));
                known.extend(common.map(|common| (id_at - 4, common)));
            }
            Some(distance) => {
                let common = known.get(&id_at.wrapping_sub(distance));
                let mut reader = Reader::new(program, id_at + 4);
                let table = common.and_then(|common| table(&mut reader, common));
                if let Some((function, table)) = table {
                    regions(&mut Reader::new(program, table), function, &mut all);
                }
            }
            None => break,
        }
    }
    all
}

/// What frames have in common, from behind its number on.
fn common(reader: &mut Reader<'_>) -> Option<Common> {
    let version = reader.byte()?;
    let mut augmentation = Vec::new();
    loop {
        match reader.byte()? {
            0 => break,
            sign => augmentation.push(sign),
        }
    }
    let (_code_step, _data_step) = (reader.leb128()?, reader.leb128()?);
    let _register = match version {
        1 => u64::from(reader.byte()?),
        _ => reader.leb128()?,
    };
    let mut common = Common {
        of_code: 0,
        of_table: None,
    };
    // Without a length in front, nothing is said that can be passed over.
    let Some((b'z', signs)) = augmentation.split_first() else {
        return augmentation.is_empty().then_some(common);
    };
    reader.leb128()?;
    for sign in signs {
        match sign {
            b'L' => common.of_table = Some(reader.byte()?),
            b'R' => common.of_code = reader.byte()?,
            b'P' => {
                let encoding = reader.byte()?;
                reader.pointer(encoding)?;
            }
            b'S' | b'B' => {}
            _ => return None,
        }
    }
    Some(common)
}

/// Begin of a frame's function and of its table, from behind the frame's number on.
fn table(reader: &mut Reader<'_>, common: &Common) -> Option<(u64, u64)> {
    let encoding = common.of_table.filter(|encoding| *encoding != OMITTED)?;
    let function = reader.pointer(common.of_code)?;
    // A size is no address.
    reader.pointer(common.of_code & 0x0f)?;
    reader.leb128()?;
    let table = reader.pointer(encoding)?;
    (table != 0).then_some((function, table))
}

/// The places of a table, as far as it can be read.
fn regions(reader: &mut Reader<'_>, function: u64, places: &mut Vec<u64>) -> Option<()> {
    let landing = match reader.byte()? {
        OMITTED => function,
        encoding => reader.pointer(encoding)?,
    };
    if reader.byte()? != OMITTED {
        reader.leb128()?;
    }
    let encoding = reader.byte()?;
    let length = reader.leb128()?;
    let end = reader.at.checked_add(length)?;
    while reader.at < end {
        let begin = function.wrapping_add(reader.pointer(encoding)?);
        let behind = begin.wrapping_add(reader.pointer(encoding)?);
        places.extend([begin, behind]);
        let pad = reader.pointer(encoding)?;
        if pad != 0 {
            places.push(landing.wrapping_add(pad));
        }
        reader.leb128()?;
    }
    Some(())
}

/// Reads a program's data from an address on.
struct Reader<'p> {
    program: &'p Loaded,
    at: u64,
}

impl<'p> Reader<'p> {
    fn new(program: &'p Loaded, at: u64) -> Self {
        Reader { program, at }
    }

    fn number<const N: usize>(&mut self) -> Option<u64> {
        let number = self.program.number::<N>(self.at)?;
        self.at += N as u64;
        Some(number)
    }

    fn byte(&mut self) -> Option<u8> {
        self.number::<1>().map(|byte| byte as u8)
    }

    /// A number of variable length, as if it had no sign. What is beyond 64 bits is dropped.
    fn leb128(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0_u32);
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
    }

    /// An address or a distance in an encoding of pointers; 0 where nothing is pointed to. None of an encoding that neither
    /// compiler writes here.
    fn pointer(&mut self, encoding: u8) -> Option<u64> {
        let place = self.at;
        let number = match encoding & 0x0f {
            0x00 | 0x04 | 0x0c => self.number::<8>()?,
            0x01 => self.leb128()?,
            0x02 => self.number::<2>()?,
            0x03 => self.number::<4>()?,
            0x0b => i64::from(self.number::<4>()? as u32 as i32) as u64,
            _ => return None,
        };
        let base = match encoding & 0x70 {
            0x00 => 0,
            0x10 => place,
            _ => return None,
        };
        Some(match number {
            0 => 0,
            number => number.wrapping_add(base),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of a function at 0x2000 whose table has two regions, one with a landing pad; the data begin at 0x1000.
    fn program() -> Loaded {
        let mut bytes = Vec::new();
        // What frames have in common: version 1, "zLR", steps 1 and -8, register 16, both encodings 4 bytes from here.
        let common = [1, b'z', b'L', b'R', 0, 1, 0x78, 16, 2, 0x1b, 0x1b, 0];
        bytes.extend(16_u32.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(common);
        let frame_at = bytes.len() as u32;
        bytes.extend(20_u32.to_le_bytes());
        bytes.extend((frame_at + 4).to_le_bytes());
        let from_here = |address: i32, at: usize| address - (0x1000 + at as i32);
        let function = from_here(0x2000, bytes.len());
        bytes.extend(function.to_le_bytes());
        bytes.extend(0x40_u32.to_le_bytes());
        bytes.push(4);
        let table = from_here(0x1040, bytes.len());
        bytes.extend(table.to_le_bytes());
        bytes.resize(0x40, 0);
        let regions = [4, 5, 0x30, 1, 0x90, 1, 2, 0, 0];
        bytes.extend([OMITTED, OMITTED, 1, regions.len() as u8]);
        bytes.extend(regions);
        Loaded::of(0x1000, bytes, 0x2000..0x2040, 0x1000..0x1000 + 48)
    }

    #[test]
    fn regions_and_landing_pads_are_found() {
        let expected = [0x2004, 0x2009, 0x2030, 0x2090, 0x2092];
        assert_eq!(places(&program()), expected);
    }

    #[test]
    fn damaged_tables_end() {
        let whole = program();
        for end in 0x1000..0x1000 + 0x4d_u64 {
            let bytes = whole.at(0x1000, end - 0x1000).unwrap().to_vec();
            let cut = Loaded::of(0x1000, bytes, 0x2000..0x2040, whole.frames.clone());
            assert!(places(&cut).len() <= 5);
        }
        for place in 0..0x4d {
            let mut bytes = whole.at(0x1000, 0x4d).unwrap().to_vec();
            bytes[place] ^= 0xff;
            let changed = Loaded::of(0x1000, bytes, 0x2000..0x2040, whole.frames.clone());
            let _ = places(&changed);
        }
    }
}
