//! Where verdicts are written: a file that can be cut back to what a saved state knows, or standard output.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

/// A place for lines of verdicts.
pub struct VerdictOutput {
    to: To,
    /// Bytes written, those of earlier runs included.
    length: u64,
}

enum To {
    File(BufWriter<File>),
    Stream(BufWriter<Box<dyn Write + Send>>),
}

impl VerdictOutput {
    /// A file that is begun again.
    pub fn create(path: &str) -> io::Result<VerdictOutput> {
        Ok(VerdictOutput {
            to: To::File(BufWriter::new(File::create(path)?)),
            length: 0,
        })
    }

    /// A file of an earlier run, cut back to the length that its state knows: what was written after that will be
    /// written again.
    pub fn resume(path: &str, length: u64) -> io::Result<VerdictOutput> {
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        if file.metadata()?.len() < length {
            let message = "it is shorter than it was when the state was saved";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(VerdictOutput {
            to: To::File(BufWriter::new(file)),
            length,
        })
    }

    /// A stream, such as standard output.
    pub fn stream(stream: Box<dyn Write + Send>) -> VerdictOutput {
        VerdictOutput {
            to: To::Stream(BufWriter::new(stream)),
            length: 0,
        }
    }

    /// Writes a line.
    pub fn write(&mut self, line: &str) -> io::Result<()> {
        self.length += line.len() as u64;
        match &mut self.to {
            To::File(file) => file.write_all(line.as_bytes()),
            To::Stream(stream) => stream.write_all(line.as_bytes()),
        }
    }

    /// Lets others see what was written.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::File(file) => file.flush(),
            To::Stream(stream) => stream.flush(),
        }
    }

    /// Makes sure that what was written survives, and says how much that is.
    pub fn sync(&mut self) -> io::Result<u64> {
        self.flush()?;
        if let To::File(file) = &self.to {
            file.get_ref().sync_data()?;
        }
        Ok(self.length)
    }
}
