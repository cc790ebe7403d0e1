-- Web push: where the notifications of an app go (RFC 8030), one per access token.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  token_id bigint not null unique references oauth_tokens on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  standard boolean not null,
  alerts jsonb not null,
  policy text not null,
  sealed_token bytea,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index push_subscriptions_account on push_subscriptions (account_id);
