//! Lines that are written together share a row.
//!
//! A decision often adds a dozen lines: a start, steps that only compute, an end. A row for each of them would be a dozen
//! entries of every index, which cost the databases more than the lines themselves, and the same values once for each
//! line. So lines of one decision that follow each other are one row, a block, with the position and the number of the
//! last one: whoever looks for what comes after a position finds the row by it. A line that stands alone is a row as
//! readable as ever.

use serde_json::value::RawValue;

use super::{
    packing::{pack, unpack},
    read::{Entry, Unknown},
};
use crate::{
    domain::{
        execution::Event,
        id::{ExecutionId, WorkspaceId},
    },
    store::{actor, micros},
};

/// The most lines of a row: whoever looks for one of them reads all.
pub const MOST_LINES: usize = 32;
/// Where a row has so many bytes, the next line begins another one.
const LONG: usize = 32 * 1024;

/// What one row keeps.
#[derive(Debug, Clone)]
pub struct Block {
    /// How many lines.
    pub lines: usize,
    /// Their kinds, with spaces in between.
    pub kind: String,
    /// The line as it is, or all of them as a list; nothing where it is packed.
    pub data: String,
    pub packed: Option<Vec<u8>>,
}

impl Block {
    pub fn of_one(event: &Event) -> Self {
        Self::new(1, event.kind().to_owned(), event.data())
    }

    /// All events of a decision. `others_from` says from where on somebody else has done them: a row has one actor.
    pub fn of_decision(events: &[Event], others_from: Option<usize>) -> Vec<Self> {
        let mut blocks = Vec::new();
        let mut open = Open::default();
        for (number, event) in events.iter().enumerate() {
            // Comments have no number, and are found by that.
            let alone = event.is_comment();
            if alone || others_from == Some(number) || open.is_full() {
                blocks.extend(open.close());
            }
            if alone {
                blocks.push(Self::of_one(event));
            } else {
                open.lines.push((event.kind(), event.data()));
            }
        }
        blocks.extend(open.close());
        blocks
    }

    fn new(lines: usize, kind: String, text: String) -> Self {
        let (data, packed) = pack(text);
        Self { lines, kind, data, packed }
    }
}

/// Lines for a row that is not finished yet.
#[derive(Default)]
struct Open {
    lines: Vec<(&'static str, String)>,
}

impl Open {
    fn is_full(&self) -> bool {
        self.lines.len() == MOST_LINES || self.lines.iter().map(|(_, data)| data.len()).sum::<usize>() >= LONG
    }

    fn close(&mut self) -> Option<Block> {
        let mut lines = std::mem::take(&mut self.lines);
        if lines.len() <= 1 {
            return lines.pop().map(|(kind, data)| Block::new(1, kind.to_owned(), data));
        }
        let (kinds, texts): (Vec<&str>, Vec<String>) = lines.into_iter().unzip();
        Some(Block::new(kinds.len(), kinds.join(" "), format!("[{}]", texts.join(","))))
    }
}

/// The kinds of the lines in a row.
pub fn kinds(kind: &str) -> impl Iterator<Item = &str> {
    kind.split(' ')
}

/// What `read` makes of the kind and the text of each line in a row, or what is wrong with the row.
fn each_line<T>(row: &entity::journal::Model, mut read: impl FnMut(&str, &str) -> T) -> Result<Vec<T>, String> {
    let text = unpack(&row.data, row.packed.as_deref())?;
    if row.lines == 1 {
        return Ok(vec![read(&row.kind, &text)]);
    }
    let texts: Vec<&RawValue> =
        serde_json::from_str(&text).map_err(|error| format!("its lines cannot be told apart: {error}"))?;
    let count = kinds(&row.kind).count();
    if texts.len() != count || usize::try_from(row.lines) != Ok(count) {
        return Err(format!("it should have {} lines and has {}", row.lines, texts.len()));
    }
    Ok(kinds(&row.kind).zip(texts).map(|(kind, text)| read(kind, text.get())).collect())
}

/// The kind and the text of each line in a row.
pub fn lines(row: &entity::journal::Model) -> Result<Vec<(String, String)>, String> {
    each_line(row, |kind, text| (kind.to_owned(), text.to_owned()))
}

/// The lines of a row, in their order. What cannot be read is there as well, or its absence would look like a hole.
pub fn entries(row: entity::journal::Model) -> Vec<Entry> {
    let read = |kind: &str, text: &str| {
        let unknown = |error| Unknown { kind: kind.to_owned(), data: text.to_owned(), error };
        Event::read(kind, text).map_err(unknown)
    };
    let events = each_line(&row, read).unwrap_or_else(|error| {
        let unknown = |kind: &str| Err(Unknown { kind: kind.to_owned(), data: String::new(), error: error.clone() });
        kinds(&row.kind).map(unknown).collect()
    });
    let last = events.len().saturating_sub(1);
    let entry = |(number, event)| {
        let before_last = last - number;
        Entry {
            position: row.position - before_last as i64,
            workspace: WorkspaceId(row.workspace_id),
            execution: ExecutionId(row.execution_id),
            seq: row.seq.map(|seq| seq.unsigned_abs().saturating_sub(before_last as u64)),
            at: micros::to_time(row.at),
            actor: actor::read(&row.actor_kind, row.actor_id),
            event,
        }
    };
    events.into_iter().enumerate().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        access::Actor,
        execution::{Data, LogLevel},
        json::Json,
    };

