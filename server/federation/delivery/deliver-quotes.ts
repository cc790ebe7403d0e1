import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { quoteChanged, type QuoteId } from '../../quotes/index.ts';
import { isPublicOrUnlisted, staysHere } from '../../statuses/visibility/index.ts';
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

/** Requests permission to quote from the author of a remote post. */
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

/** Deletes the authorization of a quote on the servers that may have the quoting post or the quoted one. */
async function deliverQuoteRevocation(app: App, { quoteId }: QuoteChangedEvent): Promise<void> {
  const quotation = await findQuoteDetails(app.db, quoteId);
  if (quotation?.state !== 'revoked' || !quotation.quotedLocal) return;
  const { statusId, accountId, quotedAccountId, visibility, quotedVisibility } = quotation;
  if ([visibility, quotedVisibility].some((each) => each !== null && staysHere(each))) return;
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
}

const isRequested = ({ from, to }: QuoteChangedEvent): boolean => from === 'new' && to === 'pending';

/** The initial state is part of the post as it was first sent. */
const isAcceptanceChanged = ({ from, to }: QuoteChangedEvent): boolean =>
  from !== 'new' && to !== 'gone' && (from === 'accepted' || to === 'accepted');

export const quoteDeliveries: readonly Subscription[] = [
  ...onLocal([quoteChanged], {
    name: 'quote.deliver_request',
    run: deliverQuoteRequest,
    when: isRequested,
  }),
  ...onLocal([quoteChanged], {
    name: 'quote.deliver_update',
    run: deliverUpdate,
    when: isAcceptanceChanged,
  }),
  ...onLocal([quoteChanged], {
    name: 'quote.deliver_revocation',
    run: deliverQuoteRevocation,
    when: ({ to }) => to === 'revoked',
    actorOf: ({ quotedAccountId }) => quotedAccountId,
  }),
];
