-- expand
-- Accounts at OpenID Connect providers with which users sign in.
create table identities (
  id bigint primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- Address of the provider, without a final slash.
  issuer text not null,
  -- What the provider calls the person.
  subject text not null,
  -- The address that the provider named last.
  email text,
  -- The role that the user has because of a group at the provider.
  granted_role_id bigint references roles (id) on delete set null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (issuer, subject),
  unique (user_id, issuer)
);

-- Sign-ins at providers that have begun, and sign-ups of people who have signed in there.
create table provider_sign_ins (
  token_hash bytea primary key,
  -- Of the key of the browser, which alone may continue.
  browser_hash bytea not null,
  provider text not null,
  nonce text not null,
  code_verifier text not null,
  return_to text,
  is_added boolean not null,
  invite_code text,
  -- The user who links the account; null: someone signs in.
  user_id bigint references users (id) on delete cascade,
  -- What the provider says of the person; null: they have not signed in there yet.
  claims jsonb,
  expires_at timestamptz not null
);
create index provider_sign_ins_user_id on provider_sign_ins (user_id) where user_id is not null;

-- The provider with which a session began, and the id of the session there, if it has one.
alter table sessions add column issuer text, add column issuer_session_id text;
alter table pending_sign_ins add column issuer text, add column issuer_session_id text;
