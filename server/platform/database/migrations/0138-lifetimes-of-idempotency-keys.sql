-- Keys that cannot return by chance are kept longer than others (STA-10).
alter table idempotency_keys add column expires_at timestamptz;
update idempotency_keys set expires_at = created_at + interval '1 hour';
alter table idempotency_keys alter column expires_at set not null;
-- Deletes the index on it, too.
alter table idempotency_keys drop column created_at;
create index idempotency_keys_expiry on idempotency_keys (expires_at);
