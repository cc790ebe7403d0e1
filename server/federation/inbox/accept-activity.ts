import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { groupCommit } from '../../platform/write/group-commit.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import type { AccountId, FetchBudgetId } from '../../platform/ids.ts';
import { hostOf } from '../documents/values.ts';
import { activitiesAccepted } from '../events.ts';
import { intakeOf } from '../../platform/work/intake.ts';
import { reserveActivity, type ActivityLease } from './activity-intake.ts';

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
  /** The span that accepts it. */
  readonly traceParent: string | null;
}

/** More waiting activities mean that the database does not keep up. */
const maxWaiting = 2_000;

/** An activity to store, and whether this process can run it at once. */
interface ActivityToStore extends AcceptedActivity {
  readonly canStart: boolean;
}

const isUndo = ({ undoes }: AcceptedActivity): boolean => undoes !== undefined;

/** Returns the lease of an activity that this process is to run. */
const storeActivity = groupCommit<ActivityToStore, ActivityLease | undefined>(
  async (tx, app, activities) => {
    await deleteUndoneKeys(tx, activities);
    const leases = await insertActivities(tx, app, activities);
    return activities.map((activity) => {
      const lease = leases.get(activity.key);
      // Of several activities with this key, the first was stored.
      leases.delete(activity.key);
      return lease;
    });
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
    lingers: true,
    withIndexes: true,
  },
);

/**
 * Stores an activity for the worker, once per key, and resolves when it is committed. If the worker of this process has
 * room and no other activity of the signer waits, it runs the activity without a claim. Throws 503 when too many
 * activities wait to be stored.
 */
export async function acceptActivity(app: App, activity: AcceptedActivity): Promise<void> {
  const reservation = reserveActivity(app, activity);
  let lease: ActivityLease | undefined;
  try {
    lease = await storeActivity(app, { ...activity, canStart: reservation !== undefined });
  } catch (error) {
    reservation?.cancel(error);
    throw error;
  }
  if (lease === undefined) reservation?.cancel();
  else reservation?.start(activity, lease);
}

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

/**
 * Stores activities with new keys. Returns the leases of those that this process is to run, by their keys: the first of
 * each signer, if none of its activities waits or runs.
 */
async function insertActivities(
  { db, emit }: Transaction,
  app: App,
  activities: readonly ActivityToStore[],
): Promise<Map<string, ActivityLease>> {
  const now = app.clock.now();
  const lease = intakeOf(app, 'inbox')?.newLease();
  const { rows } = await sql<{ key: string; id: string; starts: boolean }>`
    with activity as (
      select distinct on (key) * from unnest(
        ${activities.map(({ key }) => key)}::text[],
        ${activities.map(({ actorUri }) => actorUri)}::text[],
        ${activities.map(({ signerUri }) => signerUri)}::text[],
        ${activities.map(({ signerUri }) => hostOf(signerUri) ?? '')}::text[],
        ${activities.map(({ inboxAccountId }) => inboxAccountId ?? null)}::bigint[],
        ${activities.map(({ forwarded }) => forwarded)}::boolean[],
        ${activities.map(({ body }) => body)}::text[],
        ${activities.map(({ fetchBudgetId }) => fetchBudgetId)}::bigint[],
        ${activities.map(({ canStart }) => canStart)}::boolean[],
        ${activities.map(({ traceParent }) => traceParent)}::text[]
      ) with ordinality as activity(
        key, actor_uri, signer_uri, signer_host, inbox_account_id, forwarded, body, fetch_budget_id, can_start, trace_parent, place)
      order by key, place
    ), received as (
      insert into received_activities (uri, received_at) select key, ${now} from activity
      on conflict do nothing returning uri
    ), ordered as (
      select activity.*, can_start and row_number() over (partition by signer_uri order by place) = 1 and not exists (
        select from inbox_activities other where other.signer_uri = activity.signer_uri and other.exhausted_at is null
        offset 0) as starts
      from activity join received on received.uri = activity.key order by place
    ), numbered as materialized (
      select nextval('inbox_activities_id_seq') as id, ordered.* from ordered
    ), inserted as (
      insert into inbox_activities (id, actor_uri, signer_uri, signer_host, inbox_account_id, forwarded, body,
        fetch_budget_id, trace_parent, run_at, lease_holder, leased_until, attempts) overriding system value
      select id, actor_uri, signer_uri, signer_host, inbox_account_id, forwarded, body, fetch_budget_id,
        trace_parent, ${now},
        case when starts then ${lease?.holder ?? null}::uuid end,
        case when starts then ${lease?.leasedUntil ?? null}::timestamptz end, starts::int
      from numbered
    )
    select key, id, starts from numbered`.execute(db);
  if (rows.some(({ starts }) => !starts)) emit(activitiesAccepted({}));
  if (lease === undefined) return new Map();
  return new Map(rows.flatMap(({ key, id, starts }) => (starts ? [[key, { id, holder: lease.holder }] as const] : [])));
}
