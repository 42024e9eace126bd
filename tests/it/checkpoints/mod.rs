//! Where executions wait for people.

mod api;
mod api_ask;
mod api_decide;
mod api_discuss;
mod api_events;
mod api_lists;
mod api_people;
