//! Whoever changes the database past the server is found out, and where.

use countersign::domain::{
    audit::{Expected, Fault, Line, Signer, Trust},
    role::Role,
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use rstest::rstest;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::Value;

use super::{broken, lines, sound, through_a_file, verify};
use crate::support::{Database, TestApp};

/// A log with people in it, and two signatures: under 4 entries before the last and under the last.
async fn history(database: Database) -> (TestApp, DatabaseConnection, i64) {
    let app = TestApp::start(database).await;
    app.person("ada@example.com", &[Role::Admin]).await;
    app.write_audit_entries(0..5).await;
    assert_eq!(app.engine.sign_audit_log(1).await.expect("signed"), 1);
    app.write_audit_entries(5..9).await;
    assert_eq!(app.engine.sign_audit_log(1).await.expect("signed"), 1);
    let report = sound(&lines(&app).await);
    assert_eq!((report.first, report.signed, report.signatures), (1, report.last, 2));
    assert!(report.complete && report.erased == 0 && report.entries > 10, "{report:?}");
    let connection = app.database.connect().await;
    (app, connection, report.last)
}

/// Changes the database; expects what is found, in the database and in an export of it.
async fn tampered(app: &TestApp, connection: &DatabaseConnection, statement: &str) -> (Fault, i64) {
    let done = connection.execute_unprepared(statement).await.expect("a statement");
    assert!(done.rows_affected() > 0, "{statement}");
    let lines = lines(app).await;
    let found = broken(&lines, Trust::default());
    assert_eq!(broken(&through_a_file(&lines), Trust::default()), found, "{statement}");
    found
}

#[rstest]
#[case::another_action("UPDATE audit_entry SET action = 'group.deleted' WHERE sequence = 6", Fault::Changed, 6)]
#[case::other_details("UPDATE audit_entry SET details = '{\"number\":77}' WHERE sequence = 8", Fault::Changed, 8)]
#[case::another_actor(
    "UPDATE audit_entry SET actor_kind = 'SYSTEM', actor_id = NULL WHERE sequence = 4",
    Fault::Changed,
    4
)]
#[case::another_subject("UPDATE audit_entry SET subject = NULL WHERE sequence = 2", Fault::Changed, 2)]
#[case::another_person("UPDATE audit_entry SET person_id = id WHERE sequence = 3", Fault::Changed, 3)]
#[case::in_whose_place("UPDATE audit_entry SET on_behalf_of = id WHERE sequence = 3", Fault::Changed, 3)]
#[case::another_digest("UPDATE audit_entry SET digest = 'aa' WHERE sequence = 3", Fault::Changed, 3)]
#[case::another_execution("UPDATE audit_entry SET execution_id = id WHERE sequence = 3", Fault::Changed, 3)]
#[case::before("UPDATE audit_entry SET before = '{}' WHERE sequence = 3", Fault::Changed, 3)]
#[case::after("UPDATE audit_entry SET after = '{}' WHERE sequence = 3", Fault::Changed, 3)]
#[case::its_hash("UPDATE audit_entry SET hash = previous WHERE sequence = 5", Fault::Changed, 5)]
#[case::what_it_follows("UPDATE audit_entry SET previous = hash WHERE sequence = 5", Fault::Changed, 5)]
#[case::its_commitments("UPDATE audit_entry SET personal = '{}' WHERE sequence = 2", Fault::Changed, 2)]
#[case::a_value(
    "UPDATE audit_value SET value = '{\"name\":\"Eve\"}' WHERE part = 'subject' AND entry_id = (SELECT id FROM audit_entry WHERE sequence = 2)",
    Fault::Changed,
    2
)]
#[case::a_salt(
    "UPDATE audit_value SET salt = salt || salt WHERE part = 'subject' AND entry_id = (SELECT id FROM audit_entry WHERE sequence = 2)",
    Fault::Changed,
    2
)]
#[case::whose_a_value_is(
    "UPDATE audit_value SET person_id = NULL WHERE part = 'subject' AND entry_id = (SELECT id FROM audit_entry WHERE sequence = 2)",
    Fault::Changed,
    2
)]
#[case::a_value_is_gone(
    "DELETE FROM audit_value WHERE part = 'subject' AND entry_id = (SELECT id FROM audit_entry WHERE sequence = 2)",
    Fault::Removed,
    2
)]
#[case::a_value_more(
    "INSERT INTO audit_value (entry_id, part, salt, value) SELECT id, 'details', salt, value FROM audit_entry, (SELECT salt, value FROM audit_value LIMIT 1) AS other WHERE sequence = 6",
    Fault::Inserted,
    6
)]
#[case::one_is_gone("DELETE FROM audit_entry WHERE sequence = 7", Fault::Removed, 7)]
#[case::the_first_is_gone("DELETE FROM audit_entry WHERE sequence = 1", Fault::Removed, 1)]
#[case::some_are_gone("DELETE FROM audit_entry WHERE sequence IN (3, 4, 5)", Fault::Removed, 3)]
#[case::one_is_moved_away("UPDATE audit_entry SET sequence = 1000 WHERE sequence = 7", Fault::Removed, 7)]
#[case::the_signed_hash(
    "UPDATE audit_signature SET hash = (SELECT hash FROM audit_entry WHERE sequence = 1)",
    Fault::Forged,
    SIGNED
)]
#[case::a_signature(
    "UPDATE audit_signature SET signature = (SELECT max(signature) FROM audit_signature) WHERE signature = (SELECT min(signature) FROM audit_signature)",
    Fault::Forged,
    EITHER
)]
#[case::when_it_was_signed("UPDATE audit_signature SET at = '2020-01-01T00:00:00.000000Z'", Fault::Forged, SIGNED)]
#[case::the_head("UPDATE audit_head SET sequence = sequence + 3", Fault::Removed, AFTER)]
#[case::the_heads_hash("UPDATE audit_head SET hash = 'aa'", Fault::Changed, LAST)]
#[case::the_head_is_back("UPDATE audit_head SET sequence = sequence - 1", Fault::Inserted, LAST)]
#[tokio::test]
async fn the_first_bad_entry_is_named(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[case] statement: &str,
    #[case] fault: Fault,
    #[case] place: i64,
) {
    let (app, connection, last) = history(database).await;
    let found = tampered(&app, &connection, statement).await;
    let places = match place {
        SIGNED => vec![last - 4],
        EITHER => vec![last - 4, last],
        LAST => vec![last],
        AFTER => vec![last + 1],
        exact => vec![exact],
    };
    assert!(found.0 == fault && places.contains(&found.1), "{statement}: {found:?} of {last}");
}

