import { defineJob } from '../../platform/jobs/define-job.ts';
import type { EventType } from '../../platform/events/define-event.ts';
import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import type { TObject } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { Write } from '../../platform/database/write.ts';
import type { AccountId } from '../../platform/ids.ts';

/**
 * Reacts to what a local account did with a stored job, in the order of the commits; what came from elsewhere, which is
 * most of what happens, costs no job. The event must carry an `accountId`; where it says `local`, nothing is asked.
 * `needed` keeps those that a job is needed for. `name` is kept in the jobs table and must never change.
 */
export function whenLocal<Name extends string, Schema extends TObject, Data extends object>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
  needed?: (write: Write, data: readonly Data[]) => Promise<readonly Data[]>,
): Subscription[] {
  return reaction(type, name, run, { ...(needed && { needed }) });
}

/** `whenLocal` for what changes a profile: the changes of one account are told in their order, whatever they are. */
export function whenLocalProfile<Name extends string, Schema extends TObject, Data extends Origin>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
): Subscription[] {
  return reaction(type, name, run, { keyOf: ({ accountId }) => `profile ${accountId}` });
}

interface Ways<Data> {
  readonly needed?: (write: Write, data: readonly Data[]) => Promise<readonly Data[]>;
  /** Jobs of one key run one at a time, in the order in which things happened. */
  readonly keyOf?: (data: Data) => string;
}

function reaction<Name extends string, Schema extends TObject, Data extends object>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
  { needed = async (_write, data) => data, keyOf }: Ways<Data>,
): Subscription[] {
  const job = defineJob(name, type.schema, (app, data) => run(app, data as unknown as Data));
  const enqueue = beforeCommit([type], {
    runBatch: async (write, _app, all) => {
      const local: (typeof all)[number][] = [];
      for (const data of all) if (await isOwn(write, data as Origin)) local.push(data);
      if (local.length === 0) return;
      for (const data of await needed(write, local as unknown as Data[]))
        write.enqueue(job(data as (typeof all)[number], keyOf && { key: keyOf(data) }));
    },
  });
  return [enqueue, job.subscription];
}

interface Origin {
  readonly accountId: AccountId;
  readonly local?: boolean;
}

async function isOwn({ db }: Write, { accountId, local }: Origin): Promise<boolean> {
  if (local !== undefined) return local;
  const account = await db.selectFrom('accounts').select('domain').where('id', '=', accountId).executeTakeFirst();
  return account?.domain === null;
}
