//! Which command makes sense in which state.

use super::status::Status;
use crate::domain::refusal::{Code, Refusal};

/// What can be asked of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Give it its place.
    Start,
    /// Look whether something is due.
    Wake,
    /// Take work.
    TakeWork,
    /// Give work back: done, failed, or lost.
    GiveWork,
    /// Its time is up.
    TimeOut,
    Pause,
    Resume,
    Cancel,
    /// Ask people, or answer them.
    Decide,
    /// Do the same again, as a new execution.
    Retry,
    /// Go on from the failure, as a new execution.
    ResumeFailed,
    /// Go another way from a step on, as a new execution.
    Fork,
}

impl Verb {
    pub const ALL: [Verb; 12] = [
        Verb::Start,
        Verb::Wake,
        Verb::TakeWork,
        Verb::GiveWork,
        Verb::TimeOut,
        Verb::Pause,
        Verb::Resume,
        Verb::Cancel,
        Verb::Decide,
        Verb::Retry,
        Verb::ResumeFailed,
        Verb::Fork,
    ];

    fn wish(self) -> &'static str {
        match self {
            Verb::Start => "be started",
            Verb::Wake => "be woken",
            Verb::TakeWork => "give out work",
            Verb::GiveWork => "take results",
            Verb::TimeOut => "time out",
            Verb::Pause => "be paused",
            Verb::Resume => "be resumed",
            Verb::Cancel => "be cancelled",
            Verb::Decide => "wait for people",
            Verb::Retry => "be retried",
            Verb::ResumeFailed => "be resumed from its failure",
            Verb::Fork => "be forked",
        }
    }
}

/// Whether a command makes sense in a state: the whole table.
pub fn allows(status: Status, verb: Verb) -> bool {
    use Status::{AwaitingApproval, Cancelled, Completed, Failed, LimitReached, Paused, Planning, Queued, Running};
    use Verb::{Cancel, Decide, Fork, GiveWork, Pause, Resume, ResumeFailed, Retry, Start, TakeWork, TimeOut, Wake};
    match (status, verb) {
        (Queued, Start | Pause | Cancel) => true,
        (Queued, Wake | TakeWork | GiveWork | TimeOut | Resume | Decide | Retry | ResumeFailed | Fork) => false,

        (
            Planning | Running | AwaitingApproval,
            Wake | TakeWork | GiveWork | TimeOut | Pause | Cancel | Decide | Fork,
        ) => true,
        (Planning | Running | AwaitingApproval, Start | Resume | Retry | ResumeFailed) => false,

        // What runs may come to its end, and people may decide; nothing new begins.
        (Paused, Wake | GiveWork | Resume | Cancel | Decide | Fork) => true,
        (Paused, Start | TakeWork | TimeOut | Pause | Retry | ResumeFailed) => false,

        (Failed | LimitReached, Retry | ResumeFailed | Fork) => true,
        (Failed | LimitReached, Start | Wake | TakeWork | GiveWork | TimeOut | Pause | Resume | Cancel | Decide) => {
            false
        }

        // Resuming is for what ended PARTIAL, which the command checks.
        (Completed, Retry | ResumeFailed | Fork) => true,
        (Completed, Start | Wake | TakeWork | GiveWork | TimeOut | Pause | Resume | Cancel | Decide) => false,

        (Cancelled, Retry | Fork) => true,
        (Cancelled, Start | Wake | TakeWork | GiveWork | TimeOut | Pause | Resume | Cancel | Decide | ResumeFailed) => {
            false
        }
    }
}

/// Refuses a command that makes no sense in a state, naming the state.
pub fn permit(status: Status, verb: Verb) -> Result<(), Refusal> {
    if allows(status, verb) {
        return Ok(());
    }
    let possible: Vec<&str> =
        Status::ALL.iter().filter(|status| allows(**status, verb)).map(|status| status.as_str()).collect();
    let message =
        format!("the execution is {status} and cannot {}: it would have to be {}", verb.wish(), possible.join(" or "));
    Err(Refusal::new(Code::Conflict, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table once more, by hand: a change of either must be meant.
    #[test]
    fn every_state_crossed_with_every_command() {
        let table = "
            verb          QUEUED PLANNING AWAITING_APPROVAL RUNNING PAUSED COMPLETED FAILED CANCELLED LIMIT_REACHED
            Start         yes    no       no                no      no     no        no     no        no
            Wake          no     yes      yes               yes     yes    no        no     no        no
            TakeWork      no     yes      yes               yes     no     no        no     no        no
            GiveWork      no     yes      yes               yes     yes    no        no     no        no
            TimeOut       no     yes      yes               yes     no     no        no     no        no
            Pause         yes    yes      yes               yes     no     no        no     no        no
            Resume        no     no       no                no      yes    no        no     no        no
            Cancel        yes    yes      yes               yes     yes    no        no     no        no
            Decide        no     yes      yes               yes     yes    no        no     no        no
            Retry         no     no       no                no      no     yes       yes    yes       yes
            ResumeFailed  no     no       no                no      no     yes       yes    no        yes
            Fork          no     yes      yes               yes     yes    yes       yes    yes       yes";
        let mut lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let header = lines.by_ref().find(|line| !line.is_empty()).expect("a header");
        let rows: Vec<Vec<&str>> = lines.collect();
        assert_eq!(rows.len(), Verb::ALL.len());
        for verb in Verb::ALL {
            let row = rows.iter().find(|row| row[0] == format!("{verb:?}")).expect("a row for each verb");
            for status in Status::ALL {
                let column = header.iter().position(|name| *name == status.as_str()).expect("a column for each state");
                assert_eq!(allows(*status, verb), row[column] == "yes", "{status} {verb:?}");
                assert_eq!(permit(*status, verb).is_ok(), row[column] == "yes");
            }
        }
    }

    #[test]
    fn a_refusal_names_the_state() {
        let refusal = permit(Status::Completed, Verb::Pause).expect_err("refused");
        assert_eq!(
            refusal.message,
            "the execution is COMPLETED and cannot be paused: it would have to be QUEUED or PLANNING or \
             AWAITING_APPROVAL or RUNNING"
        );
    }
}
