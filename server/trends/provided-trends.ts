import { sql } from 'kysely';
import type { App } from '../platform/app.ts';
import type { Id } from '../platform/ids.ts';
import type { Transaction } from '../platform/write/transaction.ts';
import { trendsChanged } from './events.ts';
import { prepareLinkReviews } from './prepare-link-reviews.ts';
import { writable, type TrendKind, type TrendSubjectId } from './tables.ts';

/** A trend ends if its provider has not repeated it for this time. */
const lifetimeMs = 6 * 3_600_000;

/** Returns when a provider must have named a trend at the earliest, if it is to be shown. */
export const providedSince = ({ clock }: App): Date => new Date(clock.now().getTime() - lifetimeMs);

/** A service provider that names trends of the whole network. */
interface TrendProvider {
  readonly id: Id<'provider'>;
  readonly name: string;
}

/** A trend that a provider named. */
export interface ProvidedTrend {
  readonly subjectId: TrendSubjectId;
  /** From 1 to 100, the highest. */
  readonly rank: number;
}

/** Replaces the trends that a provider named. They are listed after local trends, once staff approve them. */
export async function storeProvidedTrends(
  tx: Transaction,
  app: App,
  { provider, kind, trends }: { provider: TrendProvider; kind: TrendKind; trends: readonly ProvidedTrend[] },
): Promise<void> {
  await writable(tx.db)
    .deleteFrom('provided_trends')
    .where('provider_id', '=', provider.id)
    .where('kind', '=', kind)
    .execute();
  await sql`
    insert into provided_trends (provider_id, provider, kind, subject_id, rank, found_at)
    select ${provider.id}::bigint, ${provider.name}, ${kind}, found.id, found.rank, ${app.clock.now()}::timestamptz
    from unnest(${trends.map(({ subjectId }) => subjectId)}::bigint[], ${trends.map(({ rank }) => rank)}::smallint[])
      as found (id, rank)
    on conflict do nothing`.execute(tx.db);
  if (kind === 'link') await prepareLinkReviews(tx);
  tx.emit(trendsChanged({}));
}

/** Deletes the trends that a provider named. */
export async function deleteProvidedTrends(tx: Transaction, providerId: Id<'provider'>): Promise<void> {
  await writable(tx.db).deleteFrom('provided_trends').where('provider_id', '=', providerId).execute();
  tx.emit(trendsChanged({}));
}

/** Deletes trends that providers have not repeated. */
export async function expireProvidedTrends({ db }: Transaction, app: App): Promise<void> {
  await writable(db).deleteFrom('provided_trends').where('found_at', '<', providedSince(app)).execute();
}
