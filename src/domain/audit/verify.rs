//! Checks an audit log, line by line, and finds the first entry that is not as it was written.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    Action, BEGINNING, PublicKey, Signature, Unreadable, Waiting, Witnessed, commitment,
    line::{End, EntryLine, Head, Line},
    patience,
    unsigned::is_of_command_line,
};
use crate::domain::words::words;

words! {
    /// What was done to the log.
    Fault {
        /// An entry or a value says something else than when it was written.
        Changed = "changed",
        /// An entry or a value is gone.
        Removed = "removed",
        /// Something is there that was not written there.
        Inserted = "inserted",
        /// A signature is not good.
        Forged = "forged",
        /// Something of it is no value that the server can have written.
        Unreadable = "made unreadable",
        /// No signature covers it, although one should for a while.
        Unsigned = "left unsigned",
    }
}

/// The first thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub fault: Fault,
    /// The number of the entry.
    pub sequence: i64,
    /// Its id, if it is there.
    pub id: Option<String>,
    pub message: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let id = self.id.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
        write!(f, "entry {}{id} was {}: {}", self.sequence, self.fault, self.message)
    }
}

/// A place in the chain that somebody remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub sequence: i64,
    pub hash: String,
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no place in the chain: give SEQUENCE:HASH, as `audit verify` prints it");
        let (sequence, hash) = text.split_once(':').ok_or_else(wrong)?;
        let sequence = sequence.parse().ok().filter(|sequence| *sequence > 0).ok_or_else(wrong)?;
        let hexadecimal = hash.len() == BEGINNING.len() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if hexadecimal { Ok(Self { sequence, hash: hash.to_ascii_lowercase() }) } else { Err(wrong()) }
    }
}

/// Whom and what the verifier believes.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// None: signatures of any key are only checked against their own key.
    pub keys: Vec<PublicKey>,
    pub expected: Option<Expected>,
    /// When the log was read. None: entries may be without a signature for any time.
    pub now: Option<DateTime<Utc>>,
    /// How often the server signs, where its signatures do not say.
    pub interval: Option<TimeDelta>,
    /// What was seen outside the database.
    pub witnessed: Witnessed,
}

/// What was found in a log that is sound.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of the first entry: 1, unless it is a part of a log.
    pub first: i64,
    /// The number of the last entry, and its hash.
    pub last: i64,
    pub hash: String,
    pub entries: u64,
    pub signatures: u64,
    /// The last entry that is under a signature.
    pub signed: i64,
    /// How many entries of the command line wait for a server to sign them.
    pub of_command_line: u64,
    /// The entries of a server that wait for a signature.
    pub waiting: Option<Waiting>,
    /// How many seconds entries wait for a signature at most, as the last signature says.
    pub interval: Option<u64>,
    /// The public keys of the signatures.
    pub keys: BTreeSet<String>,
    /// How many personal values have been erased.
    pub erased: u64,
    /// Whether nothing came after the last entry.
    pub complete: bool,
}

/// A personal value that is gone and may have been erased.
struct Gone {
    sequence: i64,
    id: String,
    part: String,
}

/// Reads a log once, from its first line to its last, and remembers only where it is.
pub struct Verifier {
    trust: Trust,
    workspace: String,
    report: Report,
    last_id: String,
    /// The hash of the entry before the last one: by it an entry in between is recognised.
    before_last: String,
    /// By whose it is: the first value since their data was last erased.
    gone: BTreeMap<String, Gone>,
    /// Stands for the signature under the last entry, which the next one must cover.
    seal: Option<String>,
    ended: bool,
}

impl Verifier {
    pub fn new(trust: Trust, head: &Head) -> Self {
        // Before a part there is something that is not seen.
        let hash = if head.first == 1 { BEGINNING.to_owned() } else { String::new() };
        Self {
            trust,
            workspace: head.workspace.clone(),
            report: Report { first: head.first, last: head.first - 1, hash, ..Report::default() },
            last_id: String::new(),
            before_last: String::new(),
            gone: BTreeMap::new(),
            seal: None,
            ended: false,
        }
    }

    pub fn take(&mut self, line: &Line) -> Result<(), Broken> {
        match line {
            Line::Head(_) => Err(self.broken_after(Fault::Inserted, "another log begins in the middle of this one")),
            Line::Unreadable(Unreadable { sequence, reason }) => {
                Err(Broken { fault: Fault::Unreadable, sequence: *sequence, id: None, message: reason.clone() })
            }
            Line::Entry(_) | Line::Signature(_) | Line::End(_) if self.ended => {
                Err(self.broken_after(Fault::Inserted, "there is more after the log's end"))
            }
            Line::Entry(entry) => self.entry(entry),
            Line::Signature(signature) => self.signature(signature),
            Line::End(end) => self.end(end),
        }
    }

