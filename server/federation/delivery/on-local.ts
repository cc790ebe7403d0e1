import type { Static } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import type { EventKind } from '../../platform/write/define-event.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { JobHandler, Subscription, Locks } from '../../platform/write/subscriptions.ts';
import type { AccountId } from '../../platform/ids.ts';

interface LocalOptions<Data> {
  /** Of the stored job; rename it by migration only. */
  readonly name: string;
  readonly run: (app: App, data: Data) => Promise<void>;
  /** Whether an event can need a job at all; checked before its account is loaded. */
  readonly when?: (data: Data) => boolean;
  /** Returns the events that need a job, of those caused by local accounts. */
  readonly filter?: (tx: Transaction, app: App, data: readonly Data[]) => Promise<readonly Data[]>;
  /** As that of `inTransaction`. */
  readonly locks?: Locks;
  /** Jobs with the same key run one at a time, in the order of the commits. */
  readonly jobKey?: (data: Data) => string | undefined;
  /** The account that acts; `accountId` of the event by default. */
  readonly actorOf?: (data: Data) => AccountId | null;
}

/**
 * Reacts to the actions of local accounts with a stored job. Remote actions, which are the most frequent, cause no job.
 * Loads the accounts of all events in one statement, except for events with a property `local`.
 */
export function onLocal<const Types extends readonly EventKind[]>(
  types: Types,
  options: LocalOptions<Static<Types[number]['schema']>>,
): Subscription[] {
  type Data = Static<Types[number]['schema']>;
  const { name, run, when = () => true, filter, locks = 'other rows', jobKey, actorOf } = options;
  const queue = 'default';
  const job: JobHandler = { kind: 'job', events: [], name, queue, run: (app, data) => run(app, data as Data) };
  const enqueueJobs = inTransaction(types, {
    locks,
    runBatch: async (tx, app, all) => {
      const local = await filterLocal<Data>(
        tx,
        all.filter(when),
        actorOf ?? ((data) => (data as EventOrigin).accountId),
      );
      if (local.length === 0) return;
      for (const data of filter === undefined ? local : await filter(tx, app, local)) {
        const key = jobKey?.(data);
        tx.enqueue({ name, queue, data, ...(key !== undefined && { key }) });
      }
    },
  });
  return [enqueueJobs, job];
}

/** `onLocal` for changes of a profile: the changes of one account are delivered in order, whatever their kind. */
export const onLocalProfile = <const Types extends readonly EventKind[]>(
  types: Types,
  options: Pick<LocalOptions<Static<Types[number]['schema']>>, 'name' | 'run'>,
): Subscription[] => onLocal(types, { ...options, jobKey: (data) => `profile ${(data as EventOrigin).accountId}` });

interface EventOrigin {
  readonly accountId: AccountId;
  readonly local?: boolean;
}

async function filterLocal<Data>(
  { db }: Transaction,
  events: readonly Data[],
  actorOf: (data: Data) => AccountId | null,
): Promise<readonly Data[]> {
  const isLocal = (data: Data): boolean | undefined => (data as EventOrigin).local;
  const unknown = new Set(events.filter((data) => isLocal(data) === undefined).flatMap((data) => actorOf(data) ?? []));
  const rows =
    unknown.size === 0
      ? []
      : await db
          .selectFrom('accounts')
          .select('id')
          .where('id', 'in', [...unknown])
          .where('domain', 'is', null)
          .execute();
  const localIds = new Set(rows.map(({ id }) => id));
  return events.filter((data) => isLocal(data) ?? localIds.has(actorOf(data) as AccountId));
}
