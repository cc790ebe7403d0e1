import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import {
  acceptQuote,
  findQuote,
  listQuotesByApproval,
  rejectOrRevokeQuote,
  type QuoteRow,
} from '../../quotes/index.ts';
import { idOf, isHttpUrl, isSameHost, type Json } from '../documents/values.ts';
import { localActivityId } from '../local-addresses.ts';
import { hasTombstone } from '../tombstones.ts';

/** Accepts a quote that a local account requested. Returns false if the answer is not about a quote. */
export async function receiveQuoteAccept(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const quote = await findRequestedQuote(app, activity['object']);
  if (quote === undefined) return false;
  const proof = idOf(activity['result']);
  if (quote.quoted_account_id !== actor.id || !isHttpUrl(proof) || !isSameHost(proof, actor.uri)) return true;
  await transaction(app, (tx) => acceptQuote(tx, quote.id, proof));
  // The Delete of the authorization may arrive before this Accept, or meanwhile.
  if (await hasTombstone(app, actor.uri, proof)) await transaction(app, (tx) => rejectOrRevokeQuote(tx, quote.id));
  return true;
}

/** Rejects a quote that a local account requested, or revokes it. Returns false if the answer is not about a quote. */
export async function receiveQuoteReject(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const quote = await findRequestedQuote(app, activity['object']);
  if (quote === undefined) return false;
  if (quote.quoted_account_id === actor.id) await transaction(app, (tx) => rejectOrRevokeQuote(tx, quote.id));
  return true;
}

/**
 * Revokes quotes by the id of their authorization, which the quoted author deleted. Returns false if there are none.
 */
export async function receiveQuoteRevocation(app: App, actor: AccountRow, proof: string): Promise<boolean> {
  const quotes = await listQuotesByApproval(app, proof);
  const revoked = quotes.filter((quote) => quote.quoted_account_id === actor.id);
  if (revoked.length === 0) return false;
  await transaction(app, async (tx) => {
    for (const { id } of revoked) await rejectOrRevokeQuote(tx, id);
  });
  return true;
}

/** Returns the quote of a local QuoteRequest by its id. */
async function findRequestedQuote(app: App, request: unknown): Promise<QuoteRow | undefined> {
  const uri = idOf(request);
  const id = uri === undefined ? undefined : localActivityId(app, uri, 'quote_requests');
  return id === undefined ? undefined : findQuote(app, id);
}
