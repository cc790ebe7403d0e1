import { defineJob } from '../../platform/jobs/define-job.ts';
import { beforeCommit, type Subscription } from '../../platform/events/reactions.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { quoteChanged, type QuoteId } from '../../quotes/index.ts';
import { isPublicOrUnlisted, quotePolicyChanged } from '../../statuses/index.ts';
import { quoteContext } from '../documents/contexts.ts';
import { noteDocuments } from '../documents/note-documents.ts';
import { deleteQuoteAuthorization, quoteRequest, quoteRequestUri } from '../documents/quote-documents.ts';
import { findQuoteDetails } from '../quote-details.ts';
import { deliverUpdate } from './deliver-statuses.ts';
import { accountInboxes, followerInboxes, interactionInboxes, mentionedInboxes } from './inboxes.ts';
import { storeActivity } from './store-activity.ts';
import { onLocal } from './on-local.ts';

interface QuoteChangedEvent {
  readonly quoteId: QuoteId;
  readonly statusId: StatusId;
  readonly accountId: AccountId;
  readonly quotedAccountId: AccountId | null;
  readonly from: string;
  readonly to: string;
}

/** Asks the author of a post of another server whether a post of ours may quote it. */
async function deliverQuoteRequest(app: App, { quoteId, statusId }: QuoteChangedEvent): Promise<void> {
  const [quotation, notes] = await Promise.all([findQuoteDetails(app.db, quoteId), noteDocuments(app, [statusId])]);
  const note = notes.get(statusId);
  if (note === undefined || quotation?.state !== 'pending') return;
  await transaction(app, async (tx) => {
    await storeActivity(tx, app, {
      senderId: quotation.accountId,
      activity: quoteRequest(quoteRequestUri(quotation.quotingActor, quoteId), quotation, note),
      context: quoteContext,
      inboxes: await accountInboxes(tx.db, [quotation.quotedAccountId]),
      orderKey: quotation.quoting,
    });
  });
}

/** Tells those who may hold the quoting post, or the quoted one, that the proof of the author's consent does not hold any more. */
const deliverQuoteRevocation = defineJob('quote.deliver_revocation', quoteChanged.schema, async (app, { quoteId }) => {
  const quotation = await findQuoteDetails(app.db, quoteId);
  if (quotation?.state !== 'revoked' || !quotation.quotedLocal) return;
  const { statusId, accountId, quotedAccountId, visibility } = quotation;
  await transaction(app, async (tx) => {
    const { db } = tx;
    await storeActivity(tx, app, {
      senderId: quotedAccountId,
      activity: deleteQuoteAuthorization(quoteId, quotation),
      context: quoteContext,
      inboxes: [
        ...(await accountInboxes(db, [accountId])),
        ...(await mentionedInboxes(db, statusId)),
        ...(visibility === 'direct' ? [] : await followerInboxes(db, accountId)),
        ...(isPublicOrUnlisted(visibility)
          ? [...(await interactionInboxes(db, statusId)), ...(await followerInboxes(db, quotedAccountId))]
          : []),
      ],
      orderKey: `quote ${quoteId}`,
    });
  });
});

const filterRequested = async (_write: unknown, all: readonly QuoteChangedEvent[]) =>
  all.filter(({ from, to }) => from === 'new' && to === 'pending');

/** What was so from the first is in the post as it was sent. */
const filterAcceptanceChanges = async (_write: unknown, all: readonly QuoteChangedEvent[]) =>
  all.filter(({ from, to }) => from !== 'new' && to !== 'gone' && (from === 'accepted' || to === 'accepted'));

const enqueueQuoteRevocation = beforeCommit([quoteChanged], {
  run: async (tx, _app, changed) => {
    if (changed.to !== 'revoked' || changed.quotedAccountId === null) return;
    const author = await tx.db
      .selectFrom('accounts')
      .select('domain')
      .where('id', '=', changed.quotedAccountId)
      .executeTakeFirst();
    if (author?.domain === null) tx.enqueue(deliverQuoteRevocation(changed));
  },
});

export const quoteDeliveries: readonly Subscription[] = [
  ...onLocal(quoteChanged, 'quote.deliver_request', deliverQuoteRequest, filterRequested),
  ...onLocal(
    quoteChanged,
    'quote.deliver_update',
    (app, changed: QuoteChangedEvent) => deliverUpdate(app, changed),
    filterAcceptanceChanges,
  ),
  ...onLocal(quotePolicyChanged, 'status.deliver_quote_policy', deliverUpdate),
  enqueueQuoteRevocation,
  deliverQuoteRevocation.subscription,
];
