import { sql, type QueryExecutorProvider } from 'kysely';
import { Type, type Static } from 'typebox';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evictAll } from '../../platform/caching/cache-reactions.ts';
import { HttpError, notFound } from '../../platform/http/http-errors.ts';
import { verbatim } from '../../platform/i18n/message.ts';
import { isId, newId } from '../../platform/ids.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { providersChanged } from '../events.ts';
import { writable, type ProviderRow, type SubscriptionId } from '../tables.ts';

const maxSubscriptions = 20;
/** Addresses in one announcement, also if the provider takes more. */
const maxBatchSize = 100;
/** Nothing more is stored for a provider that fails for longer. */
const maxFailingMs = 86_400_000;

export const category = Type.Union([Type.Literal('content'), Type.Literal('account')]);
export type Category = Static<typeof category>;

/** The body of a subscription. The type `trends` is not offered. */
export const subscriptionRequest = Type.Object({
  category,
  subscriptionType: Type.Literal('lifecycle'),
  maxBatchSize: Type.Optional(Type.Integer({ minimum: 1 })),
});

/** A subscription of a provider that staff share data with. */
interface ActiveSubscription {
  readonly id: SubscriptionId;
  readonly category: Category;
  readonly failing_since: Date | null;
}

/** There are few, and mostly none: then events cost no query. */
export const activeSubscriptions = new LoadingCache<'subscriptions', readonly ActiveSubscription[]>({
  name: 'auxiliary-services.subscriptions',
  maxSize: 1,
  ttlMs: 600_000,
  load: ({ db }) => loadSubscriptions(db),
  evictOn: [evictAll(providersChanged)],
});

async function loadSubscriptions(db: QueryExecutorProvider): Promise<readonly ActiveSubscription[]> {
  const { rows } = await sql<ActiveSubscription>`
    select subscription.id, subscription.category, provider.failing_since
    from service_provider_subscriptions subscription
    join service_providers provider on provider.id = subscription.provider_id
    where exists (
      select from service_provider_capabilities capability
      where capability.provider_id = provider.id and capability.name = 'data_sharing' and capability.enabled)`.execute(
    db,
  );
  return rows;
}

/** Loads the subscriptions into the cache, which `listSubscriptions` does not do. */
export const cacheSubscriptions = async (app: App): Promise<void> => {
  await activeSubscriptions.get(app, 'subscriptions');
};

/** Returns the subscriptions that events of a category are stored for, in a transaction. */
export async function listSubscriptions(
  { db }: Transaction,
  app: App,
  wanted: Category,
): Promise<readonly ActiveSubscription[]> {
  const now = app.clock.now().getTime();
  const rows = activeSubscriptions.peek(app, 'subscriptions') ?? (await loadSubscriptions(db));
  return rows.filter(
    ({ category: own, failing_since: since }) =>
      own === wanted && (since === null || now - since.getTime() < maxFailingMs),
  );
}

/** Subscribes a provider to events. Throws 422 above the maximum. */
export async function subscribe(
  app: App,
  { id: providerId }: ProviderRow,
  { category: wanted, maxBatchSize: batch = maxBatchSize }: Static<typeof subscriptionRequest>,
): Promise<SubscriptionId> {
  const now = app.clock.now();
  const id = newId<'provider-subscription'>(now);
  await transaction(app, async ({ db, emit }) => {
    // Serializes the subscriptions of a provider.
    await db.selectFrom('service_providers').select('id').where('id', '=', providerId).forUpdate().execute();
    const existing = await db
      .selectFrom('service_provider_subscriptions')
      .select('id')
      .where('provider_id', '=', providerId)
      .execute();
    if (existing.length >= maxSubscriptions)
      throw new HttpError(422, verbatim(`There may be at most ${maxSubscriptions} subscriptions`));
    await writable(db)
      .insertInto('service_provider_subscriptions')
      .values({
        id,
        provider_id: providerId,
        category: wanted,
        max_batch_size: Math.min(batch, maxBatchSize),
        created_at: now,
      })
      .execute();
    emit(providersChanged({}));
  });
  return id;
}

/** Ends a subscription of a provider. Throws 404 if it has none with this id. */
export async function unsubscribe(app: App, { id: providerId }: ProviderRow, id: string): Promise<void> {
  if (!isId(id)) throw notFound();
  await transaction(app, async ({ db, emit }) => {
    await writable(db)
      .deleteFrom('service_provider_subscriptions')
      .where('provider_id', '=', providerId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow(() => notFound());
    emit(providersChanged({}));
  });
}
