-- Auxiliary service providers (FASP): services that staff register, such as search across many servers.
create table service_providers (
  id bigint primary key,
  -- As the provider registered itself.
  name text not null,
  base_url text not null,
  -- The id of this server at the provider, which our signatures name.
  server_id text not null,
  -- Ed25519: the public key of the provider, raw, and the private key of this server for it.
  public_key bytea not null,
  private_key_pem text not null,
  -- Null: staff have not compared the fingerprint yet. Nothing is exchanged before.
  confirmed_at timestamptz,
  -- What the provider says about itself; null until it was asked.
  privacy_policies jsonb not null default '[]',
  sign_in_url text,
  contact_email text,
  fediverse_account text,
  info_fetched_at timestamptz,
  -- Failed calls in a row. Nothing is sent before retry_at.
  failures integer not null default 0,
  failing_since timestamptz,
  last_error text,
  last_status integer,
  retry_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table service_provider_capabilities (
  provider_id bigint not null references service_providers (id) on delete cascade,
  name text not null,
  version text not null,
  enabled boolean not null default false,
  -- What the provider knows of enabled.
  announced boolean not null default false,
  primary key (provider_id, name)
);

-- Signatures of requests by providers that were accepted: each counts once. Kept while a signature is valid.
create table service_provider_signatures (
  provider_id bigint not null references service_providers (id) on delete cascade,
  signature bytea not null,
  received_at timestamptz not null,
  primary key (provider_id, signature)
);
create index service_provider_signatures_received_at on service_provider_signatures (received_at);

-- The last answers to test calls that staff made.
create table service_provider_callbacks (
  id bigint primary key,
  provider_id bigint not null references service_providers (id) on delete cascade,
  ip text not null,
  body text not null,
  created_at timestamptz not null
);
create index service_provider_callbacks_provider_id on service_provider_callbacks (provider_id, id);
