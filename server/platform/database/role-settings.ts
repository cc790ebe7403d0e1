import pg from 'pg';
import { poolTimeouts } from '../wire/pool.ts';
import { servingSettings } from '../wire/session-settings.ts';

/**
 * Stores the settings of serving sessions with the role and the database of a connection, for sessions that a pooler opens.
 * Sessions that are open already keep theirs. Changes nothing if they are stored.
 */
export async function storeRoleSettings(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ role: string; database: string; stored: string[] | null }>(
    `select current_user as role, current_database() as database,
      (select setconfig from pg_db_role_setting where setrole = current_user::regrole
        and setdatabase = (select oid from pg_database where datname = current_database())) as stored`,
  );
  const { role = '', database = '', stored = [] } = rows[0] ?? {};
  for (const [name, value] of Object.entries(servingSettings(poolTimeouts))) {
    if (stored?.includes(`${name}=${value}`) === true) continue;
    const target = `role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`;
    const alter = `alter ${target} set ${name} = ${pg.escapeLiteral(value)}`;
    await client.query(alter);
  }
}

/** Returns the names of the settings that a session of this pool lacks. Sessions of a pooler may differ from each other. */
export async function findMissingSettings(pool: pg.Pool): Promise<string[]> {
  const wanted = servingSettings(poolTimeouts);
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(wanted)],
  );
  return rows.filter(({ name, setting }) => wanted[name] !== setting).map(({ name }) => name);
}
