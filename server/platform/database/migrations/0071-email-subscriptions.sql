-- People without an account who receive the public posts of a local account by e-mail.
create table email_subscriptions (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  -- In lower case.
  email text not null,
  locale text not null,
  -- When the last confirmation mail was sent.
  confirmation_sent_at timestamptz,
  confirmed_at timestamptz,
  -- Since when the mail server has rejected the address; null after a success.
  failing_since timestamptz,
  created_at timestamptz not null,
  unique (account_id, email)
);
create index email_subscriptions_email on email_subscriptions (email);
create index email_subscriptions_unconfirmed on email_subscriptions (created_at) where confirmed_at is null;
create index email_subscriptions_confirmed on email_subscriptions (account_id, id) where confirmed_at is not null;

-- New posts that are not in a mail yet.
create table email_digest_posts (
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  primary key (account_id, status_id)
);

-- Mails that are being queued, subscriber by subscriber.
create table email_digests (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  status_ids bigint[] not null,
  -- Subscriptions up to this id have their mail queued.
  after_id bigint not null,
  created_at timestamptz not null
);
create index email_digests_account on email_digests (account_id);
