-- The Idempotency-Key of the request that created the draft, or that changed it last.
alter table drafts add column idempotency_key text;
