import { defineJob, type JobType } from '../../platform/work/define-job.ts';
import { Type } from 'typebox';
import { recordItemResult, type ItemResult } from '../../collections/consent/index.ts';
import type { CollectionItemRow } from '../../collections/read/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { CollectionId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { idOf, isSameHost, typesOf } from '../documents/values.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { resolveAccount } from './resolve-account.ts';

const maxRounds = 6;
const firstRetryDelayMs = 600_000;

const jobData = Type.Object({ collectionId: idSchema<'collection'>(), round: Type.Integer() });

/**
 * Verifies the authorizations of pending items in a remote collection. Accepts items with a valid authorization and
 * deletes the others. Retries servers that do not answer six times. Items beyond the fetch budget stay pending until a
 * user views the collection.
 */
export const verifyItems: JobType<'collection.verify_items', typeof jobData> = defineJob(
  'collection.verify_items',
  jobData,
  async (app, { collectionId, round }) => {
    let hasPending = false;
    for (const { uri, ...item } of await listPendingItems(app, collectionId)) {
      const result = await verifyItem(app, uri, item);
      if (result === 'over-budget') return;
      if (result !== undefined) await recordItemResult(app, item.id, result);
      else if (round >= maxRounds) await recordItemResult(app, item.id, 'refused');
      else hasPending = true;
    }
    if (!hasPending) return;
    const runAt = new Date(app.clock.now().getTime() + firstRetryDelayMs * 4 ** round);
    await transaction(app, async ({ enqueue }) => enqueue(verifyItems({ collectionId, round: round + 1 }, { runAt })));
  },
  'remote',
);

type PendingItem = Pick<CollectionItemRow, 'id' | 'object_uri' | 'approval_uri'>;

function listPendingItems(app: App, collectionId: CollectionId): Promise<(PendingItem & { uri: string })[]> {
  return app.db
    .selectFrom('collection_items as item')
    .innerJoin('collections', 'collections.id', 'item.collection_id')
    .select(['item.id', 'item.object_uri', 'item.approval_uri', 'collections.uri'])
    .where('item.collection_id', '=', collectionId)
    .where('item.state', '=', 'pending')
    .where('collections.local', '=', false)
    .orderBy('item.place')
    .execute();
}

/** Returns undefined if a later attempt may succeed. Only the server of the featured actor can authorize an item. */
async function verifyItem(
  app: App,
  collectionUri: string,
  item: PendingItem,
): Promise<ItemResult | 'over-budget' | undefined> {
  const { object_uri: actorUri, approval_uri: authorizationUri } = item;
  if (authorizationUri === null || !isSameHost(authorizationUri, actorUri)) return 'refused';
  try {
    const authorization = await fetchObject(app, authorizationUri);
    const isValid =
      typesOf(authorization).includes('FeatureAuthorization') &&
      idOf(authorization) === authorizationUri &&
      idOf(authorization['interactingObject']) === collectionUri &&
      idOf(authorization['interactionTarget']) === actorUri;
    if (!isValid) return 'refused';
  } catch (error) {
    if (error instanceof DocumentError) return 'refused';
    if (!(error instanceof FetchError)) throw error;
    if (error.overBudget) return 'over-budget';
    return error.temporary ? undefined : 'refused';
  }
  try {
    const memberId = await resolveAccount(app, actorUri, { throwIfOverBudget: true });
    return memberId === undefined ? undefined : { memberId };
  } catch (error) {
    if (error instanceof FetchError && error.overBudget) return 'over-budget';
    throw error;
  }
}