    /// What was found, once there is no more.
    pub fn finish(self) -> Result<Report, Broken> {
        if !self.ended {
            return Err(self.broken_after(Fault::Removed, "the log breaks off here"));
        }
        if let Some(expected) = self.trust.expected.as_ref().filter(|expected| expected.sequence > self.report.last) {
            let message = format!("it was there when the head was {}:{}", expected.sequence, expected.hash);
            return Err(self.broken_after(Fault::Removed, message));
        }
        if self.report.complete {
            if let Some((sequence, said)) = self.trust.witnessed.after(self.report.last) {
                let (last, place, at) = (self.report.last, &said.place, &said.at);
                let message = format!("{place} saw entry {sequence} at {at}, but the log ends with entry {last}");
                return Err(self.broken_after(Fault::Removed, message));
            }
            self.signed_in_time()?;
        }
        // In a part of a log, who was erased may stand in another part.
        let lost = self.gone.into_iter().filter(|_| self.report.first == 1 && self.report.complete);
        if let Some((of, Gone { sequence, id, part })) = lost.min_by_key(|(_, gone)| gone.sequence) {
            let message = format!("its personal value `{part}` is gone, and nothing says that {of} was erased");
            return Err(Broken { fault: Fault::Removed, sequence, id: Some(id), message });
        }
        Ok(self.report)
    }

    /// What is at the end without a signature is no older than the server lets it be.
    fn signed_in_time(&self) -> Result<(), Broken> {
        let (Some(now), Some(waiting)) = (self.trust.now, &self.report.waiting) else { return Ok(()) };
        let promised = self.report.interval.and_then(|seconds| TimeDelta::try_seconds(i64::try_from(seconds).ok()?));
        let Some(interval) = promised.max(self.trust.interval) else { return Ok(()) };
        let broken =
            |fault, message| Err(Broken { fault, sequence: waiting.sequence, id: Some(waiting.id.clone()), message });
        if waiting.is_ahead_of(now, interval) {
            let message = format!(
                "it or an entry after it says that it was written at {}, which is still to come",
                waiting.latest
            );
            return broken(Fault::Changed, message);
        }
        if now - waiting.earliest > patience(interval) {
            let message = format!(
                "it is from {}, and no signature covers it and what follows, although the server signs every {} s: \
                 either signatures were removed, or the server ended before it could sign. If it did, start it: it \
                 signs what a crash left behind, and nothing else",
                waiting.earliest,
                interval.num_seconds()
            );
            return broken(Fault::Unsigned, message);
        }
        Ok(())
    }

    /// Something is wrong with the place after the last good entry.
    fn broken_after(&self, fault: Fault, message: impl Into<String>) -> Broken {
        Broken { fault, sequence: self.report.last + 1, id: None, message: message.into() }
    }

    fn entry(&mut self, entry: &EntryLine) -> Result<(), Broken> {
        let (expected, sequence) = (self.report.last + 1, entry.sequence());
        let id = entry.text("id").to_owned();
        let broken =
            |fault, message: String| Err(Broken { fault, sequence, id: Some(entry.text("id").to_owned()), message });
        let begins = self.report.entries == 0;
        let previous = entry.text("previous");
        // Who puts an entry in between and counts on leaves the next one following the one before it.
        if !begins && previous == self.before_last && previous != self.report.hash {
            let message = "the next entry does not follow it, but the one before it";
            let (sequence, id) = (self.report.last, Some(self.last_id.clone()));
            return Err(Broken { fault: Fault::Inserted, sequence, id, message: message.to_owned() });
        }
        if sequence > expected {
            let message = match sequence - expected {
                1 => format!("the next entry is {sequence}"),
                missing => format!("{missing} entries are missing; the next one is {sequence}"),
            };
            return Err(self.broken_after(Fault::Removed, message));
        }
        if sequence < expected {
            return broken(Fault::Inserted, format!("entry {expected} should be in its place"));
        }
        if entry.text("workspace") != self.workspace {
            return broken(Fault::Inserted, "it belongs to another workspace".to_owned());
        }
        if entry.true_hash() != entry.hash {
            return broken(Fault::Changed, "what it says does not match its hash".to_owned());
        }
        if previous != self.report.hash && !(begins && sequence > 1) {
            return broken(Fault::Changed, "it does not follow the entry before it".to_owned());
        }
        self.covers_signature(entry, begins)?;
        if entry.misplaced {
            return broken(Fault::Changed, "lists show it before entries that came earlier".to_owned());
        }
        self.values(entry, &id)?;
        if let Some(expected) = self.trust.expected.as_ref().filter(|expected| expected.sequence == sequence)
            && expected.hash != entry.hash
        {
            return broken(Fault::Changed, format!("its hash was {} before", expected.hash));
        }
        if let Some((hash, said)) = self.trust.witnessed.contradiction(sequence, &entry.hash) {
            let (place, at) = (&said.place, &said.at);
            let message = format!("{place} saw it with the hash {hash} at {at}: the log was written anew since then");
            return broken(Fault::Changed, message);
        }
        if is_of_command_line(entry) {
            self.report.of_command_line += 1;
        } else {
            let Ok(at) = entry.text("at").parse() else {
                return broken(Fault::Changed, "its time cannot be read".to_owned());
            };
            self.report.waiting = Some(Waiting::with(self.report.waiting.take(), entry, at));
        }
        if entry.text("action") == Action::UserDataErased.as_str() {
            self.gone.remove(entry.text("subject"));
        }
        self.before_last = std::mem::replace(&mut self.report.hash, entry.hash.clone());
        self.report.last = sequence;
        self.last_id = id;
        self.report.entries += 1;
        Ok(())
    }

