-- Attempts in a row to which the receiver was down or asked to wait. The pauses grow with them, not with all failures.
alter table webhooks add column outages integer not null default 0;
