-- All posts of a thread that one request published, in order; null for a single post.
alter table idempotency_keys add column thread_ids bigint[];

-- The delivery also waits for those with this order key to the same inbox: a reply follows the author's post that it answers.
alter table deliveries add column after_key text;
