import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import {
  acceptQuote,
  findQuote,
  listQuotesByApproval,
  rejectOrRevokeQuote,
  type QuoteId,
  type QuoteRow,
} from '../../quotes/index.ts';
import { idOf, isHttpUrl, isSameHost, type Json } from '../documents/values.ts';
import { localActivityId } from '../local-addresses.ts';

/** A quote that a local account asked for is granted; false when the answer is not about a quote. */
export async function receiveQuoteAccept(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const quote = await findRequestedQuote(app, activity['object']);
  if (quote === undefined) return false;
  const proof = idOf(activity['result']);
  if (quote.quoted_account_id === actor.id && isHttpUrl(proof) && isSameHost(proof, actor.uri)) {
    await transaction(app, (tx) => acceptQuote(tx, quote.id, proof));
  }
  return true;
}

/** A quote that a local account asked for is refused, or taken back; false when the answer is not about a quote. */
export async function receiveQuoteReject(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const quote = await findRequestedQuote(app, activity['object']);
  if (quote === undefined) return false;
  if (quote.quoted_account_id === actor.id) await transaction(app, (tx) => rejectOrRevokeQuote(tx, quote.id));
  return true;
}

/** The author of a quoted post takes back the proof of its consent; false when there is no quote with it. */
export async function receiveQuoteRevocation(app: App, actor: AccountRow, proof: string): Promise<boolean> {
  const quotes = await listQuotesByApproval(app, proof);
  const revoked = quotes.filter((quote) => quote.quoted_account_id === actor.id);
  if (revoked.length === 0) return false;
  await transaction(app, async (tx) => {
    for (const { id } of revoked) await rejectOrRevokeQuote(tx, id);
  });
  return true;
}

/** The quote that a QuoteRequest of ours asked for, by the id that we gave that. */
async function findRequestedQuote(app: App, request: unknown): Promise<QuoteRow | undefined> {
  const uri = idOf(request);
  const id = uri === undefined ? undefined : localActivityId(app, uri, 'quote_requests');
  return id === undefined ? undefined : findQuote(app, id as string as QuoteId);
}
