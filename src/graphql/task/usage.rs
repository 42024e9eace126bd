//! What a worker's work cost, as it says.

use async_graphql::InputObject;

use crate::{
    domain::{execution::Usage, refusal::Refusal},
    graphql::error::UserError,
};

/// What the work cost. What is absent cost nothing.
#[derive(Debug, Default, InputObject)]
pub struct UsageInput {
    /// How often a language model was called.
    llm_calls: Option<i32>,
    /// How many tokens were read and written: a whole number.
    tokens: Option<f64>,
    /// In millionths of a credit: a whole number.
    cost_micros: Option<f64>,
}

impl UsageInput {
    pub fn read(self) -> Result<Usage, UserError> {
        Ok(Usage {
            llm_calls: whole("llmCalls", self.llm_calls.map(f64::from))?,
            tokens: whole("tokens", self.tokens)?,
            cost_micros: whole("costMicros", self.cost_micros)?,
        })
    }
}

/// The bound is far below 2^53, so that every whole number up to it is exact.
fn whole(field: &'static str, amount: Option<f64>) -> Result<u64, UserError> {
    let amount = amount.unwrap_or(0.0);
    if amount.fract() == 0.0 && (0.0..=Usage::MOST as f64).contains(&amount) {
        return Ok(amount as u64);
    }
    let message = format!("`{field}` is {amount}: give a whole number from 0 to {}", Usage::MOST);
    let mut refusal = Refusal::invalid("usage", message);
    refusal.path.push(field.into());
    Err(refusal.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_whole_and_bounded() {
        let read = |tokens| UsageInput { tokens: Some(tokens), ..UsageInput::default() }.read();
        assert_eq!(read(12.0).map(|usage| usage.tokens).ok(), Some(12));
        for tokens in [-1.0, 0.5, 1e13, f64::INFINITY, f64::NAN] {
            let error = read(tokens).expect_err("refused");
            assert_eq!(error.path, ["input", "usage", "tokens"]);
        }
        let negative = UsageInput { llm_calls: Some(-1), ..UsageInput::default() }.read();
        assert_eq!(
            negative.expect_err("refused").message,
            "`llmCalls` is -1: give a whole number from 0 to 1000000000000"
        );
    }
}
