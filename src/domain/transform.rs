use super::{agent::Transform, json::Json, workflow::Source};
pub struct Compiled(Transform);
impl Compiled {
    pub fn new(t: &Transform) -> Result<Self, String> {
        Ok(Self(t.clone()))
    }
    pub fn run(&self, i: &Json) -> Result<Json, String> {
        match &self.0 {
            Transform::Value(Source::Constant(v)) => Json::from_value(v).map_err(|e| e.to_string()),
            _ => Ok(i.clone()),
        }
    }
}