#[rstest]
#[tokio::test]
async fn an_entry_that_lists_show_elsewhere_is_found(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, connection, _) = history(database).await;
    let move_back = "UPDATE audit_entry SET position = 1000000 WHERE sequence = 3";
    connection.execute_unprepared(move_back).await.expect("moved");
    let lines = lines(&app).await;
    assert_eq!(broken(&lines, Trust::default()), (Fault::Changed, 4));
    // An export has the chain's order, which nobody changed.
    assert!(verify(&through_a_file(&lines), Trust::default()).is_ok());
}

/// The first entry that is signed; either one; the last one; the one after it.
const SIGNED: i64 = -1;
const EITHER: i64 = -2;
const LAST: i64 = -3;
const AFTER: i64 = -4;

#[rstest]
#[tokio::test]
async fn entries_that_are_put_in_or_swapped_or_cut_off_are_found(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let columns = "workspace_id, at, actor_kind, action, details, previous, hash, personal";
    let id = match database {
        Database::Sqlite => "randomblob(16)",
        Database::Postgres => "gen_random_uuid()",
    };
    let copy = |sequence: &str| {
        format!(
            "INSERT INTO audit_entry (id, sequence, {columns}) SELECT {id}, {sequence}, {columns} \
             FROM audit_entry WHERE sequence = 7"
        )
    };
    // Past the server, and without a place.
    let (app, connection, last) = history(database).await;
    assert_eq!(tampered(&app, &connection, &copy("NULL")).await, (Fault::Inserted, 0));
    connection.execute_unprepared("DELETE FROM audit_entry WHERE sequence IS NULL").await.expect("deleted");
    sound(&lines(&app).await);
    // After the last.
    let forged = tampered(&app, &connection, &copy(&format!("{}", last + 1))).await;
    assert_eq!(forged, (Fault::Changed, last + 1));
    connection.execute_unprepared(&format!("DELETE FROM audit_entry WHERE sequence > {last}")).await.expect("deleted");
    // Twice the same number.
    connection.execute_unprepared("DROP INDEX audit_entry_chain").await.expect("no index");
    assert_eq!(tampered(&app, &connection, &copy("7")).await, (Fault::Inserted, 7));
    let added = "DELETE FROM audit_entry WHERE position = (SELECT max(position) FROM audit_entry)";
    connection.execute_unprepared(added).await.expect("deleted");
    sound(&lines(&app).await);
    // Two change places.
    let swap = "UPDATE audit_entry SET sequence = 15 - sequence WHERE sequence IN (7, 8)";
    assert_eq!(tampered(&app, &connection, swap).await, (Fault::Changed, 7));
    connection.execute_unprepared(swap).await.expect("swapped back");
    let report = sound(&lines(&app).await);
    // The end is cut off, and the head says so, too.
    let trust = Trust { expected: Some(Expected { sequence: report.last, hash: report.hash }), ..Trust::default() };
    for statement in [
        "DELETE FROM audit_entry WHERE sequence = (SELECT max(sequence) FROM audit_entry)",
        "UPDATE audit_head SET sequence = sequence - 1, signed = 0, \
         hash = (SELECT hash FROM audit_entry WHERE sequence = (SELECT max(sequence) FROM audit_entry))",
    ] {
        assert_eq!(tampered(&app, &connection, statement).await, (Fault::Removed, last));
    }
    // With the signature gone as well, only who remembers the head notices.
    let latest = "DELETE FROM audit_signature WHERE sequence = (SELECT max(sequence) FROM audit_signature)";
    connection.execute_unprepared(latest).await.expect("deleted");
    let cut = lines(&app).await;
    assert_eq!(sound(&cut).last, last - 1);
    assert_eq!(broken(&cut, trust), (Fault::Removed, last));
}

