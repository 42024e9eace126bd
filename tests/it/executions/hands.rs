//! Work is given back by whoever has it, and by nobody else.

use chrono::{DateTime, Utc};
use countersign::domain::{
    document::Problems,
    execution::{Command, Data, Event, Failure, FailureCode, Mode, Queued, Released, State, Usage, Work, decide},
    json::Json,
    refusal::Code,
    workflow::{Definition, read},
};
use serde_json::json;
use uuid::Uuid;

const AT: DateTime<Utc> = DateTime::UNIX_EPOCH;

fn definition() -> Definition {
    let document = json!({"name": "One", "steps": [{"key": "one", "agent": "Worker"}]});
    read(&document, &mut Problems::default()).expect("a definition")
}

/// An execution with one step that waits as this task.
fn waiting(task: Uuid) -> State {
    let queued = Event::Queued(Box::new(Queued {
        workflow: Uuid::nil(),
        version: 1,
        steps: 1,
        mode: Mode::Live,
        input: Data::Inline(Json::null()),
        correlation_id: None,
        origin: None,
        root: None,
        kept: Vec::new(),
    }));
    let scheduled = Event::StepScheduled {
        step: 0,
        attempt: 1,
        agent: Uuid::nil(),
        agent_version: 1,
        computed: Data::Inline(Json::null()),
        task,
        queue: Some("q".to_owned()),
    };
    State::fold([(AT, &queued), (AT, &Event::Started {}), (AT, &scheduled)]).expect("a beginning")
}

/// Everything that whoever has a step can do with it.
fn given_back(work: &Work) -> [Command; 3] {
    let (step, usage) = (0, Usage::default());
    let output = Data::Inline(Json::null());
    let failure = Failure::fatal(FailureCode::Worker, "no luck");
    [
        Command::CompleteStep { step, work: work.clone(), output, usage, confidence: None, reasoning: None },
        Command::FailStep { step, work: work.clone(), failure, usage, chance: 0.0 },
        Command::ReleaseStep {
            step,
            work: work.clone(),
            reason: Released::LeaseExpired,
            task: Uuid::from_u128(9),
            queue: None,
        },
    ]
}

#[test]
fn only_whoever_has_a_step_can_give_it_back() {
    let (task, lease) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let worker = |id: &str, lease| Work::Worker { id: id.to_owned(), lease };
    let server = Work::Server(Uuid::from_u128(3));
    for holder in [worker("w", lease), server.clone()] {
        let mut state = waiting(task);
        let taken = decide(&state, &definition(), Command::TakeStep { step: 0, task, work: holder.clone() }, AT);
        taken.expect("it waits").iter().for_each(|event| state.apply(event, AT));
        let others = [
            worker("w", Uuid::from_u128(4)),
            worker("somebody", lease),
            server.clone(),
            Work::Server(Uuid::from_u128(5)),
        ];
        for other in others.iter().filter(|other| **other != holder) {
            for command in given_back(other) {
                let refused = decide(&state, &definition(), command, AT).expect_err("it is not theirs");
                assert_eq!(refused.code, Code::Conflict, "{other:?}");
            }
        }
        for command in given_back(&holder) {
            assert!(!decide(&state, &definition(), command, AT).expect("it is theirs").is_empty());
        }
    }
}

#[test]
fn only_the_task_that_waits_can_be_taken() {
    let (task, work) = (Uuid::from_u128(1), Work::Server(Uuid::from_u128(3)));
    let take = |task| Command::TakeStep { step: 0, task, work: work.clone() };
    let earlier = take(Uuid::from_u128(2));
    assert_eq!(decide(&waiting(task), &definition(), earlier, AT).expect_err("another task").code, Code::Conflict);
    assert!(decide(&waiting(task), &definition(), take(task), AT).is_ok());
}
