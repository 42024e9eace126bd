//! Stub.
use serde_json::Value;
#[derive(Clone)]
pub struct Schema;
pub struct Violation;
impl std::fmt::Display for Violation {
    fn fmt(&self, _f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}
impl Schema {
    pub fn compile(_: &Value) -> Result<Self, String> {
        Ok(Self)
    }
    pub fn validate(&self, _: &Value) -> Result<(), Vec<Violation>> {
        Ok(())
    }
}
