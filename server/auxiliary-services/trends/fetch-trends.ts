import { Type } from 'typebox';
import { findCardByUrl } from '../../cards/index.ts';
import { resolveStatus } from '../../federation/index.ts';
import type { App } from '../../platform/app.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import type { Schedule } from '../../platform/work/run-schedules.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { findTag } from '../../tags/index.ts';
import { storeProvidedTrends, type ProvidedTrend, type TrendKind, type TrendSubjectId } from '../../trends/index.ts';
import { askProvider, isPaused, ProviderCallError } from '../calls/call-provider.ts';
import { callOptions } from '../calls/run-call.ts';
import { listProvidersWith } from '../providers/capabilities.ts';
import type { ProviderRow } from '../tables.ts';
import { parseTrends, trendKinds, trendsPath, type NamedTrend } from './parse-trends.ts';

const capability = 'trends';

/** Asks the providers every hour. One that fails is asked again in the next; what it named before expires (`provided_trends`). */
export const fetchAllTrends: Schedule = {
  name: 'service_provider.fetch_all_trends',
  pattern: '27 * * * *',
  async run(app) {
    const providers = await listProvidersWith(app, capability);
    if (providers.length === 0) return;
    await transaction(app, async ({ enqueue }) => {
      for (const provider of providers)
        enqueue(fetchTrends({ providerId: provider.id }, { ...callOptions(provider), isUnique: true }));
    });
  },
};

/** Asks a provider for what trends, and fetches what is unknown here from its origin. */
export const fetchTrends = defineJob(
  'service_provider.fetch_trends',
  Type.Object({ providerId: idSchema<'provider'>() }),
  async (root, { providerId }) => {
    const app = withFetchBudget(root, new StoredFetchBudget(root));
    for (const kind of trendKinds) {
      const provider = (await listProvidersWith(app, capability)).find(({ id }) => id === providerId);
      if (provider === undefined || isPaused(app, provider)) return;
      const named = await askForTrends(app, provider, kind);
      if (named === undefined) return;
      await store(app, provider, kind, await findSubjects(app, kind, named));
    }
  },
  'remote',
);

/** Returns undefined if the provider fails. */
async function askForTrends(app: App, provider: ProviderRow, kind: TrendKind): Promise<NamedTrend[] | undefined> {
  try {
    return await askProvider(app, provider, { path: trendsPath(kind) }, (json) => parseTrends(kind, json));
  } catch (error) {
    if (error instanceof ProviderCallError) return undefined;
    throw error;
  }
}

async function findSubjects(app: App, kind: TrendKind, named: readonly NamedTrend[]): Promise<ProvidedTrend[]> {
  const found = await Promise.all(
    named.map(async ({ name, rank, examples }) => {
      const subjectId = await findSubject(app, kind, name, examples);
      return subjectId === undefined ? [] : [{ subjectId, rank }];
    }),
  );
  return found.flat();
}

/**
 * Returns what a provider names: a post, or a hashtag or link that a post here has. If none has it, the examples of the
 * provider are fetched; their links get cards later and are found in the next hour.
 */
async function findSubject(
  app: App,
  kind: TrendKind,
  name: string,
  examples: readonly string[],
): Promise<TrendSubjectId | undefined> {
  if (kind === 'status') return resolveStatus(app, name, { backfilled: true });
  const find = async (): Promise<TrendSubjectId | undefined> =>
    kind === 'tag' ? (await findTag(app, name))?.id : findCardByUrl(app, name);
  const known = await find();
  if (known !== undefined) return known;
  for (const uri of examples) await resolveStatus(app, uri, { backfilled: true });
  return find();
}

/** Stores what a provider named, unless staff disabled that meanwhile. */
async function store(
  app: App,
  provider: ProviderRow,
  kind: TrendKind,
  trends: readonly ProvidedTrend[],
): Promise<void> {
  await transaction(app, async (tx) => {
    const enabled = await tx.db
      .selectFrom('service_provider_capabilities')
      .select('name')
      .where('provider_id', '=', provider.id)
      .where('name', '=', capability)
      .where('enabled', '=', true)
      .forShare()
      .executeTakeFirst();
    if (enabled !== undefined) await storeProvidedTrends(tx, app, { provider, kind, trends });
  });
}
