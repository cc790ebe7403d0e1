-- Second factors of sign-ins. Roles may require one.
alter table roles add column if not exists require_two_factor boolean not null default false;
-- Whether the user has a confirmed TOTP secret or a passkey.
alter table users add column has_second_factor boolean not null default false;

create table user_totp (
  user_id bigint primary key references users on delete cascade,
  secret bytea not null,
  -- Null until the first code was entered.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. It and earlier ones are refused.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Sign-ins with the right password that wait for the second factor.
create table pending_sign_ins (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  failures integer not null default 0,
  expires_at timestamptz not null
);
create index pending_sign_ins_user on pending_sign_ins (user_id);
create index pending_sign_ins_expiry on pending_sign_ins (expires_at);

-- Browsers and addresses from which a user signed in.
create table sign_in_origins (
  user_id bigint not null references users on delete cascade,
  -- browser:<hash of the secret in its cookie> or address:<IP address or its block>
  origin text not null,
  last_used_at timestamptz not null,
  primary key (user_id, origin)
);
create index sign_in_origins_last_use on sign_in_origins (last_used_at);
