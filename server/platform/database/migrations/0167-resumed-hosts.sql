-- When a host that had failed showed a sign of life: what was on its way then may still fail.
alter table hosts add column resumed_at timestamptz;
