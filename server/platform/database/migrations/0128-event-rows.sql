-- An event is one row for all of its reactions in a queue: `name` is the event, `subscribers` are the reactions that did
-- not run yet. Jobs, among them reactions that failed, have no subscribers.
alter table jobs add column subscribers text[] check (cardinality(subscribers) > 0);
