import pg from 'pg';
import { poolTimeouts } from '../wire/pool.ts';
import { servingSettings } from '../wire/session-settings.ts';

/** Key of the lock of `storeRoleSettings`. */
const lockKey = 0x46_46_52_53;

/**
 * Stores the settings of serving sessions with the role and the database of a connection, for sessions that a pooler opens.
 * Sessions that are open already keep theirs. Changes nothing if they are stored.
 */
export async function storeRoleSettings(client: pg.ClientBase): Promise<void> {
  if ((await listUnstored(client)).length === 0) return;
  // PostgreSQL refuses two sessions that alter a role at the same time.
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
  for (const { name, value, target } of await listUnstored(client)) {
    const alter = `alter ${target} set ${name} = ${pg.escapeLiteral(value)}`;
    await client.query(alter);
  }
  await client.query('commit');
}

interface RoleSetting {
  readonly name: string;
  readonly value: string;
  /** The role and the database, as SQL. */
  readonly target: string;
}

async function listUnstored(client: pg.ClientBase): Promise<RoleSetting[]> {
  const { rows } = await client.query<{ role: string; database: string; stored: string[] | null }>(
    `select current_user as role, current_database() as database,
      (select setconfig from pg_db_role_setting where setrole = current_user::regrole
        and setdatabase = (select oid from pg_database where datname = current_database())) as stored`,
  );
  const { role = '', database = '', stored = [] } = rows[0] ?? {};
  const target = `role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`;
  return Object.entries(servingSettings(poolTimeouts))
    .filter(([name, value]) => stored?.includes(`${name}=${value}`) !== true)
    .map(([name, value]) => ({ name, value, target }));
}

/** Returns the names of the settings that one session of this pool lacks. Sessions of a pooler may differ. */
export async function findMissingSettings(pool: pg.Pool): Promise<string[]> {
  const wanted = servingSettings(poolTimeouts);
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(wanted)],
  );
  return rows.filter(({ name, setting }) => wanted[name] !== setting).map(({ name }) => name);
}
