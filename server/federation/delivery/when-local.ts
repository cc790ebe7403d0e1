import type { TObject } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { Write } from '../../platform/database/write.ts';
import type { AccountId } from '../../platform/ids.ts';
import { defineJob, within, type EventType, type Subscription } from '../../platform/jobs/events.ts';

/**
 * Reacts to what a local account did with a stored job, in the order of the commits; what came from elsewhere, which is
 * most of what happens, costs no job. The event must carry an `accountId`; where it says `local`, nothing is asked.
 * `isNeeded` may spare the job too. `name` is kept in the jobs table and must never change.
 */
export function whenLocal<Name extends string, Schema extends TObject, Data extends object>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
  isNeeded: (write: Write, data: Data) => Promise<boolean> = async () => true,
): Subscription[] {
  const job = defineJob(name, type.schema, (app, data) => run(app, data as unknown as Data));
  const enqueue = within(type, `${name}-when-local`, async (write, _app, data) => {
    const { accountId, local } = data as unknown as { accountId: AccountId; local?: boolean };
    if (local ?? (await isLocal(write, accountId))) {
      if (await isNeeded(write, data as unknown as Data)) write.enqueue(job(data));
    }
  });
  return [enqueue, job.subscription];
}

async function isLocal({ db }: Write, id: AccountId): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('domain').where('id', '=', id).executeTakeFirst();
  return account?.domain === null;
}
