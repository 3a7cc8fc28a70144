//! `perf.data` files.

use std::cell::Cell;

use linux_perf_data::{Error, PerfFileReader, PerfFileRecord};

use super::reader::Reader;
use super::source::Source;
use super::{code_table, compressed, guard};
use crate::error::ImportError;
use crate::import::{Format, Options};
use crate::model::Profile;

/// Reads a file in perf's file format; code of the JIT compilers is named by the map or dump in `options`. Of a file
/// that breaks off, the whole records are read.
pub(in crate::import) fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    match compressed::unpack(bytes, options.max_unpacked) {
        None => read(bytes, options, None, |error| error),
        Some(mut unpacked) => {
            let damage = unpacked.damage.take();
            read(&unpacked.bytes, options, damage, |e| unpacked.placed(e))
        }
    }
}

/// Reads a file without compressed records. `known` is damage that was found before, `placed` puts a place into an
/// error that the user's file has.
fn read(
    bytes: &[u8],
    options: &Options,
    known: Option<ImportError>,
    placed: impl Fn(ImportError) -> ImportError,
) -> Result<Profile, ImportError> {
    let mut layout = match (guard::check(bytes), known) {
        (Ok(layout), None) => layout,
        (Ok(layout), Some(known)) => guard::Layout {
            damage: Some(known),
            ..layout
        },
        (Err(error), known) => return Err(known.unwrap_or_else(|| placed(error))),
    };
    layout.damage = layout.damage.map(&placed);
    let at = Cell::new(0);
    let failed = |e: &Error| {
        let error = ImportError::damaged(Format::PerfData, at.get() as u64, expected(e));
        placed(error)
    };
    let source = Source::new(bytes, &layout, &at);
    let opened = if guard::is_pipe(bytes) {
        PerfFileReader::parse_pipe(source)
    } else {
        PerfFileReader::parse_file(source)
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
