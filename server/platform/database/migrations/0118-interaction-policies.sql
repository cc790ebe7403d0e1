-- Who may favourite, reply to and reblog a post, encoded; null: everyone who sees it.
alter table statuses add column interaction_policy integer;
