-- A key of a remote account counts until then; null: it does not expire.
alter table account_keys add column expires_at timestamptz;

-- Until when it counts as proven that the host verifies Ed25519 signatures, and when it last refused one.
alter table hosts
  add column ed25519_until timestamptz,
  add column ed25519_refused_at timestamptz;
