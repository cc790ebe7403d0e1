import type { TObject } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { defineJob, within, type EventType, type Subscription } from '../../platform/jobs/events.ts';

/**
 * Reacts to what a local account did with a stored job, in the order of the commits; what came from elsewhere, which is
 * most of what happens, costs no job. The event must carry an `accountId`. `name` is kept in the jobs table and must never change.
 */
export function whenLocal<Name extends string, Schema extends TObject, Data extends object>(
  type: EventType<Name, Schema>,
  name: string,
  run: (app: App, data: Data) => Promise<void>,
): Subscription[] {
  const job = defineJob(name, type.schema, (app, data) => run(app, data as unknown as Data));
  const enqueue = within(type, `${name}-when-local`, async (write, _app, data) => {
    const { accountId } = data as unknown as { accountId: AccountId };
    const account = await write.db
      .selectFrom('accounts')
      .select('domain')
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (account?.domain === null) write.enqueue(job(data));
  });
  return [enqueue, job.subscription];
}
