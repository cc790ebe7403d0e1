import { Type } from 'typebox';
import { sql } from 'kysely';
import { findAccount } from '../../accounts/find/index.ts';
import { createList, listLists } from '../../lists/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { describeTemporaryFailure } from '../../platform/temporary-failures.ts';
import { writable } from '../tables.ts';
import { importLine, type PendingLine } from './import-line.ts';
import type { ImportRow } from './find-imports.ts';
import { removeOthers } from './others.ts';
import { maxFailures, type ImportId, type ImportProblem } from './schema.ts';

/** Lines of one step, whose servers are asked concurrently. */
const stepSize = 10;
/** Finished imports of an account that are kept, as many as are listed. */
const maxFinished = 20;

/**
 * Imports some lines, or removes some entries that the file does not list, and stores the next step. A step that is
 * repeated changes nothing, because its lines are deleted one by one.
 */
export const runImport = defineJob(
  'account_data.run_import',
  Type.Object({ importId: idSchema<'import'>(), step: Type.Integer() }),
  async (app, { importId, step }) => {
    const imported = await app.db.selectFrom('imports').selectAll().where('id', '=', importId).executeTakeFirst();
    if (imported === undefined || imported.state === 'finished') return;
    const owner = await findAccount(app, imported.account_id);
    if (owner === undefined || owner.suspended_at !== null) return finish(app, imported);
    if (imported.state === 'removing') return remove(app, imported, step);
    const lines = await listPending(app, importId);
    if (lines.length === 0) return finish(app, imported);
    if (imported.type === 'lists') await createLists(app, imported, lines);
    const results = await Promise.allSettled(lines.map((line) => runLine(app, imported, line)));
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    await transaction(app, async ({ enqueue }) => enqueue(stepOf(importId, step + 1)));
  },
  'remote',
);

/** Returns the job of a step of an import, from 0. One runs at a time, and a repeated step does not store the next one twice. */
export const stepOf = (importId: ImportId, step = 0): JobRequest =>
  runImport({ importId, step }, { key: `import ${importId}`, isUnique: true });

async function remove(app: App, imported: ImportRow, step: number): Promise<void> {
  const removed = await removeOthers(app, imported, stepSize);
  await transaction(app, async ({ db, enqueue }) => {
    await writable(db)
      .updateTable('imports')
      .set(removed === 0 ? { state: 'adding' } : { removed: sql`removed + ${removed}` })
      .where('id', '=', imported.id)
      .where('state', '=', 'removing')
      .execute();
    enqueue(stepOf(imported.id, step + 1));
  });
}

function listPending({ db }: App, importId: ImportId): Promise<PendingLine[]> {
  return db
    .selectFrom('import_rows')
    .select(['line', 'target', 'options'])
    .where('import_id', '=', importId)
    .where('problem', 'is', null)
    .orderBy('line')
    .limit(stepSize)
    .execute();
}

/** Creates the lists that lines name and that do not exist, one after the other: their number is limited. */
async function createLists(
  app: App,
  { account_id: accountId }: ImportRow,
  lines: readonly PendingLine[],
): Promise<void> {
  const titles = new Set((await listLists(app, accountId)).map(({ title }) => title));
  for (const { options } of lines) {
    const title = options.list ?? '';
    if (titles.has(title)) continue;
    titles.add(title);
    try {
      await createList(app, accountId, { title });
    } catch (error) {
      // Its lines fail then.
      if (!(error instanceof HttpError)) throw error;
    }
  }
}

async function runLine(app: App, imported: ImportRow, line: PendingLine): Promise<void> {
  const problem = await importLine(app, imported, line).then(
    () => undefined,
    (error: unknown) => problemOf(app, error),
  );
  await transaction(app, async ({ db }) => {
    const isLine = sql`import_id = ${imported.id}::bigint and line = ${line.line} and problem is null`;
    await (
      problem === undefined
        ? sql`
          with done as (delete from import_rows where ${isLine} returning import_id)
          update imports set imported = imported + 1 from done where imports.id = done.import_id`
        : sql`
          with pending as (select import_id from import_rows where ${isLine} for update),
          counted as (
            update imports set failed = failed + 1 from pending where imports.id = pending.import_id
            returning failed > ${maxFailures} as is_beyond),
          dropped as (delete from import_rows where ${isLine} and (select is_beyond from counted))
          update import_rows set problem = ${problem} where ${isLine} and not (select is_beyond from counted)`
    ).execute(db);
  });
}

/** Returns why a line failed. Throws the error if this server failed only temporarily: then the step is repeated. */
function problemOf(app: App, error: unknown): ImportProblem {
  if (!(error instanceof HttpError)) {
    if (describeTemporaryFailure(error) !== undefined) throw error;
    app.log.error({ err: error }, 'a line could not be imported');
    return 'failed';
  }
  if (error.status === 404) return 'not_found';
  return error.status === 503 ? 'unreachable' : 'refused';
}

/** Finishes an import. Deletes lines that are still pending, and older imports than the last `maxFinished` of the account. */
async function finish(app: App, { id, account_id: accountId }: ImportRow): Promise<void> {
  await transaction(app, async ({ db }) => {
    await writable(db)
      .updateTable('imports')
      .set({ state: 'finished', finished_at: app.clock.now() })
      .where('id', '=', id)
      .execute();
    await writable(db).deleteFrom('import_rows').where('import_id', '=', id).where('problem', 'is', null).execute();
    await sql`
      delete from imports where id in (
        select id from imports where account_id = ${accountId}::bigint and state = 'finished'
        order by id desc offset ${maxFinished})`.execute(db);
  });
}
