//! A workflow's document on its way in.

use serde_json::Value;

use crate::{
    domain::{
        access::Scope,
        disguise::{alike, invisible},
        document::{MOST_PROBLEMS, Place, Problem, ProblemCode, Problems, read_text},
        json::Json,
        refusal::{Code, Refusal},
        workflow::{self, AgentShape, Heading, Library},
    },
    engine::{
        Engine, Error, Result,
        compute::{WORK_ON_A_DOCUMENT, compute},
    },
    store::{checkpoints::CheckpointRow, workflows::Workflow},
};

/// The most bytes of a document.
const LARGEST_DOCUMENT: usize = 1024 * 1024;

/// A document as a caller gives it.
#[derive(Debug, Clone)]
pub enum Document {
    Definition(Value),
    Source(String),
}

impl Document {
    /// The input's field that it came in.
    pub fn field(&self) -> &'static str {
        match self {
            Document::Definition(_) => "definition",
            Document::Source(_) => "source",
        }
    }
}

/// What became of a document that was to be saved.
#[derive(Debug)]
pub enum SavedWorkflow {
    /// Only a draft can have problems.
    Saved { workflow: Workflow, problems: Vec<Problem> },
    /// Nothing was saved.
    Invalid(Vec<Problem>),
    /// It is saved once somebody else has approved it.
    InReview(Box<CheckpointRow>),
}

/// A document that can be kept, and what is wrong with it.
pub(super) struct Checked {
    pub json: Json,
    pub problems: Vec<Problem>,
    heading: std::result::Result<Heading, Vec<Problem>>,
    draft: bool,
}

impl Checked {
    /// What the workflow is called, or the problems that forbid to save.
    pub fn savable(&self) -> std::result::Result<Heading, Vec<Problem>> {
        if self.draft || self.problems.is_empty() { self.heading.clone() } else { Err(self.problems.clone()) }
    }
}

/// Reads a document as far as it can be kept.
fn read(document: &Document) -> std::result::Result<(Json, Value), Problem> {
    let too_large = |size: usize| {
        let message = format!("the document has {size} bytes: at most {LARGEST_DOCUMENT} are allowed");
        Place::default().problem(ProblemCode::TooMany, message)
    };
    let value = match document {
        Document::Definition(value) => value.clone(),
        Document::Source(text) if text.len() > LARGEST_DOCUMENT => return Err(too_large(text.len())),
        Document::Source(text) => read_text(text)?,
    };
    let json = Json::from_value(&value).map_err(|error| {
        Place::default().problem(ProblemCode::InvalidValue, format!("the document cannot be kept: {error}"))
    })?;
    if json.size() > LARGEST_DOCUMENT { Err(too_large(json.size())) } else { Ok((json, value)) }
}

impl Engine {
    /// Everything that is wrong with a document.
    pub async fn validate_workflow(&self, scope: Scope, document: &Document) -> Result<Vec<Problem>> {
        Ok(self.check_document(scope, document, false).await?.map_or_else(|problem| vec![problem], |it| it.problems))
    }

    /// Refuses a document that uses agents which are not the caller's to use.
    pub(super) async fn permit_document(&self, scope: Scope, document: &Document) -> Result<()> {
        if scope.restricted_token().is_none() {
            return Ok(());
        }
        match read(document) {
            Ok((_, value)) => self.permit_agents_named(scope, workflow::agents_in(&value).into_iter()).await,
            // Checking the document says what is wrong with it.
            Err(_) => Ok(()),
        }
    }

    /// Checks a document, or says why it cannot even be kept.
    pub(super) async fn check_document(
        &self,
        scope: Scope,
        document: &Document,
        draft: bool,
    ) -> Result<std::result::Result<Checked, Problem>> {
        let (json, value) = match read(document) {
            Ok(read) => read,
            Err(problem) => return Ok(Err(problem)),
        };
        let agents = self.store().agents_by_name(scope, workflow::agents_in(&value)).await?;
        let library: Library = agents.into_iter().map(|(name, agent)| (name, AgentShape::from(agent))).collect();
        let (value, mut problems) = compute(WORK_ON_A_DOCUMENT, move || {
            let (_, problems) = workflow::validate(&value, &library);
            (value, problems)
        })
        .await?;
        problems.truncate(MOST_PROBLEMS);
        let mut unusable = Problems::default();
        let heading = workflow::read_heading(&value, &mut unusable).ok_or_else(|| unusable.into_vec());
        Ok(Ok(Checked { json, heading, problems, draft }))
    }
}

/// Refuses a name that could be taken for another one, unless the workflow has it already.
pub(super) fn check_name(place: &[&'static str], name: &str, before: Option<&str>) -> Result<()> {
    match invisible(name).or_else(|| alike(name)).filter(|_| before != Some(name)) {
        Some(why) => {
            let path = place.iter().map(|segment| (*segment).into()).collect();
            Err(Refusal { path, ..Refusal::new(Code::Invalid, format!("`name` {why}")) }.into())
        }
        None => Ok(()),
    }
}

/// The name that a workflow should get, by what is at this place of the input, is another one's.
pub(super) fn taken(place: &[&'static str], name: &str) -> Error {
    let message = format!("there is a workflow named `{name}` already, perhaps an archived one: choose another name");
    let path = place.iter().map(|segment| (*segment).into()).collect();
    Refusal { path, ..Refusal::new(Code::AlreadyExists, message) }.into()
}
