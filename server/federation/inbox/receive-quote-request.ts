import { findAccount, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import { newId } from '../../platform/ids.ts';
import { acceptQuote, findQuoteOf, type QuoteRow } from '../../quotes/index.ts';
import { holdQuotable, isForEverybody, mayQuote, requireVisibleStatus, type StatusBody } from '../../statuses/index.ts';
import { relationsOf } from '../../relationships/index.ts';
import { Problem } from '../../platform/http/problems.ts';
import { quoteContext } from '../documents/contexts.ts';
import { acceptRequest, rejectRequest, type Quotation } from '../documents/quote-documents.ts';
import { authorOf, isNote, readNote } from '../documents/read-note.ts';
import { idOf, isObject, sameHost, type Json } from '../documents/values.ts';
import { storeActivity } from '../delivery/store-activity.ts';
import { fetchObject } from '../fetch/fetch-document.ts';
import { storeNote } from '../fetch/store-note.ts';
import { findKnownStatus } from '../find-status.ts';
import type { Received } from './received.ts';

/**
 * Somebody asks whether a post of its own may quote a post of ours. Who may quote it gets a yes, with the address of the
 * proof; everybody else a no, and so does a post whose quote was refused or revoked before. What names no post of ours, or
 * a post that is not the actor's or quotes something else, is dropped.
 */
export async function receiveQuoteRequest(app: App, { activity, actor }: Received): Promise<void> {
  const [request, target, quoting] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])];
  if (request === undefined || target === undefined || quoting === undefined) return;
  if (!sameHost(request, actor.uri) || !sameHost(quoting, actor.uri)) return;
  const known = await findKnownStatus(app, target);
  if (known?.local !== true || known.reblog_of_id !== null) return;
  if (!isForEverybody(known.visibility)) return;
  const author = await findAccount(app, known.account_id);
  if (author === undefined || author.suspended_at !== null) return;
  const quotation = { quoting, quotingActor: actor.uri, quoted: known.uri, quotedActor: author.uri };
  const quoted = await quotableBy(app, actor, known.id);
  const quote = quoted && (await quoteOf(app, activity['instrument'], quoting, actor));
  if (quoted !== undefined && quote === undefined) return;
  if (quote !== undefined && quote.quoted_status_id !== known.id) return;
  await answer(app, { request, quotation, author, actor, quoted, quote });
}

/** The status, if the actor sees it and may quote it. */
async function quotableBy(app: App, actor: AccountRow, id: StatusBody['id']): Promise<StatusBody | undefined> {
  try {
    const body = await requireVisibleStatus(app, actor.id, id);
    const { blocking } = await relationsOf(app, actor.id);
    if (blocking.has(body.accountId)) return undefined;
    return (await mayQuote(app, actor.id, body)) === 'automatic' ? body : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The quote of the post that asks, which is stored if it is not known yet. */
async function quoteOf(app: App, instrument: unknown, uri: string, actor: AccountRow): Promise<QuoteRow | undefined> {
  const known = await findKnownStatus(app, uri);
  if (known !== undefined) return known.account_id === actor.id ? findQuoteOf(app, known.id) : undefined;
  const note = readNote(isOwn(instrument, actor) ? instrument : await fetchObject(app, uri));
  if (note.attributedTo !== actor.uri) return undefined;
  const id = await storeNote(app, note);
  return id === undefined ? undefined : findQuoteOf(app, id);
}

const isOwn = (instrument: unknown, actor: AccountRow): instrument is Json =>
  isObject(instrument) && isNote(instrument) && authorOf(instrument) === actor.uri;

interface Question {
  readonly request: string;
  readonly quotation: Quotation;
  readonly author: AccountRow;
  readonly actor: AccountRow;
  /** Both undefined: the actor may not. */
  readonly quoted: StatusBody | undefined;
  readonly quote: QuoteRow | undefined;
}

function answer(app: App, { request, quotation, author, actor, quoted, quote }: Question): Promise<void> {
  return write(app, async (transaction) => {
    const granted =
      quoted !== undefined &&
      quote !== undefined &&
      (quote.state === 'accepted' ||
        ((await holdQuotable(transaction, actor.id, quoted)) && (await acceptQuote(transaction, quote.id))));
    await storeActivity(transaction, app, {
      senderId: author.id,
      activity: granted
        ? acceptRequest(quote.id, request, quotation)
        : rejectRequest(newId<'quote'>(app.clock.now()), request, quotation),
      context: quoteContext,
      inboxes: actor.inbox_url === null ? [] : [actor.inbox_url],
      orderKey: `quote ${quotation.quoting}`,
    });
  });
}
