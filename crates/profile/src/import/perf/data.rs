//! `perf.data` files.

use std::cell::Cell;
use std::io::{Cursor, Read, Seek};

use linux_perf_data::{Error, PerfFileReader, PerfFileRecord};

use super::file::File;
use super::reader::Reader;
use super::source::Source;
use super::{code_table, compressed, guard};
use crate::error::ImportError;
use crate::import::{Format, Options};
use crate::model::Profile;

/// Reads a file in perf's file format; code of the JIT compilers is named by the map or dump in `options`. Of a file
/// that breaks off, the whole records are read. It takes the memory of what was recorded between two marks up to which
/// perf says that records can be sorted by time; a file without marks, or with compressed records, is held as a whole.
pub(in crate::import) fn import<R: Read + Seek>(
    source: R,
    options: &Options,
) -> Result<Profile, ImportError> {
    let mut file = File::new(source)?;
    let layout = guard::check(&mut file)?;
    if !layout.compressed {
        return read(file, layout, options, |error| error);
    }
    let mut unpacked = compressed::unpack(&file.read_whole()?, options.max_unpacked)?;
    let mut file = File::new(Cursor::new(std::mem::take(&mut unpacked.bytes)))?;
    let mut layout = match (guard::check(&mut file), unpacked.damage.take()) {
        (Ok(layout), damage @ Some(_)) => guard::Layout { damage, ..layout },
        (Ok(layout), None) => layout,
        (Err(error), damage) => return Err(damage.unwrap_or_else(|| unpacked.placed(error))),
    };
    layout.damage = layout.damage.map(|error| unpacked.placed(error));
    read(file, layout, options, |error| unpacked.placed(error))
}

/// Reads a file without compressed records. `placed` puts a place into an error that the user's file has.
fn read<R: Read + Seek>(
    mut file: File<R>,
    layout: guard::Layout,
    options: &Options,
    placed: impl Fn(ImportError) -> ImportError,
) -> Result<Profile, ImportError> {
    let at = Cell::new(0);
    let failed = |e: &Error| {
        let error = ImportError::damaged(Format::PerfData, at.get(), expected(e));
        placed(error)
    };
    let pipe = guard::is_pipe(&mut file);
    let source = Source::new(file, &layout, &at)?;
    let opened = match pipe {
        true => PerfFileReader::parse_pipe(source),
        false => PerfFileReader::parse_file(source),
    };
    let mut damage = layout.damage;
    let opened = opened.map_err(|e| damage.take().unwrap_or_else(|| failed(&e)));
    let PerfFileReader {
        mut perf_file,
        mut record_iter,
    } = opened?;
    let (codes, codes_damage) = code_table(options)?;
    let mut reader = Reader::new(&perf_file, codes, options.merge);
    loop {
        match record_iter.next_record(&mut perf_file) {
            Ok(Some(PerfFileRecord::EventRecord { attr_index, record })) => {
                let attributes = perf_file.event_attributes();
                reader.raw(
                    &record,
                    attr_index,
                    attributes[attr_index].attr.sample_format,
                );
            }
            Ok(Some(PerfFileRecord::UserRecord(_))) => {}
            Ok(None) => break,
            Err(error) => {
                damage = Some(failed(&error));
                break;
            }
        }
    }
    for damage in damage.into_iter().chain(codes_damage) {
        reader.stopped(damage)?;
    }
    reader.finish()
}

/// The crate says what it could not read; that was expected.
fn expected(error: &Error) -> String {
    format!("a sound header or record was expected: {error}")
}
