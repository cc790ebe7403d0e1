import { sql } from 'kysely';
import { Type, type Static } from 'typebox';
import type { App } from '../../platform/app.ts';
import { HttpError, notFound } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { isId, maxId, newId, type AnyId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { JobRequest } from '../../platform/work/job-request.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { callProvider } from '../calls/call-provider.ts';
import { callOptions, runCall } from '../calls/run-call.ts';
import { writable, type BackfillId, type BackfillRow, type ProviderRow } from '../tables.ts';
import { isShareableAccount, isShareableStatus } from './shareable.ts';
import { category } from './subscriptions.ts';

const maxOpen = 10;
/** Addresses in one announcement, also if the provider wants more. */
const maxObjects = 100;
/** Rows that are read to find them, and how often one job does so. */
const windowSize = 5_000;
const maxWindows = 20;

export const backfillRequest = Type.Object({ category, maxCount: Type.Integer({ minimum: 1 }) });

/** Stores the request of a provider for older objects, newest first. Throws 422 while it has too many. */
export async function requestBackfill(
  app: App,
  provider: ProviderRow,
  { category: wanted, maxCount }: Static<typeof backfillRequest>,
): Promise<BackfillId> {
  const now = app.clock.now();
  const id = newId<'provider-backfill'>(now);
  await transaction(app, async ({ db, enqueue }) => {
    // Serializes the requests of a provider.
    await db.selectFrom('service_providers').select('id').where('id', '=', provider.id).forUpdate().execute();
    await writable(db)
      .deleteFrom('service_provider_backfills')
      .where('provider_id', '=', provider.id)
      .where('state', '=', 'done')
      .execute();
    const open = await db
      .selectFrom('service_provider_backfills')
      .select('id')
      .where('provider_id', '=', provider.id)
      .execute();
    if (open.length >= maxOpen) throw new HttpError(422, verbatim(`There may be at most ${maxOpen} open requests`));
    await writable(db)
      .insertInto('service_provider_backfills')
      .values({
        id,
        provider_id: provider.id,
        category: wanted,
        max_count: Math.min(maxCount, maxObjects),
        cursor: maxId,
        state: 'running',
        created_at: now,
      })
      .execute();
    enqueue(sendBackfill({ backfillId: id }, callOptions(provider)));
  });
  return id;
}

/** Sends more objects of a request. Throws 404 if there are no more, or no such request. */
export async function continueBackfill(app: App, provider: ProviderRow, id: string): Promise<void> {
  if (!isId(id)) throw notFound();
  await transaction(app, async ({ db, enqueue }) => {
    const { id: backfillId } = await writable(db)
      .updateTable('service_provider_backfills')
      .set({ state: 'running' })
      .where('provider_id', '=', provider.id)
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .returning('id')
      .executeTakeFirstOrThrow(() => notFound());
    enqueue(sendBackfill({ backfillId }, callOptions(provider)));
  });
}

/** Sends the next objects of a request. */
export const sendBackfill = defineJob(
  'service_provider.send_backfill',
  Type.Object({ backfillId: idSchema<'provider-backfill'>() }),
  async (app, data): Promise<void> => {
    const backfill = await app.db
      .selectFrom('service_provider_backfills')
      .selectAll()
      .where('id', '=', data.backfillId)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (backfill === undefined) return;
    await runCall(app, {
      providerId: backfill.provider_id,
      again: (options): JobRequest => sendBackfill(data, options),
      run: (provider) => sendObjects(app, provider, backfill),
    });
  },
  'webhooks',
);

async function sendObjects(app: App, provider: ProviderRow, backfill: BackfillRow): Promise<void> {
  const { objects, next } = await findObjects(app, backfill);
  if (objects.length > 0)
    await callProvider(app, provider, {
      method: 'POST',
      path: '/data_sharing/v0/announcements',
      body: {
        source: { backfillRequest: { id: backfill.id } },
        category: backfill.category,
        objectUris: objects.map(({ uri }) => uri),
        moreObjectsAvailable: next !== undefined,
      },
    });
  // An announcement needs an object: without one, the search goes on.
  const isEmpty = objects.length === 0 && next !== undefined;
  await transaction(app, async ({ db, enqueue }) => {
    await writable(db)
      .updateTable('service_provider_backfills')
      .set({ state: isEmpty ? 'running' : next === undefined ? 'done' : 'waiting', cursor: next ?? backfill.cursor })
      .where('id', '=', backfill.id)
      .execute();
    if (isEmpty) enqueue(sendBackfill({ backfillId: backfill.id }, callOptions(provider)));
  });
}

interface FoundObjects {
  readonly objects: readonly { readonly id: AnyId; readonly uri: string }[];
  /** Where the search goes on; undefined at the end. */
  readonly next: AnyId | undefined;
}

/** Finds the next objects that may be shared, newest first. Reads a bounded number of rows. */
async function findObjects(
  app: App,
  { category: wanted, max_count: count, cursor }: BackfillRow,
): Promise<FoundObjects> {
  const objects: { id: AnyId; uri: string }[] = [];
  let before = cursor;
  for (let read = 0; read < maxWindows; read += 1) {
    const { rows } = await readWindow(app, wanted, before);
    for (const { id, uri, shareable } of rows) {
      // There is at least this one more.
      if (shareable && objects.length === count) return { objects, next: objects.at(-1)?.id };
      if (shareable) objects.push({ id, uri });
      before = id;
    }
    if (rows.length < windowSize) return { objects, next: undefined };
  }
  return { objects, next: before };
}

const readWindow = ({ db }: App, wanted: BackfillRow['category'], before: AnyId) =>
  wanted === 'content'
    ? sql<{ id: AnyId; uri: string; shareable: boolean }>`
        select s.id, s.uri, coalesce(${isShareableStatus}, false) as shareable
        from (select * from statuses where id < ${before}::bigint order by id desc limit ${windowSize}) s
        join accounts a on a.id = s.account_id order by s.id desc`.execute(db)
    : sql<{ id: AnyId; uri: string; shareable: boolean }>`
        select a.id, a.uri, coalesce(${isShareableAccount}, false) as shareable
        from accounts a where a.id < ${before}::bigint order by a.id desc limit ${windowSize}`.execute(db);
