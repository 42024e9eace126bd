//! How two versions differ.

use crate::{
    domain::{
        access::Scope,
        deliverable::{Difference, LARGEST_COMPARED, unified},
        id::DeliverableId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Result, execution::values::offload},
    store::deliverables::Version,
};

/// What was compared, and what came out.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub from: Version,
    pub to: Version,
    /// Nothing where one of them is not text, is too large, or is not here.
    pub difference: Option<Difference>,
    /// Why there is none.
    pub reason: Option<String>,
}

impl Engine {
    /// Compares two versions of a deliverable line by line.
    pub async fn compare_versions(&self, scope: Scope, id: DeliverableId, from: i32, to: i32) -> Result<Comparison> {
        let unknown = || Refusal::new(Code::NotFound, format!("there is no deliverable `{id}` in this workspace"));
        let deliverable = self.store().deliverable(scope, id).await?.ok_or_else(unknown)?;
        let mut found = self.store().versions(scope, &[(id, from), (id, to)]).await?;
        let mut version = |field: &str, number: i32| {
            let message = format!("`{field}` is {number}: `{id}` has the versions 1 to {}", deliverable.version);
            let one = if from == to { found.get(&(id, number)).cloned() } else { found.remove(&(id, number)) };
            one.ok_or_else(|| Refusal::new(Code::NotFound, message))
        };
        let (from, to) = (version("from", from)?, version("to", to)?);
        let texts = match (self.text_of(scope, &from).await?, self.text_of(scope, &to).await?) {
            (Ok(old), Ok(new)) => Ok((old, new)),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        };
        let (difference, reason) = match texts {
            Ok((old, new)) => {
                let heading = |version: &Version| format!("{} (version {})", deliverable.name, version.number);
                let headings = (heading(&from), heading(&to));
                let compare = move || unified(&old, &new, (&headings.0, &headings.1));
                let broken = || Error::Internal("a comparison broke off".to_owned());
                (Some(offload(compare).await.ok_or_else(broken)?), None)
            }
            Err(reason) => (None, Some(reason)),
        };
        Ok(Comparison { from, to, difference, reason })
    }

    /// A version's content as text, or why it cannot be compared.
    async fn text_of(&self, scope: Scope, version: &Version) -> Result<std::result::Result<String, String>> {
        let number = version.number;
        let Some(size) = version.size else { return Ok(Err(format!("version {number} is kept elsewhere"))) };
        if size > LARGEST_COMPARED as u64 {
            let most = LARGEST_COMPARED;
            return Ok(Err(format!("version {number} has {size} bytes: at most {most} are compared")));
        }
        let Some(content) = self.collect_content(scope, version, size).await? else {
            return Ok(Err(format!("the content of version {number} was deleted")));
        };
        let binary = || format!("version {number} is not text");
        Ok(String::from_utf8(content).ok().filter(|text| !text.contains('\0')).ok_or_else(binary))
    }
}
