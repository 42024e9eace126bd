//! Masks each log line on its last step, so that no format and no layer can get around it.

use std::io::{self, Write};

use tracing::Metadata;
use tracing_subscriber::fmt::MakeWriter;

use super::mask::mask;

/// Makes writers that mask what is written to the inner ones.
pub struct Masking<M>(pub M);

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Masking<M> {
    type Writer = MaskingWriter<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        MaskingWriter(self.0.make_writer())
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Self::Writer {
        MaskingWriter(self.0.make_writer_for(metadata))
    }
}

/// Expects a whole event in each write, which is how `tracing_subscriber::fmt` writes.
pub struct MaskingWriter<W>(W);

impl<W: Write> Write for MaskingWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let line_text = String::from_utf8_lossy(line);
        // A log that nobody can read any more must not stop the work that it is about.
        let _ = self.0.write_all(mask(&line_text).as_bytes());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
