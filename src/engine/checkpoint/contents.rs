//! The values that a proposal refers to.

use crate::{
    domain::{
        checkpoint::{Contents, Proposal},
        execution::Data,
        id::WorkspaceId,
        json::Json,
    },
    engine::{Engine, Result},
};

impl Engine {
    /// What a proposal says, with all values.
    pub async fn contents_of(&self, workspace: WorkspaceId, proposal: &Proposal) -> Result<Contents> {
        Ok(Contents {
            parameters: self.value(workspace, &proposal.parameters).await?,
            supporting_data: self.value_if_any(workspace, proposal.supporting_data.as_ref()).await?,
            items: self.value_if_any(workspace, proposal.items.as_ref()).await?,
        })
    }

    async fn value_if_any(&self, workspace: WorkspaceId, data: Option<&Data>) -> Result<Option<Json>> {
        match data {
            Some(data) => Ok(Some(self.value(workspace, data).await?)),
            None => Ok(None),
        }
    }
}
