import { defineJob } from '../../platform/jobs/define-job.ts';
import type { EventType } from '../../platform/events/define-event.ts';
import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import type { TObject } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/database/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';

/**
 * Reacts to what a local account did with a stored job, in the order of the commits; what came from elsewhere, which is
 * most of what happens, costs no job. The event must carry an `accountId`; where it says `local`, nothing is asked.
 * `needed` keeps those that a job is needed for. `name` is kept in the jobs table and must never change.
 */
export function onLocal<Name extends string, Schema extends TObject, Data extends object>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
  needed?: (tx: Transaction, data: readonly Data[]) => Promise<readonly Data[]>,
): Subscription[] {
  return subscribeLocal(type, name, run, { ...(needed && { filter: needed }) });
}

/** `whenLocal` for what changes a profile: the changes of one account are told in their order, whatever they are. */
export function onLocalProfile<Name extends string, Schema extends TObject, Data extends EventOrigin>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
): Subscription[] {
  return subscribeLocal(type, name, run, { jobKey: ({ accountId }) => `profile ${accountId}` });
}

interface LocalOptions<Data> {
  readonly filter?: (tx: Transaction, data: readonly Data[]) => Promise<readonly Data[]>;
  /** Jobs of one key run one at a time, in the order in which things happened. */
  readonly jobKey?: (data: Data) => string;
}

function subscribeLocal<Name extends string, Schema extends TObject, Data extends object>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
  { filter = async (_tx, data) => data, jobKey }: LocalOptions<Data>,
): Subscription[] {
  const job = defineJob(name, type.schema, (app, data) => run(app, data as unknown as Data));
  const enqueue = beforeCommit([type], {
    runBatch: async (tx, _app, all) => {
      const local: (typeof all)[number][] = [];
      for (const data of all) if (await isByLocalAccount(tx, data as EventOrigin)) local.push(data);
      if (local.length === 0) return;
      for (const data of await filter(tx, local as unknown as Data[]))
        tx.enqueue(job(data as (typeof all)[number], jobKey && { key: jobKey(data) }));
    },
  });
  return [enqueue, job.subscription];
}

interface EventOrigin {
  readonly accountId: AccountId;
  readonly local?: boolean;
}

async function isByLocalAccount({ db }: Transaction, { accountId, local }: EventOrigin): Promise<boolean> {
  if (local !== undefined) return local;
  const account = await db.selectFrom('accounts').select('domain').where('id', '=', accountId).executeTakeFirst();
  return account?.domain === null;
}
