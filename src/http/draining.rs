//! Clients that do not take what waits for them.
//!
//! An answer is kept in memory until it is taken. Whoever asks for much and reads nothing would keep it there, so a
//! connection breaks when what is to be written waits too long. A connection on which nothing waits may be silent.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep},
};

/// Whoever takes less than this in the time is not reading, but keeping the connection from being closed.
const LEAST: usize = 16 * 1024;

/// A connection that breaks when its client does not read.
pub struct Draining<S> {
    stream: S,
    patience: Duration,
    /// Until when the client must have taken enough, and what it has taken; `None` while nothing waits for it.
    waiting: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Draining<S> {
    pub fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    fn settle(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                if let Some((deadline, taken)) = &mut self.waiting {
                    *taken += bytes;
                    // What is past has nothing to do with what waits now: there was room again in between.
                    if *taken >= LEAST || deadline.deadline() <= Instant::now() {
                        self.waiting = None;
                    }
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => {
                let patience = self.patience;
                let (deadline, _) = self.waiting.get_or_insert_with(|| (Box::pin(tokio::time::sleep(patience)), 0));
                ready!(deadline.as_mut().poll(cx));
                tracing::debug!("a client does not read what it asked for");
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Draining<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Draining<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.settle(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.settle(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
