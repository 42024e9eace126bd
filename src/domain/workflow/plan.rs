use super::{Definition, Graph};
use crate::domain::{document::*, json::Json, schema::Schema};
pub struct Plan {
    definition: Definition,
    graph: Graph,
}
#[derive(Debug, Clone)]
pub struct Values {
    pub input: Json,
    pub outputs: Vec<Option<Json>>,
}
pub struct Computed(Json);
impl Computed {
    pub fn to_json(&self) -> Json {
        self.0.clone()
    }
    pub fn from_json(j: &Json) -> Result<Self, String> {
        Ok(Self(j.clone()))
    }
}
impl Values {
    pub fn before(&self, g: &Graph, s: usize) -> Values {
        let a = g.ancestors(s);
        Values {
            input: self.input.clone(),
            outputs: self.outputs.iter().enumerate().map(|(n, o)| o.clone().filter(|_| a.contains(&n))).collect(),
        }
    }
}
impl Plan {
    pub fn definition(&self) -> &Definition {
        &self.definition
    }
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
    pub fn compile(definition: Definition) -> Result<Self, Vec<Problem>> {
        let mut p = Problems::default();
        let graph = Graph::of(&definition.steps, &mut p);
        graph.map(|graph| Self { definition, graph }).ok_or_else(|| p.into_vec())
    }
    pub fn when(&self, _s: usize, _v: &Values) -> Result<bool, String> {
        Ok(true)
    }
    pub fn compute(&self, _s: usize, _v: &Values) -> Result<Computed, String> {
        Ok(Computed(Json::object([])))
    }
    pub fn input(&self, _s: usize, _c: &Computed, v: &Values) -> Result<Json, String> {
        Ok(Json::merged(
            std::iter::once(&v.input).chain(self.graph.order().iter().filter_map(|s| v.outputs[*s].as_ref())),
        ))
    }
    pub fn refers_to(&self, _s: usize) -> Vec<usize> {
        vec![]
    }
    pub fn output_schema(&self, _s: usize) -> Option<&Schema> {
        None
    }
}
pub fn with_defaults(d: &serde_json::Map<String, serde_json::Value>, i: &Json) -> Json {
    let d = Json::from_value(&serde_json::Value::Object(d.clone())).unwrap_or(Json::null());
    Json::merged([&d, i])
}
