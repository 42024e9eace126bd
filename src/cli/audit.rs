//! Proving that nobody changed the audit log, and taking it along.

use std::{io::Write, path::Path, process::ExitCode};

use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt, stream};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};

use super::{arguments::AuditCommand, operator};
use crate::{
    clock::Clock,
    config::Settings,
    domain::audit::{Broken, Line, PublicKey, Report, Trust, Verifier},
    store::{Store, audit::Period, workspaces::Workspace},
};

/// The log was changed.
const BROKEN: u8 = 1;
/// It could not be checked.
const UNCHECKED: u8 = 2;

pub async fn run(command: AuditCommand, settings: Settings) -> Result<ExitCode, String> {
    match command {
        AuditCommand::Verify { file, workspace, keys, expect } => {
            let checked = async {
                let keys = keys.iter().map(|key| read_key(key)).collect::<Result<_, _>>()?;
                let trust = Trust { keys, expected: expect };
                match file {
                    Some(file) => verify_file(&file, trust).await,
                    None => verify_database(workspace, trust, settings).await,
                }
            };
            // Who cannot check must not say that something is wrong.
            Ok(checked.await.unwrap_or_else(|error: String| {
                eprintln!("countersign: {error}");
                ExitCode::from(UNCHECKED)
            }))
        }
        AuditCommand::Export { workspace, from, until } => {
            export(&workspace, Period { from, until }, settings).await.map(|()| ExitCode::SUCCESS)
        }
        AuditCommand::Keys => keys(settings).await.map(|()| ExitCode::SUCCESS),
    }
}

/// A key in hexadecimal, or a file with one.
fn read_key(text: &str) -> Result<PublicKey, String> {
    if let Some(key) = PublicKey::parse(text) {
        return Ok(key);
    }
    let wrong = |why: String| {
        format!("`--key {text}` is neither a public key of 64 hexadecimal digits nor a file with one{why}")
    };
    let content = std::fs::read_to_string(text).map_err(|error| wrong(format!(": {error}")))?;
    PublicKey::parse(content.split_whitespace().next().unwrap_or_default()).ok_or_else(|| wrong(String::new()))
}

fn now() -> DateTime<Utc> {
    Clock::system().now()
}

/// The database as it is, which is not changed.
async fn open(settings: &Settings) -> Result<Store, String> {
    Store::open_to_read(settings).await.map_err(|error| error.to_string())
}

/// The workspaces of a database: one, or all.
async fn workspaces(store: &Store, slug: Option<&str>) -> Result<Vec<Workspace>, String> {
    let all = store.workspaces().await.map_err(|error| error.to_string())?;
    let Some(slug) = slug else { return Ok(all) };
    let known: Vec<String> = all.iter().map(|workspace| workspace.slug.clone()).collect();
    let wanted: Vec<Workspace> = all.into_iter().filter(|workspace| workspace.slug == slug).collect();
    if wanted.is_empty() { Err(operator::unknown_workspace(slug, &known)) } else { Ok(wanted) }
}

async fn verify_database(slug: Option<String>, trust: Trust, settings: Settings) -> Result<ExitCode, String> {
    let store = open(&settings).await?;
    let all = workspaces(&store, slug.as_deref()).await?;
    if trust.expected.is_some() && all.len() != 1 {
        return Err("`--expect` is about one workspace: name it with `--workspace`".to_owned());
    }
    let mut sound = true;
    for workspace in all {
        let slug = workspace.slug.clone();
        let lines = store.audit_lines(workspace, Period::default(), now());
        let lines = lines.map(|line| line.map_err(|error| error.to_string()));
        sound &= say(&slug, &verify(lines, trust.clone()).await?, &trust);
    }
    store.close().await;
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) })
}

