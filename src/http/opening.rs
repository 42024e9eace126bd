//! The first bytes of a connection, which must come in time.
//!
//! The HTTP library begins to count the time of a request's head when it knows which HTTP is spoken. Until then it
//! waits, so that connections that say nothing would keep their seats for ever.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::Sleep,
};

/// With this HTTP/2 begins. Whatever begins otherwise is HTTP/1.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection that breaks if it does not say in time which HTTP it speaks.
pub struct Opening {
    stream: TcpStream,
    /// The part of the preface that has not come yet, and until when; `None` when all is said.
    waiting: Option<(&'static [u8], Pin<Box<Sleep>>)>,
}

impl Opening {
    pub fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, waiting: Some((PREFACE, Box::pin(tokio::time::sleep(patience)))) }
    }
}

impl AsyncRead for Opening {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if let Some((_, deadline)) = &mut self.waiting
            && deadline.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if let Some((missing, _)) = &mut self.waiting {
            match missing.strip_prefix(&buffer.filled()[before..]) {
                Some(left) if !left.is_empty() => *missing = left,
                _ => self.waiting = None,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Opening {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
