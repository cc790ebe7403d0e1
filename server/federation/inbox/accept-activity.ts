import { sql } from 'kysely';
import { perApp, type App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/database/transaction.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { AccountId, FetchBudgetId } from '../../platform/ids.ts';
import { hostOf } from '../documents/values.ts';

/** A verified activity, as it waits to be acted upon. */
export interface AcceptedActivity {
  /** Unique: of several copies one is kept. */
  readonly key: string;
  /** Key of the activity that this one undoes. */
  readonly undoes?: string | undefined;
  readonly actorUri: string;
  /** Who signed the request: the actor itself, unless it was forwarded. */
  readonly signerUri: string;
  readonly inboxAccountId: AccountId | undefined;
  readonly forwarded: boolean;
  readonly body: string;
  readonly fetchBudgetId: FetchBudgetId;
}

interface QueuedActivity {
  readonly activity: AcceptedActivity;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** More than this waiting to be stored means that the database does not keep up. */
const maxQueued = 2_000;
const maxBatchSize = 200;

/** Stores what arrives while a commit is under way in the next one, all of it in one statement. */
class ActivityQueue {
  readonly #app: App;
  #queue: QueuedActivity[] = [];
  #isStoring = false;

  constructor(app: App) {
    this.#app = app;
  }

  add(activity: AcceptedActivity): Promise<void> {
    if (this.#queue.length >= maxQueued) throw queueFull();
    return new Promise((resolve, reject) => {
      this.#queue.push({ activity, resolve, reject });
      if (!this.#isStoring) void this.#storeAll();
    });
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        await storeBatch(
          this.#app,
          batch.map(({ activity }) => activity),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isStoring = false;
  }

  /** Undos are stored apart from what they undo, so that both keep their order. */
  #takeBatch(): QueuedActivity[] {
    const isUndo = this.#queue[0]?.activity.undoes !== undefined;
    const end = this.#queue.findIndex(({ activity }) => (activity.undoes !== undefined) !== isUndo);
    return this.#queue.splice(0, Math.min(end === -1 ? maxBatchSize : end, maxBatchSize));
  }
}

const activityQueues = perApp((app) => new ActivityQueue(app));

function queueFull(): HttpError {
  return new HttpError(503, 'Too many activities are waiting', undefined, { 'retry-after': '30' });
}

/**
 * Stores an activity for the worker, once however often it comes; returns when it is safe on disk. Throws 503 when too
 * many wait.
 */
export function acceptActivity(app: App, activity: AcceptedActivity): Promise<void> {
  return activityQueues(app).add(activity);
}

/** Returns whether an activity of this key was accepted before. */
export async function wasReceived(app: App, key: string): Promise<boolean> {
  const row = await app.db.selectFrom('received_activities').select('uri').where('uri', '=', key).executeTakeFirst();
  return row !== undefined;
}

/** Lets an activity of this key be accepted again. */
export async function deleteReceivedKey(app: App, key: string): Promise<void> {
  await transaction(app, ({ db }) => db.deleteFrom('received_activities').where('uri', '=', key).execute());
}

/**
 * Deletes the keys of what is undone: many servers like and boost again under the id of the first time. Their second Undo
 * has the id of the first one too, so its key is deleted as well. A copy of an Undo finds nothing to undo.
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

async function storeBatch(app: App, activities: readonly AcceptedActivity[]): Promise<void> {
  const now = app.clock.now();
  await transaction(app, async (tx) => {
    const { db, afterCommit } = tx;
    await deleteUndoneKeys(tx, activities);
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
    if (numAffectedRows !== undefined && numAffectedRows > 0n) afterCommit(() => app.wakeWorkers(['inbox']));
  });
}