/// Rewrites a log from an entry on, as somebody would who can do everything but sign with the server's key.
fn rewritten(lines: &[Line], from: i64, signer: Option<&Signer>) -> Vec<Line> {
    let (mut hash, mut seal) = (String::new(), None);
    let mut changed = Vec::new();
    for line in lines {
        let mut line = line.clone();
        match &mut line {
            Line::Entry(entry) => {
                if entry.sequence() == from {
                    entry.content.insert("action".to_owned(), "group.deleted".into());
                }
                if entry.sequence() > from {
                    entry.content.insert("previous".to_owned(), hash.into());
                }
                entry.content.shift_remove("seal");
                if let Some(seal) = seal.take() {
                    entry.content.insert("seal".to_owned(), Value::String(seal));
                }
                entry.hash = entry.true_hash();
                hash = entry.hash.clone();
            }
            Line::Signature(signature) => {
                if let Some(signer) = signer.filter(|_| signature.sequence >= from) {
                    let workspace = signature.workspace.parse().expect("an id");
                    let at = signature.at.parse().expect("a time");
                    *signature = signer.sign(workspace, signature.sequence, &hash, at);
                }
                seal = signature.interval.is_some().then(|| signature.seal());
            }
            Line::End(end) => end.hash = hash.clone(),
            Line::Head(_) | Line::Unreadable(_) => {}
        }
        changed.push(line);
    }
    changed
}

#[rstest]
#[tokio::test]
async fn a_chain_that_is_written_anew_fails_at_its_signature(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, _, last) = history(database).await;
    let lines = lines(&app).await;
    let own = Trust { keys: vec![app.engine.audit_key()], ..Trust::default() };
    assert!(verify(&lines, own.clone()).is_ok());
    // The hashes fit again, but the signature is about others.
    assert_eq!(broken(&rewritten(&lines, 3, None), Trust::default()), (Fault::Changed, last - 4));
    assert_eq!(broken(&rewritten(&lines, last - 1, None), Trust::default()), (Fault::Changed, last));
    // With another key everything fits again: only who knows the right one notices.
    let other = Signer::new(&[9; 32]).expect("a key");
    let forged = rewritten(&lines, 3, Some(&other));
    assert!(verify(&forged, Trust::default()).is_ok());
    assert_eq!(broken(&forged, own), (Fault::Forged, last - 4));
}

