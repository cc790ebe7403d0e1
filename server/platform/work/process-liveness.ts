/** First half of the advisory locks' keys of processes; the second is `lease_holders.lock_key`. */
export const processLockClass = 0x46_46_4c_48;
/** A process without a heartbeat for this long, and without its lock, is dead. */
export const deadAfterSeconds = 3;

/** SQL: whether the row `holder` of `lease_holders` had no heartbeat for too long. */
export const isLateText = `holder.beat_at < now() - make_interval(secs => ${deadAfterSeconds})`;

/** SQL: whether the process of the row `holder` is connected. */
export const isLockedText = `exists (
  select from pg_locks
  where locktype = 'advisory' and granted and objsubid = 2 and classid = ${processLockClass}::int::oid
    and objid = holder.lock_key::oid
    and database = (select oid from pg_database where datname = current_database()))`;
