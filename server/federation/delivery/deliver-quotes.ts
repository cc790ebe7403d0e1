import { defineJob } from '../../platform/jobs/define-job.ts';
import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { quoteChanged, type QuoteId } from '../../quotes/index.ts';
import { isForEverybody, quotePolicyChanged } from '../../statuses/index.ts';
import { quoteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { deleteAuthorization, quoteRequest, requestUri } from '../documents/quote-documents.ts';
import { findQuotation } from '../quotation.ts';
import { deliverUpdate } from './deliver-statuses.ts';
import { accountInboxes, followerInboxes, involvedInboxes, mentionedInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { whenLocal } from './when-local.ts';

interface Changed {
  readonly quoteId: QuoteId;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly quotedAccountId: AccountId | null;
  readonly from: string;
  readonly to: string;
}

/** Asks the author of a post of another server whether a post of ours may quote it. */
async function deliverRequest(app: App, { quoteId, statusId }: Changed): Promise<void> {
  const [quotation, notes] = await Promise.all([findQuotation(app.db, quoteId), noteDocuments(app, [statusId])]);
  const note = notes.get(statusId);
  if (note === undefined || quotation?.state !== 'pending') return;
  await write(app, async (transaction) => {
    await storeActivity(transaction, app, {
      senderId: quotation.accountId,
      activity: quoteRequest(requestUri(quotation.quotingActor, quoteId), quotation, note),
      context: quoteContext,
      inboxes: await accountInboxes(transaction.db, [quotation.quotedAccountId]),
      orderKey: quotation.quoting,
    });
  });
}

/** Tells those who may hold the quoting post, or the quoted one, that the proof of the author's consent does not hold any more. */
const deliverRevocation = defineJob('deliver-quote-revocation', quoteChanged.schema, async (app, { quoteId }) => {
  const quotation = await findQuotation(app.db, quoteId);
  if (quotation?.state !== 'revoked' || !quotation.quotedLocal) return;
  const { statusId, accountId, quotedAccountId, visibility } = quotation;
  await write(app, async (transaction) => {
    const { db } = transaction;
    await storeActivity(transaction, app, {
      senderId: quotedAccountId,
      activity: deleteAuthorization(quoteId, quotation),
      context: quoteContext,
      inboxes: [
        ...(await accountInboxes(db, [accountId])),
        ...(await mentionedInboxes(db, statusId)),
        ...(visibility === 'direct' ? [] : await followerInboxes(db, accountId)),
        ...(isForEverybody(visibility)
          ? [...(await involvedInboxes(db, statusId)), ...(await followerInboxes(db, quotedAccountId))]
          : []),
      ],
      orderKey: `quote ${quoteId}`,
    });
  });
});

const asked = async (_write: unknown, all: readonly Changed[]) =>
  all.filter(({ from, to }) => from === 'new' && to === 'pending');

/** What was so from the first is in the post as it was sent. */
const news = async (_write: unknown, all: readonly Changed[]) =>
  all.filter(({ from, to }) => from !== 'new' && to !== 'gone' && (from === 'accepted' || to === 'accepted'));

const enqueueRevocation = beforeCommit([quoteChanged], {
  run: async (write, _app, changed) => {
    if (changed.to !== 'revoked' || changed.quotedAccountId === null) return;
    const author = await write.db
      .selectFrom('accounts')
      .select('domain')
      .where('id', '=', changed.quotedAccountId)
      .executeTakeFirst();
    if (author?.domain === null) write.enqueue(deliverRevocation(changed));
  },
});

export const quoteDeliveries: readonly Subscription[] = [
  ...whenLocal(quoteChanged, 'deliver-quote-request', deliverRequest, asked),
  ...whenLocal(quoteChanged, 'deliver-quote-news', (app, changed: Changed) => deliverUpdate(app, changed), news),
  ...whenLocal(quotePolicyChanged, 'deliver-quote-policy', deliverUpdate),
  enqueueRevocation,
  deliverRevocation.subscription,
];
