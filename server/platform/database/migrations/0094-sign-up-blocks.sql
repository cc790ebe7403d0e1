-- IP addresses and networks that staff block.
create table ip_blocks (
  id bigint primary key,
  ip cidr not null,
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null,
  -- Null: never.
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index ip_blocks_ip on ip_blocks (ip);
create index ip_blocks_expiry on ip_blocks (expires_at) where expires_at is not null;

-- Domains of e-mail addresses, or of their mail servers, that staff block. Subdomains are blocked too.
create table email_domain_blocks (
  id bigint primary key,
  -- In lower case and punycode.
  domain text not null,
  -- Sign-ups are not refused, but wait for approval.
  allow_with_approval boolean not null,
  created_at timestamptz not null
);
create unique index email_domain_blocks_domain on email_domain_blocks (domain);

-- Sign-ups that a block refused or held, for its history of a week.
create table email_domain_block_attempts (
  block_id bigint not null references email_domain_blocks on delete cascade,
  day date not null,
  -- An IPv4 address or an IPv6 network; empty if unknown.
  address text not null,
  attempts integer not null,
  primary key (block_id, day, address)
);
create index email_domain_block_attempts_day on email_domain_block_attempts (day);

-- E-mail addresses that cannot sign up, as hashes of their canonical form.
create table canonical_email_blocks (
  id bigint primary key,
  -- SHA-256 in hexadecimal.
  canonical_email_hash text not null,
  -- The suspended account with this address. Null: blocked by staff, or the account was deleted.
  account_id bigint references accounts,
  created_at timestamptz not null
);
create unique index canonical_email_blocks_hash on canonical_email_blocks (canonical_email_hash);
create index canonical_email_blocks_account on canonical_email_blocks (account_id) where account_id is not null;

-- Accounts that staff suspended before.
insert into canonical_email_blocks (id, canonical_email_hash, account_id, created_at)
select distinct on (hash) account_id, hash, account_id, now()
from (
  select users.account_id, encode(sha256(convert_to(
    replace(split_part(split_part(lower(users.email), '@', 1), '+', 1), '.', '') || '@' ||
    split_part(lower(users.email), '@', 2), 'UTF8')), 'hex') as hash
  from users join accounts on accounts.id = users.account_id
  where accounts.suspended_at is not null and accounts.deleted_at is null
) suspended
order by hash, account_id;
