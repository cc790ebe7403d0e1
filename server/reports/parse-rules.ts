import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import { validationFailed } from '../platform/http/http-errors.ts';
import { isId } from '../platform/ids.ts';

/** Returns the ids of rules, current or deleted, each once. Throws 422 for an unknown one. */
export async function parseRules({ db }: App, input: readonly string[] = []): Promise<string[]> {
  const ids = [...new Set(input)];
  if (ids.length === 0) return [];
  const valid = ids.filter(isId);
  const { rows } = await sql<{ id: string }>`
    select id::text from rules where id = any(${valid}::bigint[]) order by id`.execute(db);
  if (rows.length !== ids.length) throw validationFailed('reports.unknownRules');
  return rows.map(({ id }) => id);
}
