//! What holds for the whole schema, whatever is in it.

mod contract;
mod cost;
mod descriptions;
mod layers;
mod sign_in;
mod tenants;
mod walk;
