import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/database/group-commit.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { AccountId, FetchBudgetId } from '../../platform/ids.ts';
import { hostOf } from '../documents/values.ts';
import { activitiesAccepted } from '../events.ts';

/** A verified activity that is to be stored for the worker. */
export interface AcceptedActivity {
  /** Unique: further activities with the same key are ignored. */
  readonly key: string;
  /** Key of the activity that this one undoes. */
  readonly undoes?: string | undefined;
  readonly actorUri: string;
  /** The actor itself, unless the activity was forwarded. */
  readonly signerUri: string;
  readonly inboxAccountId: AccountId | undefined;
  readonly forwarded: boolean;
  readonly body: string;
  readonly fetchBudgetId: FetchBudgetId;
}

/** More waiting activities mean that the database does not keep up. */
const maxWaiting = 2_000;

const isUndo = ({ undoes }: AcceptedActivity): boolean => undoes !== undefined;

const storeActivity = groupCommit<AcceptedActivity, void>(
  async (tx, app, activities) => {
    await deleteUndoneKeys(tx, activities);
    await insertActivities(tx, app, activities);
    return activities.map(() => undefined);
  },
  {
    maxBatchSize: 200,
    waitingLimit: {
      maxItems: maxWaiting,
      createError: () =>
        new HttpError(503, verbatim('Too many activities are waiting'), undefined, { 'retry-after': '30' }),
    },
    // An Undo and the activity that it undoes keep their order.
    canShareBatch: (first, next) => isUndo(first) === isUndo(next),
  },
);

/**
 * Stores an activity for the worker, once per key, and resolves when it is committed. Throws 503 when too many activities
 * wait to be stored.
 */
export const acceptActivity = (app: App, activity: AcceptedActivity): Promise<void> => storeActivity(app, activity);

/** Whether an activity with this key was accepted before. */
export async function wasReceived(app: App, key: string): Promise<boolean> {
  const row = await app.db.selectFrom('received_activities').select('uri').where('uri', '=', key).executeTakeFirst();
  return row !== undefined;
}

/** Deletes a key, so that an activity with it is accepted again. */
export const deleteReceivedKey = groupCommit<string, void>(async ({ db }, _app, keys) => {
  await sql`
    with received as materialized (
      select uri from received_activities where uri = any(${[...keys]}::text[]) order by uri for update
    )
    delete from received_activities using received where received_activities.uri = received.uri`.execute(db);
  return keys.map(() => undefined);
});

/**
 * Deletes the keys of undone activities, because many servers reuse the id when an account likes or reblogs again. Their
 * second Undo reuses the id of the first, so its key is deleted as well. A copy of an Undo has no key left to delete.
 */
async function deleteUndoneKeys({ db }: Transaction, activities: readonly AcceptedActivity[]): Promise<void> {
  const keys = activities.flatMap(({ undoes }) => undoes ?? []);
  if (keys.length === 0) return;
  const { rows } = await sql<{ uri: string }>`
    with undone as materialized (
      select uri from received_activities where uri = any(${keys}::text[]) order by uri for update
    )
    delete from received_activities received using undone where received.uri = undone.uri returning received.uri`.execute(
    db,
  );
  const released = new Set(rows.map(({ uri }) => uri));
  const repeated = activities.filter(({ undoes }) => undoes !== undefined && released.has(undoes));
  if (repeated.length === 0) return;
  await sql`delete from received_activities where uri = any(${repeated.map(({ key }) => key)}::text[])`.execute(db);
}

async function insertActivities(
  { db, emit }: Transaction,
  app: App,
  activities: readonly AcceptedActivity[],
): Promise<void> {
  const now = app.clock.now();
  const { numAffectedRows } = await sql`
    with activity as (
      select distinct on (key) * from unnest(
        ${activities.map(({ key }) => key)}::text[],
        ${activities.map(({ actorUri }) => actorUri)}::text[],
        ${activities.map(({ signerUri }) => signerUri)}::text[],
        ${activities.map(({ signerUri }) => hostOf(signerUri) ?? '')}::text[],
        ${activities.map(({ inboxAccountId }) => inboxAccountId ?? null)}::bigint[],
        ${activities.map(({ forwarded }) => forwarded)}::boolean[],
        ${activities.map(({ body }) => body)}::text[],
        ${activities.map(({ fetchBudgetId }) => fetchBudgetId)}::bigint[]
      ) with ordinality as activity(
        key, actor_uri, signer_uri, signer_host, inbox_account_id, forwarded, body, fetch_budget_id, place)
      order by key, place
    ), received as (
      insert into received_activities (uri, received_at) select key, ${now} from activity
      on conflict do nothing returning uri
    )
    insert into inbox_activities (
      actor_uri, signer_uri, signer_host, inbox_account_id, forwarded, body, fetch_budget_id, run_at)
    select actor_uri, signer_uri, signer_host, inbox_account_id, forwarded, body, fetch_budget_id, ${now}
    from activity join received on received.uri = activity.key
    order by place`.execute(db);
  if (numAffectedRows !== undefined && numAffectedRows > 0n) emit(activitiesAccepted({}));
}
