import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { acceptQuote, findQuoteOf, type QuoteRow } from '../../quotes/index.ts';
import { loadQuotePermission } from '../../quotes/policy/index.ts';
import { lockQuotableStatus } from '../../statuses/quote/index.ts';
import { requireVisibleStatus, type CachedStatus } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { loadAccountRelations } from '../../relationships/rules/index.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import { quoteContext } from '../documents/contexts.ts';
import { acceptQuoteRequest, rejectQuoteRequest, type QuoteUris } from '../documents/quote-documents.ts';
import { authorOf, isNote, parseNote } from '../documents/parse-note.ts';
import { idOf, isObject, isSameHost, type Json } from '../documents/values.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { storeNote } from '../fetch/store-note.ts';
import { findStatusByUri } from '../find-status-by-uri.ts';
import type { ReceivedActivity } from './received-activity.ts';

/**
 * Answers the request of an actor to quote a local post: accepts it with an authorization if the actor may quote the
 * post, otherwise rejects it. Also rejects a quote that was rejected or revoked before. Ignores requests that do not
 * match a public local post and a quoting post of the actor.
 */
export async function receiveQuoteRequest(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const [request, target, quoting] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])];
  if (request === undefined || target === undefined || quoting === undefined) return;
  if (!isSameHost(request, actor.uri) || !isSameHost(quoting, actor.uri)) return;
  const existing = await findStatusByUri(app, target);
  if (existing?.local !== true || existing.reblog_of_id !== null) return;
  if (!isPublicOrUnlisted(existing.visibility)) return;
  const author = await findAccount(app, existing.account_id);
  if (author === undefined || author.suspended_at !== null) return;
  const quotation = { quoting, quotingActor: actor.uri, quoted: existing.uri, quotedActor: author.uri };
  const quoted = await findQuotableStatus(app, actor, existing.id);
  const quote = quoted && (await findOrStoreQuote(app, activity['instrument'], quoting, actor));
  if (quoted !== undefined && quote === undefined) return;
  if (quote !== undefined && quote.quoted_status_id !== existing.id) return;
  await sendQuoteResponse(app, { request, quotation, author, actor, quoted, quote });
}

/** Returns the status if the actor can see it and may quote it. */
async function findQuotableStatus(
  app: App,
  actor: AccountRow,
  id: CachedStatus['id'],
): Promise<CachedStatus | undefined> {
  try {
    const body = await requireVisibleStatus(app, actor.id, id);
    const { blocking } = await loadAccountRelations(app, actor.id);
    if (blocking.has(body.accountId)) return undefined;
    return (await loadQuotePermission(app, actor.id, body)) === 'automatic' ? body : undefined;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Returns the quote of the requesting post, which is stored if it is unknown. */
async function findOrStoreQuote(
  app: App,
  instrument: unknown,
  uri: string,
  actor: AccountRow,
): Promise<QuoteRow | undefined> {
  const existing = await findStatusByUri(app, uri);
  if (existing !== undefined) return existing.account_id === actor.id ? findQuoteOf(app, existing.id) : undefined;
  const note = parseNote(isAuthoredNote(instrument, actor) ? instrument : await fetchObject(app, uri));
  if (note.attributedTo !== actor.uri) return undefined;
  const id = await storeNote(app, note);
  return id === undefined ? undefined : findQuoteOf(app, id);
}

const isAuthoredNote = (instrument: unknown, actor: AccountRow): instrument is Json =>
  isObject(instrument) && isNote(instrument) && authorOf(instrument) === actor.uri;

interface ResolvedQuoteRequest {
  readonly request: string;
  readonly quotation: QuoteUris;
  readonly author: AccountRow;
  readonly actor: AccountRow;
  /** Both undefined: the actor may not quote the status. */
  readonly quoted: CachedStatus | undefined;
  readonly quote: QuoteRow | undefined;
}

function sendQuoteResponse(
  app: App,
  { request, quotation, author, actor, quoted, quote }: ResolvedQuoteRequest,
): Promise<void> {
  return transaction(app, async (tx) => {
    const granted =
      quoted !== undefined &&
      quote !== undefined &&
      (quote.state === 'accepted' ||
        ((await lockQuotableStatus(tx, actor.id, quoted)) && (await acceptQuote(tx, quote.id))));
    await storeActivity(tx, app, {
      senderId: author.id,
      activity: granted
        ? acceptQuoteRequest(quote.id, request, quotation)
        : rejectQuoteRequest(newId<'quote'>(app.clock.now()), request, quotation),
      context: quoteContext,
      inboxes: actor.inbox_url === null ? [] : [actor.inbox_url],
      orderKey: `quote ${quotation.quoting}`,
    });
  });
}