    fn started() -> Event {
        Event::Started {}
    }

    fn logged(message: &str) -> Event {
        Event::StepLogged { step: 0, level: LogLevel::Info, message: message.to_owned() }
    }

    fn completed(text: &str) -> Event {
        Event::StepCompleted {
            step: 0,
            attempt: 1,
            output: Data::Inline(Json::string(text)),
            usage: Default::default(),
            confidence: None,
            reasoning: None,
        }
    }

    fn sizes(events: &[Event], others_from: Option<usize>) -> Vec<usize> {
        Block::of_decision(events, others_from).iter().map(|block| block.lines).collect()
    }

    /// The row of a block whose last line has this position and number.
    fn row(block: Block, position: i64, seq: Option<i64>) -> entity::journal::Model {
        let (actor_kind, actor_id) = actor::columns(Actor::System);
        entity::journal::Model {
            position,
            workspace_id: uuid::Uuid::nil(),
            execution_id: uuid::Uuid::nil(),
            seq,
            at: 0,
            kind: block.kind,
            actor_kind,
            actor_id,
            data: block.data,
            packed: block.packed,
            lines: i32::try_from(block.lines).expect("few"),
        }
    }

    #[test]
    fn a_row_ends_where_comments_others_or_too_much_comes() {
        assert_eq!(sizes(&[], None), [0; 0]);
        assert_eq!(sizes(&[started(), completed("a"), completed("b")], None), [3]);
        assert_eq!(sizes(&[started(), logged("a"), completed("b"), completed("c")], None), [1, 1, 2]);
        assert_eq!(sizes(&[started(), completed("a"), completed("b")], Some(1)), [1, 2]);
        assert_eq!(sizes(&[started(), completed("a")], Some(0)), [2]);
        assert_eq!(sizes(&vec![started(); MOST_LINES * 2 + 1], None), [MOST_LINES, MOST_LINES, 1]);
        let long = completed(&"x".repeat(LONG));
        assert_eq!(sizes(&[started(), long.clone(), started(), long, started()], None), [2, 2, 1]);
    }

    #[test]
    fn lines_come_back_with_their_own_positions_and_numbers() {
        let events = [started(), completed("12.50 \u{fc}, ] [\" "), completed(&"long ".repeat(200)), started()];
        for count in 1..=events.len() {
            let mut blocks = Block::of_decision(&events[..count], None);
            let last = i64::try_from(count).expect("few");
            let read = entries(row(blocks.pop().expect("a block"), 100 + last, Some(7 + last)));
            assert_eq!(
                read.iter().map(|entry| entry.position - 100).collect::<Vec<_>>(),
                (1..=last).collect::<Vec<_>>()
            );
            let seqs: Vec<u64> = read.iter().filter_map(|entry| entry.seq).collect();
            assert_eq!(seqs, (8..8 + count as u64).collect::<Vec<_>>());
            let read: Vec<Event> = read.into_iter().map(|entry| entry.event.expect("known")).collect();
            assert_eq!(read, events[..count]);
        }
    }

    #[test]
    fn the_same_text_in_several_lines_is_kept_once() {
        let random: String =
            (0..1_000_u32).map(|n| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 26)).collect();
        let length = |count: usize| {
            let block = Block::of_decision(&vec![completed(&random); count], None).pop().expect("a block");
            block.packed.expect("packed").len()
        };
        assert!(length(5) < length(1) + 200, "{} and {}", length(5), length(1));
    }

    #[test]
    fn what_cannot_be_read_keeps_its_places() {
        let block = || Block::of_decision(&[started(), completed("a"), started()], None).pop().expect("a block");
        let broken = |change: &dyn Fn(&mut entity::journal::Model)| {
            let mut row = row(block(), 9, Some(3));
            change(&mut row);
            let read = entries(row);
            assert_eq!(read.iter().map(|entry| entry.position).collect::<Vec<_>>(), [7, 8, 9]);
            read.into_iter().map(|entry| entry.event.expect_err("broken").error).next().expect("a line")
        };
        insta::assert_snapshot!(broken(&|row| row.data = "[{}]".to_owned()), @"it should have 3 lines and has 1");
        insta::assert_snapshot!(broken(&|row| row.lines = 2), @"it should have 2 lines and has 3");
        let told_apart = broken(&|row| row.data.truncate(5));
        assert!(told_apart.starts_with("its lines cannot be told apart: "), "{told_apart}");
        insta::assert_snapshot!(broken(&|row| row.packed = Some(vec![9])), @"it is packed in a way that this version does not know");
        // What a later version wrote beside what this one knows.
        let mut later = row(block(), 9, Some(3));
        later.kind = "execution.started step.dreamed execution.started".to_owned();
        let read: Vec<bool> = entries(later).iter().map(|entry| entry.event.is_ok()).collect();
        assert_eq!(read, [true, false, true]);
    }
}