    /// An entry says which signature is under the one before it: none can be taken away or put there later.
    fn covers_signature(&mut self, entry: &EntryLine, begins: bool) -> Result<(), Broken> {
        let covered = entry.content.get("seal").and_then(serde_json::Value::as_str);
        let before = entry.sequence() - 1;
        let broken = |fault, message: &str| {
            Err(Broken { fault, sequence: before, id: None, message: format!("its signature {message}") })
        };
        match (self.seal.take(), covered) {
            (Some(seal), Some(covered)) if seal == covered => Ok(()),
            (Some(_), Some(_)) => broken(Fault::Changed, "is not the one that the entry after it covers"),
            (Some(_), None) => broken(Fault::Inserted, "is not covered by the entry after it"),
            // The signature is before this part of the log.
            (None, Some(_)) if begins && before > 0 => Ok(()),
            (None, Some(_)) => broken(Fault::Removed, "is gone, which the entry after it covers"),
            (None, None) => Ok(()),
        }
    }

    /// Personal values are what they were, or erased.
    fn values(&mut self, entry: &EntryLine, id: &str) -> Result<(), Broken> {
        let sequence = entry.sequence();
        let broken = |fault, message: String| Err(Broken { fault, sequence, id: Some(id.to_owned()), message });
        let Some(commitments) = entry.commitments() else {
            return broken(Fault::Changed, "its commitments cannot be read".to_owned());
        };
        if let Some(part) = entry.values.keys().find(|part| !commitments.contains_key(*part)) {
            return broken(Fault::Inserted, format!("it has a personal value `{part}` that it did not have"));
        }
        for (part, promised) in commitments {
            match (entry.values.get(&part), promised.of.clone()) {
                (Some(value), _) => {
                    let salt = data_encoding::HEXLOWER.decode(value.salt.as_bytes()).unwrap_or_default();
                    if value.of != promised.of || commitment(&salt, &value.value) != promised.sha256 {
                        let message = format!("its personal value `{part}` does not match its commitment");
                        return broken(Fault::Changed, message);
                    }
                }
                (None, Some(of)) => {
                    self.report.erased += 1;
                    self.gone.entry(of).or_insert_with(|| Gone { sequence, id: id.to_owned(), part });
                }
                (None, None) => {
                    let message = format!("its value `{part}` is gone, which is nobody's and cannot be erased");
                    return broken(Fault::Removed, message);
                }
            }
        }
        Ok(())
    }

    fn signature(&mut self, signature: &Signature) -> Result<(), Broken> {
        let sequence = signature.sequence;
        let broken = |fault, message: String| Err(Broken { fault, sequence, id: None, message });
        let Some(key) = signature.made_by().filter(|_| signature.workspace == self.workspace) else {
            return broken(Fault::Forged, format!("its signature of {} is not good", signature.at));
        };
        if !self.trust.keys.is_empty() && !self.trust.keys.contains(&key) {
            return broken(Fault::Forged, format!("its signature was made by the key {key}, which is not trusted"));
        }
        if sequence > self.report.last {
            return Err(self.broken_after(Fault::Removed, format!("entry {sequence} is signed, but is not there")));
        }
        if sequence < self.report.last {
            return broken(Fault::Inserted, "its signature stands in the wrong place".to_owned());
        }
        if sequence == self.report.signed {
            return broken(Fault::Inserted, "it is signed twice".to_owned());
        }
        if signature.hash != self.report.hash {
            let since = self.report.signed + 1;
            let message = format!("it had another hash when it was signed: look at the entries {since} to {sequence}");
            return broken(Fault::Changed, message);
        }
        // Signatures of earlier versions are not covered by the chain.
        self.seal = signature.interval.is_some().then(|| signature.seal());
        self.report.signed = sequence;
        self.report.interval = signature.interval;
        self.report.waiting = None;
        self.report.of_command_line = 0;
        self.report.signatures += 1;
        self.report.keys.insert(key.to_string());
        Ok(())
    }

    fn end(&mut self, end: &End) -> Result<(), Broken> {
        self.ended = true;
        if end.sequence > self.report.last {
            return Err(self.broken_after(Fault::Removed, format!("the log ended with entry {}", end.sequence)));
        }
        if end.sequence < self.report.last {
            let message = format!("the log ended with entry {}", end.sequence);
            return Err(Broken { fault: Fault::Inserted, sequence: end.sequence + 1, id: None, message });
        }
        if self.report.entries > 0 && end.hash != self.report.hash {
            let message = format!("the log ended with the hash {}", end.hash);
            return Err(Broken { fault: Fault::Changed, sequence: end.sequence, id: None, message });
        }
        self.report.complete = end.complete;
        Ok(())
    }
}
