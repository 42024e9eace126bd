//! Proving that nobody changed the audit log, and taking it along.

use std::{collections::BTreeMap, io::Write, path::Path, process::ExitCode};

use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt, stream};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};

use super::{arguments::AuditCommand, operator};
use crate::{
    clock::Clock,
    config::{Settings, WitnessPlace},
    domain::audit::{Broken, Fault, Line, PublicKey, Report, Seen, Trust, Unreadable, Verifier, Witnessed},
    engine::audit::{
        contents::{self, Findings},
        witness::Place,
    },
    store::{Store, audit::Period, workspaces::Workspace},
};

/// The log was changed.
const BROKEN: u8 = 1;
/// It could not be checked.
const UNCHECKED: u8 = 2;
/// Who has more problems needs a person, not a longer list.
const SHOWN: usize = 20;
const NO_LOG: &str = "this is no audit log: its first line is not its head";

pub async fn run(command: AuditCommand, settings: Settings) -> Result<ExitCode, String> {
    match command {
        AuditCommand::Verify { file, workspace, keys, expect, witnesses } => {
            let checked = async {
                let keys = keys.iter().map(|key| read_key(key)).collect::<Result<_, _>>()?;
                let interval = Some(settings.audit_sign_interval.as_chrono());
                let trust = Trust { keys, expected: expect, interval, ..Trust::default() };
                let witnesses = witnesses.iter().map(|place| witness(place, &settings)).collect::<Result<_, _>>()?;
                match file {
                    Some(file) => verify_file(&file, trust, witnesses).await,
                    None => verify_database(workspace, trust, witnesses, settings).await,
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
        AuditCommand::Sign { workspace } => Box::pin(sign(&workspace, settings)).await.map(|()| ExitCode::SUCCESS),
        AuditCommand::Keys => Box::pin(keys(settings)).await.map(|()| ExitCode::SUCCESS),
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

async fn verify_database(
    slug: Option<String>,
    trust: Trust,
    witnesses: Vec<Place>,
    settings: Settings,
) -> Result<ExitCode, String> {
    let store = open(&settings).await?;
    let all = workspaces(&store, slug.as_deref()).await?;
    if trust.expected.is_some() && all.len() != 1 {
        return Err("`--expect` is about one workspace: name it with `--workspace`".to_owned());
    }
    let ids: Vec<String> = all.iter().map(|workspace| workspace.id.to_string()).collect();
    let mut seen = see(&witnesses, &ids, &trust.keys).await?;
    let mut sound = true;
    for workspace in all {
        let (id, slug) = (workspace.id, workspace.slug.clone());
        let witnessed = seen.heads.remove(&id.to_string()).unwrap_or_default();
        let trust = Trust { now: Some(now()), witnessed, ..trust.clone() };
        let lines = store.audit_lines(workspace, Period::default(), now());
        let lines = lines.map(|line| line.map_err(|error| error.to_string()));
        let outcome = verify(lines, trust.clone()).await?;
        let chain = say(&slug, &outcome, &trust);
        if outcome.is_err_and(|broken| broken.fault == Fault::Unreadable) {
            println!("  what was decided was not compared with the journal");
            sound = false;
            continue;
        }
        let contents = match contents::check(&store, id).await {
            Ok(findings) => say_contents(&slug, &findings),
            // What broke the chain may be what cannot be read here either.
            Err(_) if !chain => false,
            Err(error) => return Err(error.to_string()),
        };
        sound &= chain && contents;
    }
    if slug.is_none() {
        for (workspace, heads) in seen.heads.iter().filter(|(_, heads)| heads.count() > 0) {
            println!(
                "{workspace}: BROKEN: witnesses saw {} heads of it, and the database does not have it",
                heads.count()
            );
            sound = false;
        }
    }
    store.close().await;
    sound &= say_forged(&seen);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) })
}

/// A place that has seen heads: one of the setting `audit-witness`, or simply a file.
fn witness(text: &str, settings: &Settings) -> Result<Place, String> {
    let place = match text.parse() {
        Ok(place) => place,
        Err(_) if Path::new(text).is_file() => WitnessPlace::File(text.to_owned()),
        Err(error) => return Err(format!("`--witness {text}`: {error}, or a file that exists")),
    };
    Place::new(place, settings).map_err(|error| error.explain())
}

/// What witnesses have seen.
#[derive(Default)]
struct Sight {
    /// By the workspace's id.
    heads: BTreeMap<String, Witnessed>,
    /// What is no head of a key that is trusted.
    forged: Vec<String>,
}

async fn see(witnesses: &[Place], workspaces: &[String], keys: &[PublicKey]) -> Result<Sight, String> {
    let mut sight = Sight::default();
    for place in witnesses {
        let name = place.to_string();
        for Seen { head, .. } in place.seen(workspaces).await.map_err(|error| format!("`{name}`: {error}"))? {
            match head.made_by() {
                Some(key) if keys.is_empty() || keys.contains(&key) => {
                    sight.heads.entry(head.workspace.clone()).or_default().add(&name, &head);
                }
                Some(key) => {
                    let sequence = head.sequence;
                    sight.forged.push(format!("{name}: the head {sequence} is signed by {key}, which is not trusted"));
                }
                None => {
                    sight.forged.push(format!("{name}: the signature under the head {} is not good", head.sequence))
                }
            }
        }
    }
    Ok(sight)
}

fn say_forged(sight: &Sight) -> bool {
    sight.forged.iter().take(SHOWN).for_each(|forged| println!("BROKEN: {forged}"));
    if sight.forged.len() > SHOWN {
        println!("  … and {} more", sight.forged.len() - SHOWN);
    }
    sight.forged.is_empty()
}

/// Says whether decisions are what the audit log says they were.
fn say_contents(slug: &str, findings: &Findings) -> bool {
    let Findings { checkpoints, decisions, problems } = findings;
    if problems.is_empty() {
        println!("  {checkpoints} checkpoints of the journal match their digests and {decisions} entries");
        return true;
    }
    for problem in problems.iter().take(SHOWN) {
        println!("{slug}: BROKEN: {problem}");
    }
    if problems.len() > SHOWN {
        println!("  … and {} more", problems.len() - SHOWN);
    }
    false
}

async fn verify_file(path: &Path, trust: Trust, witnesses: Vec<Place>) -> Result<ExitCode, String> {
    let unreadable = |error: std::io::Error| format!("cannot read `{}`: {error}", path.display());
    let reader: Box<dyn AsyncBufRead + Send + Unpin> = if path == Path::new("-") {
        Box::new(BufReader::new(tokio::io::stdin()))
    } else {
        Box::new(BufReader::new(tokio::fs::File::open(path).await.map_err(unreadable)?))
    };
    let mut lines = reader.lines();
    let first = lines.next_line().await.map_err(unreadable)?.unwrap_or_default();
    let Ok(Line::Head(head)) = Line::parse(&first) else { return Err(NO_LOG.to_owned()) };
    let mut seen = see(&witnesses, std::slice::from_ref(&head.workspace), &trust.keys).await?;
    let witnessed = seen.heads.remove(&head.workspace).unwrap_or_default();
    let trust = Trust { now: head.exported_at.parse().ok(), witnessed, ..trust };
    let rest = stream::unfold((lines, 2, 0), |(mut lines, number, last)| async move {
        let line = match lines.next_line().await {
            // Something that was written and cannot be read was changed.
            Ok(Some(text)) => Ok(Line::parse(&text).unwrap_or_else(|error| {
                Line::Unreadable(Unreadable { sequence: last + 1, reason: format!("line {number}: {error}") })
            })),
            Ok(None) => return None,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Ok(Line::Unreadable(Unreadable { sequence: last + 1, reason: format!("line {number}: {error}") }))
            }
            Err(error) => Err(format!("line {number}: {error}")),
        };
        let last = match &line {
            Ok(Line::Entry(entry)) => entry.sequence(),
            _ => last,
        };
        Some((line, (lines, number + 1, last)))
    });
    let lines = stream::iter([Ok(Line::Head(head))]).chain(rest);
    let sound = say(&path.display().to_string(), &verify(lines, trust.clone()).await?, &trust) && say_forged(&seen);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(BROKEN) })
}

