import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { inParts } from '../../platform/batching/slices.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { conflict, notFound } from '../../platform/http/http-errors.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { writable } from '../tables.ts';
import type { ImportRow } from './find-imports.ts';
import { parseImport, type ImportLine } from './parse-import.ts';
import { stepOf } from './run-import.ts';
import { maxFailures, type ImportId, type ImportType } from './schema.ts';

interface NewImport {
  readonly type: ImportType;
  readonly csv: string;
  readonly overwrite: boolean;
}

/**
 * Stores a file, which is imported once it is confirmed. Replaces an unconfirmed one of its type. Throws 422 as
 * `parseImport`, and 409 while another import of the type runs.
 */
export async function createImport(
  app: App,
  accountId: AccountId,
  { type, csv, overwrite }: NewImport,
): Promise<ImportRow> {
  const lines = await parseImport(app, type, csv);
  const [valid, invalid] = [lines.filter(({ isValid }) => isValid), lines.filter(({ isValid }) => !isValid)];
  const now = app.clock.now();
  return transaction(app, async ({ db }) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${accountId}`}, 0))`.execute(db);
    await writable(db)
      .deleteFrom('imports')
      .where('account_id', '=', accountId)
      .where('type', '=', type)
      .where('state', '=', 'unconfirmed')
      .execute();
    const running = await db
      .selectFrom('imports')
      .select('id')
      .where('account_id', '=', accountId)
      .where('type', '=', type)
      .where('state', '<>', 'finished')
      .executeTakeFirst();
    if (running !== undefined) throw conflict('imports.running');
    const created = await writable(db)
      .insertInto('imports')
      .values({
        id: newId<'import'>(now),
        account_id: accountId,
        type,
        overwrite,
        state: 'unconfirmed',
        total: lines.length,
        failed: invalid.length,
        created_at: now,
        finished_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    for await (const part of inParts([...valid, ...invalid.slice(0, maxFailures)]))
      await insertLines(db, created.id, part);
    return created;
  });
}

async function insertLines(db: Transaction['db'], id: ImportId, lines: readonly ImportLine[]): Promise<void> {
  await sql`
    insert into import_rows (import_id, line, target, options, problem)
    select ${id}::bigint, line, target, options::jsonb, problem from unnest(
      ${lines.map(({ line }) => line)}::int[], ${lines.map(({ target }) => target)}::text[],
      ${lines.map(({ options }) => JSON.stringify(options))}::text[],
      ${lines.map(({ isValid }) => (isValid ? null : 'invalid'))}::text[]
    ) as row (line, target, options, problem)`.execute(db);
}

/** Starts an import; no-op if it was started. Throws 404 unless it belongs to the account. */
export async function confirmImport(app: App, accountId: AccountId, id: ImportId): Promise<void> {
  await transaction(app, async ({ db, enqueue }) => {
    const started = await writable(db)
      .updateTable('imports')
      .set({ state: sql`case when overwrite then 'removing' else 'adding' end` })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('state', '=', 'unconfirmed')
      .returning('id')
      .executeTakeFirst();
    if (started !== undefined) enqueue(stepOf(id));
  });
}

/**
 * Deletes an import. One that runs stops; what it imported stays. Throws 404 unless it belongs to the account.
 */
export async function deleteImport(app: App, accountId: AccountId, id: ImportId): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db)
      .deleteFrom('imports')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('id')
      .executeTakeFirstOrThrow(() => notFound());
  });
}
