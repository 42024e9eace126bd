use super::{Definition, Graph};
use crate::domain::json::Json;
pub struct Plan {
    definition: Definition,
    graph: Graph,
}
#[derive(Debug, Clone)]
pub struct Values {
    pub input: Json,
    pub outputs: Vec<Option<Json>>,
}
pub struct Computed;
impl Computed {
    pub fn to_json(&self) -> Json {
        Json::null()
    }
}
impl Values {
    pub fn before(&self, _g: &Graph, _s: usize) -> Values {
        self.clone()
    }
}
impl Plan {
    pub fn definition(&self) -> &Definition {
        &self.definition
    }
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
    pub fn when(&self, _s: usize, _v: &Values) -> Result<bool, String> {
        Ok(true)
    }
    pub fn compute(&self, _s: usize, _v: &Values) -> Result<Computed, String> {
        Ok(Computed)
    }
    pub fn refers_to(&self, _s: usize) -> Vec<usize> {
        vec![]
    }
}
