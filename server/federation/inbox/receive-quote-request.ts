import { findAccount, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/ids.ts';
import { acceptQuote, findQuoteOf, type QuoteRow } from '../../quotes/index.ts';
import {
  lockQuotableStatus,
  isPublicOrUnlisted,
  loadQuotePermission,
  requireVisibleStatus,
  type CachedStatus,
} from '../../statuses/index.ts';
import { loadAccountRelations } from '../../relationships/index.ts';
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
 * Somebody asks whether a post of its own may quote a post of ours. Who may quote it gets a yes, with the address of the
 * proof; everybody else a no, and so does a post whose quote was refused or revoked before. What names no post of ours, or
 * a post that is not the actor's or quotes something else, is dropped.
 */
export async function receiveQuoteRequest(app: App, { activity, actor }: ReceivedActivity): Promise<void> {
  const [request, target, quoting] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])];
  if (request === undefined || target === undefined || quoting === undefined) return;
  if (!isSameHost(request, actor.uri) || !isSameHost(quoting, actor.uri)) return;
  const known = await findStatusByUri(app, target);
  if (known?.local !== true || known.reblog_of_id !== null) return;
  if (!isPublicOrUnlisted(known.visibility)) return;
  const author = await findAccount(app, known.account_id);
  if (author === undefined || author.suspended_at !== null) return;
  const quotation = { quoting, quotingActor: actor.uri, quoted: known.uri, quotedActor: author.uri };
  const quoted = await findQuotableStatus(app, actor, known.id);
  const quote = quoted && (await findOrStoreQuote(app, activity['instrument'], quoting, actor));
  if (quoted !== undefined && quote === undefined) return;
  if (quote !== undefined && quote.quoted_status_id !== known.id) return;
  await sendQuoteResponse(app, { request, quotation, author, actor, quoted, quote });
}

/** The status, if the actor sees it and may quote it. */
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

/** The quote of the post that asks, which is stored if it is not known yet. */
async function findOrStoreQuote(
  app: App,
  instrument: unknown,
  uri: string,
  actor: AccountRow,
): Promise<QuoteRow | undefined> {
  const known = await findStatusByUri(app, uri);
  if (known !== undefined) return known.account_id === actor.id ? findQuoteOf(app, known.id) : undefined;
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
  /** Both undefined: the actor may not. */
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