/// Checks a log of any length. An error says that it could not be read.
async fn verify(
    lines: impl Stream<Item = Result<Line, String>>,
    trust: Trust,
) -> Result<Result<Report, Broken>, String> {
    let mut lines = std::pin::pin!(lines);
    let Some(Line::Head(head)) = lines.next().await.transpose()? else {
        return Err(NO_LOG.to_owned());
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
    let Report { first, last, hash, entries, signatures, signed, erased, of_command_line, .. } = report;
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
    if *of_command_line > 0 {
        println!("  {of_command_line} entries of the command line wait for a server to sign them");
    }
    if trust.witnessed.count() > 0 {
        println!("  it still has the {} heads that witnesses saw", trust.witnessed.count());
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

async fn sign(slug: &str, settings: Settings) -> Result<(), String> {
    let engine = operator::open(settings).await?;
    for workspace in workspaces(engine.store(), Some(slug)).await? {
        match engine.sign_audit_log_of(workspace.id).await.map_err(|error| error.explain())? {
            Ok(true) => println!("{slug}: signed; restart the server if it has refused to sign"),
            Ok(false) => println!("{slug}: all of it is signed"),
            Err(why) => return Err(format!("the log of `{slug}` cannot be signed: {why}")),
        }
    }
    engine.store().close().await;
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
