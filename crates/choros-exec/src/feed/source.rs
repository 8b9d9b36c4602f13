//! A log in a file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use crate::log::{LogFormat, LogOptions, LogReader, Next, Position};

/// Which file, and how it is read.
#[derive(Debug, Clone)]
pub struct SourceSpec {
    /// The file.
    pub path: String,
    /// How it is read.
    pub options: LogOptions,
    /// Where an earlier run stopped.
    pub from: Position,
}

/// A log in a file that is being read.
pub struct FileSource {
    /// The file.
    pub path: String,
    /// Its reader.
    pub reader: LogReader,
}

impl FileSource {
    /// Opens a log where an earlier run stopped.
    pub fn open(spec: SourceSpec) -> io::Result<FileSource> {
        let mut file = File::open(&spec.path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder",
            ));
        }
        let from = spec.from;
        let is_regular = file.metadata()?.is_file();
        if is_regular && file.metadata()?.len() < from.bytes {
            let message = "it is shorter than what was read of it before";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let stands_for_itself = spec.options.format == LogFormat::JsonLines && is_regular;
        let reader = match stands_for_itself {
            true => {
                file.seek(SeekFrom::Start(from.bytes))?;
                LogReader::new(Box::new(file), spec.options).from(from)
            }
            false => {
                // The meaning of a record depends on what stands before it: read up to it.
                let mut reader = LogReader::new(Box::new(file), spec.options);
                while reader.position().bytes < from.bytes {
                    if matches!(reader.next(), Next::End | Next::Failed(_)) {
                        break;
                    }
                }
                reader
            }
        };
        Ok(FileSource {
            path: spec.path,
            reader,
        })
    }
}
