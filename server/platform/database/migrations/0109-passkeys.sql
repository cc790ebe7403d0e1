create table passkeys (
  id bigint primary key,
  user_id bigint not null references users on delete cascade,
  credential_id bytea not null unique,
  -- COSE
  public_key bytea not null,
  -- Of the last signature, where the authenticator counts them. It must grow: a copy of the key would repeat numbers.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- Challenges that were answered; each is accepted once.
create table used_passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expiry on used_passkey_challenges (expires_at);
