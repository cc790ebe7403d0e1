import type { App } from '../../platform/app.ts';
import type { JobOptions, JobRequest } from '../../platform/work/job-request.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { ProviderId, ProviderRow } from '../tables.ts';
import { isPaused, ProviderCallError } from './call-provider.ts';

/** A call is given up after this time of failures. */
const maxFailingMs = 3 * 86_400_000;

interface StoredCall {
  readonly providerId: ProviderId;
  readonly run: (provider: ProviderRow) => Promise<void>;
  /** The job that makes the call again. */
  readonly again: (options: JobOptions) => JobRequest;
}

/**
 * Runs the job of a call. It does nothing if the provider is gone or not confirmed; a call that fails is made again after
 * the pause of the provider, for three days.
 */
export async function runCall(app: App, { providerId, run, again }: StoredCall): Promise<void> {
  const provider = await findConfirmed(app, providerId);
  if (provider === undefined) return;
  try {
    if (!isPaused(app, provider)) return await run(provider);
  } catch (error) {
    if (!(error instanceof ProviderCallError)) throw error;
  }
  const paused = await findConfirmed(app, providerId);
  if (paused === undefined) return;
  const { failing_since: since, retry_at: runAt } = paused;
  if (since !== null && app.clock.now().getTime() - since.getTime() > maxFailingMs) return;
  await transaction(app, async ({ enqueue }) =>
    enqueue(again({ ...callOptions(paused), ...(runAt !== null && { runAt }) })),
  );
}

/** Returns the options of a job that calls a provider: one at a time for each. */
export const callOptions = ({ id, base_url: url }: Pick<ProviderRow, 'id' | 'base_url'>): JobOptions => ({
  host: new URL(url).host,
  key: `service_provider ${id}`,
});

async function findConfirmed({ db }: App, id: ProviderId): Promise<ProviderRow | undefined> {
  return db
    .selectFrom('service_providers')
    .selectAll()
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}
