-- Requests that nobody answers expire by their age, which is part of their id.
create index interaction_requests_unanswered on interaction_requests (id) where state = 'pending';