#[tokio::test]
async fn an_entry_that_is_put_between_others_and_counted_on_is_found() {
    let (app, _, _) = history(Database::Sqlite).await;
    let mut lines = lines(&app).await;
    let place = lines.iter().position(|line| matches!(line, Line::Entry(entry) if entry.sequence() == 6));
    let place = place.expect("an entry");
    let Line::Entry(mut forged) = lines[place].clone() else { panic!("an entry") };
    forged.content.insert("action".to_owned(), "group.deleted".into());
    forged.hash = forged.true_hash();
    for line in &mut lines[place..] {
        if let Line::Entry(entry) = line {
            let next = entry.sequence() + 1;
            entry.content.insert("sequence".to_owned(), next.into());
        }
    }
    lines.insert(place, Line::Entry(forged));
    assert_eq!(broken(&lines, Trust::default()), (Fault::Inserted, 6));
}

/// Something that somebody does to the lines of a log.
#[derive(Debug, Clone)]
enum Tampering {
    Remove(prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    /// Another byte at a place of the file.
    Byte(prop::sample::Index, prop::sample::Index, u8),
}

fn tamperings() -> impl Strategy<Value = Tampering> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        index().prop_map(Tampering::Remove),
        (index(), index()).prop_map(|(one, other)| Tampering::Repeat(one, other)),
        (index(), index()).prop_map(|(one, other)| Tampering::Swap(one, other)),
        (index(), index(), any::<u8>()).prop_map(|(line, place, byte)| Tampering::Byte(line, place, byte)),
    ]
}

/// The file after it, if it says something else then.
fn tamper(file: &[String], tampering: &Tampering) -> Option<Vec<String>> {
    let mut file = file.to_vec();
    let before = file.clone();
    match tampering {
        Tampering::Remove(index) => {
            let index = index.index(file.len());
            // Who takes a signature away leaves a log that is sound, with less to prove it.
            if file[index].contains("\"type\":\"signature\"") {
                return None;
            }
            file.remove(index);
        }
        Tampering::Repeat(one, other) => {
            let line = file[one.index(file.len())].clone();
            file.insert(other.index(file.len()), line);
        }
        Tampering::Swap(one, other) => {
            let (one, other) = (one.index(file.len()), other.index(file.len()));
            file.swap(one, other);
        }
        Tampering::Byte(line, place, byte) => {
            let line = line.index(file.len());
            // The first line says where the file comes from, and is under nobody's signature.
            if line == 0 {
                return None;
            }
            let mut bytes = file[line].clone().into_bytes();
            let place = place.index(bytes.len());
            bytes[place] = *byte;
            file[line] = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    let same = |one: &String, other: &String| {
        let parse = |text: &String| Line::parse(text).ok();
        one == other || (parse(one).is_some() && parse(one) == parse(other))
    };
    let unchanged = file.len() == before.len() && file.iter().zip(&before).all(|(one, other)| same(one, other));
    (!unchanged).then_some(file)
}

#[tokio::test]
async fn whatever_is_done_to_a_file_is_noticed() {
    let (app, _, _) = history(Database::Sqlite).await;
    let file: Vec<String> = lines(&app).await.iter().map(|line| line.to_json().to_string()).collect();
    let mut runner = TestRunner::new(Config { cases: 3_000, ..Config::default() });
    let outcome = runner.run(&tamperings(), |tampering| {
        let Some(changed) = tamper(&file, &tampering) else { return Ok(()) };
        let parsed: Result<Vec<Line>, _> = changed.iter().map(|line| Line::parse(line)).collect();
        // What is no log at all is noticed, too.
        let Ok(parsed) = parsed else { return Ok(()) };
        let begins = matches!(parsed.first(), Some(Line::Head(_)));
        prop_assert!(!begins || verify(&parsed, Trust::default()).is_err(), "{tampering:?}");
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
