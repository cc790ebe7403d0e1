-- Browsers subscribe to web push with their session, apps with their access token.
alter table push_subscriptions
  alter column token_id drop not null,
  add column session_id bigint unique references sessions on delete cascade,
  add constraint push_subscriptions_holder check (num_nonnulls(token_id, session_id) = 1);

-- What a web client stores for its user. JSON that the server does not read.
create table web_settings (
  user_id bigint primary key references users on delete cascade,
  data text not null,
  updated_at timestamptz not null
);
