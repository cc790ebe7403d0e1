-- Webhooks: addresses to which the events of an account are sent. Each belongs to the access token that created it.
create table webhooks (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  token_id bigint not null references oauth_tokens on delete cascade,
  url text not null,
  events text[] not null,
  secret bytea not null,
  -- Signs as well until it expires, so that receivers can change the secret without a gap.
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  -- Failed attempts since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  -- Nothing is sent before; null: no pause.
  retry_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('owner', 'failures', 'gone')),
  -- Events that were not stored because too many were waiting.
  dropped_events integer not null default 0,
  last_delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhooks_account on webhooks (account_id);
create index webhooks_token on webhooks (token_id);

-- Events that wait to be sent, and the log of those that were sent last.
create table webhook_deliveries (
  id bigint primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null,
  -- The status, notification or account that the event is about.
  subject_id bigint,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  created_at timestamptz not null,
  last_attempt_at timestamptz
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, id) where state = 'pending';
create index webhook_deliveries_finished on webhook_deliveries (webhook_id, id) where state <> 'pending';
