import type { AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import {
  acceptQuote,
  findQuote,
  findQuotesByApproval,
  refuseQuote,
  type QuoteId,
  type QuoteRow,
} from '../../quotes/index.ts';
import { idOf, isHttpUrl, sameHost, type Json } from '../documents/values.ts';
import { localActivityId } from '../local-addresses.ts';

/** A quote that a local account asked for is granted; false when the answer is not about a quote. */
export async function receiveQuoteAccept(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const quote = await askedFor(app, activity['object']);
  if (quote === undefined) return false;
  const proof = idOf(activity['result']);
  if (quote.quoted_account_id === actor.id && isHttpUrl(proof) && sameHost(proof, actor.uri)) {
    await write(app, (transaction) => acceptQuote(transaction, quote.id, proof));
  }
  return true;
}

/** A quote that a local account asked for is refused, or taken back; false when the answer is not about a quote. */
export async function receiveQuoteReject(app: App, actor: AccountRow, activity: Json): Promise<boolean> {
  const quote = await askedFor(app, activity['object']);
  if (quote === undefined) return false;
  if (quote.quoted_account_id === actor.id) await write(app, (transaction) => refuseQuote(transaction, quote.id));
  return true;
}

/** The author of a quoted post takes back the proof of its consent; false when there is no quote with it. */
export async function receiveRevocation(app: App, actor: AccountRow, proof: string): Promise<boolean> {
  const quotes = await findQuotesByApproval(app, proof);
  const own = quotes.filter((quote) => quote.quoted_account_id === actor.id);
  if (own.length === 0) return false;
  await write(app, async (transaction) => {
    for (const { id } of own) await refuseQuote(transaction, id);
  });
  return true;
}

/** The quote that a QuoteRequest of ours asked for, by the id that we gave that. */
async function askedFor(app: App, request: unknown): Promise<QuoteRow | undefined> {
  const uri = idOf(request);
  const id = uri === undefined ? undefined : localActivityId(app, uri, 'quote_requests');
  return id === undefined ? undefined : findQuote(app, id as string as QuoteId);
}
