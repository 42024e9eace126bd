//! What this machine can do at best: the bare database, and bare sockets.

use std::time::Instant;

use futures_util::{SinkExt, StreamExt, future::try_join_all};
use rusqlite::TransactionBehavior;
use sea_orm::sqlx::{self, Connection, Executor, PgConnection};
use tokio::net::TcpListener;
use tokio_tungstenite::{accept_async, connect_async, tungstenite::Message};

use super::{Figure, Options, Place, Report, Result};

/// About what a step's row has.
const ROW: usize = 1_000;
const CONNECTIONS: usize = 50;
/// As many as W1 has steps: what a database does well for a moment only is not what it can do.
const ROWS: usize = 100_000;
const SOCKETS: usize = 100;

pub async fn measure(place: &Place, options: &Options, report: &mut Report) -> Result<()> {
    let rows = options.scaled(ROWS);
    report.commits = match place {
        Place::Sqlite(folder) => {
            let mut sqlite = open_sqlite(&folder.join("floor.db"))?;
            let single = sqlite_rate(&mut sqlite, rows / 5, 1)?;
            report.add(Figure::floor("bare SQLite, one durable commit a step", single));
            let grouped = sqlite_rate(&mut sqlite, rows, 100)?;
            report.add(Figure::floor("bare SQLite, one durable commit for 100 steps", grouped));
            single
        }
        Place::Postgres { url, .. } => {
            let mut connection = PgConnection::connect(url).await?;
            connection.execute("CREATE TABLE floor (id bigserial PRIMARY KEY, data text)").await?;
            let single = postgres_rate(url, 1, rows / 20).await?;
            report.add(Figure::floor("bare PostgreSQL, one durable commit a step", single));
            let many = postgres_rate(url, CONNECTIONS, rows).await?;
            report.add(Figure::floor(format!("the same on {CONNECTIONS} connections"), many));
            connection.execute("DROP TABLE floor").await?;
            many
        }
    };
    if options.wants("w4") {
        report.messages = sockets_rate(options.scaled(200_000)).await?;
        report.add(Figure::floor(format!("messages to {SOCKETS} bare WebSockets"), report.messages));
    }
    Ok(())
}

/// With the settings that the server has.
fn open_sqlite(path: &std::path::Path) -> Result<rusqlite::Connection> {
    let sqlite = rusqlite::Connection::open(path)?;
    sqlite.pragma_update(None, "journal_mode", "WAL")?;
    sqlite.pragma_update(None, "synchronous", "FULL")?;
    sqlite.pragma_update(None, "secure_delete", true)?;
    sqlite.execute("CREATE TABLE step (id INTEGER PRIMARY KEY, data TEXT)", [])?;
    Ok(sqlite)
}

/// Rows a second, with so many in one commit.
fn sqlite_rate(sqlite: &mut rusqlite::Connection, rows: usize, together: usize) -> Result<f64> {
    let (data, began) = ("x".repeat(ROW), Instant::now());
    for _ in 0..rows / together {
        let transaction = sqlite.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for _ in 0..together {
            transaction.prepare_cached("INSERT INTO step (data) VALUES (?)")?.execute([&data])?;
        }
        transaction.commit()?;
    }
    Ok(rows as f64 / began.elapsed().as_secs_f64())
}

async fn postgres_rate(url: &str, connections: usize, rows: usize) -> Result<f64> {
    let all = try_join_all((0..connections).map(|_| PgConnection::connect(url))).await?;
    let began = Instant::now();
    let share = rows / connections;
    let work = all.into_iter().map(|mut connection| async move {
        let data = "x".repeat(ROW);
        for _ in 0..share {
            sqlx::query("INSERT INTO floor (data) VALUES ($1)").bind(&data).execute(&mut connection).await?;
        }
        Result::Ok(())
    });
    try_join_all(work).await?;
    Ok((share * connections) as f64 / began.elapsed().as_secs_f64())
}

/// Messages of an event's size a second to many sockets at once, with nothing behind them.
async fn sockets_rate(messages: usize) -> Result<f64> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let each = (messages / SOCKETS).max(1);
    let mut readers = Vec::new();
    let mut writers = Vec::new();
    for _ in 0..SOCKETS {
        let accept = async { Result::Ok(accept_async(listener.accept().await?.0).await?) };
        let connect = async { Result::Ok(connect_async(format!("ws://{address}/")).await?.0) };
        let (writer, reader) = tokio::try_join!(accept, connect)?;
        writers.push(writer);
        readers.push(reader);
    }
    let began = Instant::now();
    let read = readers.into_iter().map(|mut reader| async move {
        for _ in 0..each {
            reader.next().await.ok_or("hung up")??;
        }
        Result::Ok(())
    });
    let write = async {
        let text = "x".repeat(500);
        for _ in 0..each {
            for writer in &mut writers {
                writer.send(Message::text(text.clone())).await?;
            }
        }
        Result::Ok(())
    };
    tokio::try_join!(try_join_all(read), write)?;
    Ok((each * SOCKETS) as f64 / began.elapsed().as_secs_f64())
}