async fn verify_file(path: &Path, trust: Trust) -> Result<ExitCode, String> {
    let unreadable = |error: std::io::Error| format!("cannot read `{}`: {error}", path.display());
    let reader: Box<dyn AsyncBufRead + Send + Unpin> = if path == Path::new("-") {
        Box::new(BufReader::new(tokio::io::stdin()))
    } else {
        Box::new(BufReader::new(tokio::fs::File::open(path).await.map_err(unreadable)?))
    };
    let lines = stream::unfold((reader.lines(), 1), |(mut lines, number)| async move {
        let line = match lines.next_line().await {
            Ok(Some(text)) => Line::parse(&text).map_err(|error| format!("line {number}: {error}")),
            Ok(None) => return None,
            Err(error) => Err(format!("line {number}: {error}")),
        };
        Some((line, (lines, number + 1)))
    });
    let sound = say(&path.display().to_string(), &verify(lines, trust.clone()).await?, &trust);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) })
}

/// Checks a log of any length. An error says that it could not be read.
async fn verify(
    lines: impl Stream<Item = Result<Line, String>>,
    trust: Trust,
) -> Result<Result<Report, Broken>, String> {
    let mut lines = std::pin::pin!(lines);
    let Some(Line::Head(head)) = lines.next().await.transpose()? else {
        return Err("this is no audit log: its first line is not its head".to_owned());
    };
    let early = trust.expected.as_ref().filter(|expected| expected.sequence < head.first);
    if let Some(expected) = early {
        let (sequence, first) = (expected.sequence, head.first);
        return Err(format!("`--expect`: entry {sequence} is not in this part of the log, which begins with {first}"));
    }
    let mut verifier = Verifier::new(trust, &head);
    while let Some(line) = lines.next().await {
        if let Err(broken) = verifier.take(&line?) {
            return Ok(Err(broken));
        }
    }
    Ok(verifier.finish())
}

/// Says what was found, and whether it is sound.
fn say(name: &str, outcome: &Result<Report, Broken>, trust: &Trust) -> bool {
    let report = match outcome {
        Ok(report) => report,
        Err(broken) => {
            println!("{name}: BROKEN: {broken}");
            return false;
        }
    };
    let Report { first, last, hash, entries, signatures, signed, erased, .. } = report;
    println!("{name}: sound: {entries} entries, {signatures} signatures, {erased} personal values erased");
    if *first > 1 || !report.complete {
        println!("  a part of the log, entries {first} to {last}; what is around it was not checked");
    }
    if *entries > 0 {
        println!("  head {last}:{hash}");
    }
    match trust.keys.is_empty() {
        _ if *signatures == 0 => println!("  not signed yet"),
        true => {
            println!("  signed up to {signed}, by keys that were not compared with one that you trust (--key):");
            report.keys.iter().for_each(|key| println!("    {key}"));
        }
        false => println!("  signed up to {signed}, by a key that you trust"),
    }
    true
}

async fn export(slug: &str, period: Period, settings: Settings) -> Result<(), String> {
    let store = open(&settings).await?;
    let written = |error: std::io::Error| format!("cannot write: {error}");
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for workspace in workspaces(&store, Some(slug)).await? {
        let mut lines = std::pin::pin!(store.audit_lines(workspace, period, now()));
        while let Some(line) = lines.next().await {
            let line = line.map_err(|error| error.to_string())?;
            writeln!(out, "{}", line.to_json()).map_err(written)?;
        }
    }
    out.flush().map_err(written)?;
    store.close().await;
    Ok(())
}

/// The public keys of the signatures, and the one that the server signs with.
async fn keys(settings: Settings) -> Result<(), String> {
    let engine = operator::open(settings).await?;
    let own = engine.audit_key().to_string();
    let used = engine.store().audit_keys().await.map_err(|error| error.to_string())?;
    for (key, since) in used.iter().filter(|(key, _)| *key != own) {
        println!("{key}  since {since}");
    }
    match used.iter().find(|(key, _)| *key == own) {
        Some((_, since)) => println!("{own}  since {since}, in use"),
        None => println!("{own}  in use, no signature yet"),
    }
    engine.store().close().await;
    Ok(())
}
