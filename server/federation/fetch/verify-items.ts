import { defineJob, type JobType } from '../../platform/jobs/define-job.ts';
import { Type } from 'typebox';
import { settleItem, type ItemRow, type Verdict } from '../../collections/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { idSchema, type CollectionId } from '../../platform/ids.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { idOf, sameHost, typesOf } from '../documents/values.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { resolveAccount } from './resolve-account.ts';

const mostRounds = 6;
const firstWait = 600_000;

const data = Type.Object({ collectionId: idSchema<'collection'>(), round: Type.Integer() });

/**
 * Looks at the stamps of those who wait in a collection of another server: whoever agreed is in, an item without a stamp
 * goes. A server that does not answer is asked again later, six times at most. What the fetch budget does not allow stays
 * pending until somebody looks at the collection.
 */
export const verifyItems: JobType<'verify-featured-items', typeof data> = defineJob(
  'verify-featured-items',
  data,
  async (app, { collectionId, round }) => {
    let isOpen = false;
    for (const { uri, ...item } of await waiting(app, collectionId)) {
      const verdict = await verdictOf(app, uri, item);
      if (verdict === 'over-budget') return;
      if (verdict !== undefined) await settleItem(app, item.id, verdict);
      else if (round >= mostRounds) await settleItem(app, item.id, 'refused');
      else isOpen = true;
    }
    if (!isOpen) return;
    const runAt = new Date(app.clock.now().getTime() + firstWait * 4 ** round);
    await write(app, async ({ enqueue }) => enqueue(verifyItems({ collectionId, round: round + 1 }, { runAt })));
  },
  'remote',
);

type Waiting = Pick<ItemRow, 'id' | 'object_uri' | 'approval_uri'>;

function waiting(app: App, collectionId: CollectionId): Promise<(Waiting & { uri: string })[]> {
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

/** Undefined when it cannot be told for now. Only the server of the featured actor may say that it agreed. */
async function verdictOf(app: App, collectionUri: string, item: Waiting): Promise<Verdict | 'over-budget' | undefined> {
  const { object_uri: actorUri, approval_uri: stampUri } = item;
  if (stampUri === null || !sameHost(stampUri, actorUri)) return 'refused';
  try {
    const stamp = await fetchObject(app, stampUri);
    const holds =
      typesOf(stamp).includes('FeatureAuthorization') &&
      idOf(stamp) === stampUri &&
      idOf(stamp['interactingObject']) === collectionUri &&
      idOf(stamp['interactionTarget']) === actorUri;
    if (!holds) return 'refused';
  } catch (error) {
    if (error instanceof DocumentError) return 'refused';
    if (!(error instanceof FetchError)) throw error;
    if (error.overBudget) return 'over-budget';
    return error.temporary ? undefined : 'refused';
  }
  try {
    const memberId = await resolveAccount(app, actorUri, { failOverBudget: true });
    return memberId === undefined ? undefined : { memberId };
  } catch (error) {
    if (error instanceof FetchError && error.overBudget) return 'over-budget';
    throw error;
  }
}
