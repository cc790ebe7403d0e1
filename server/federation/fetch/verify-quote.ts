import { defineJob } from '../../platform/work/define-job.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { idSchema } from '../../platform/id-schema.ts';
import {
  acceptQuote,
  findQuote,
  quoteChanged,
  rejectOrRevokeQuote,
  type QuoteId,
  type QuoteRow,
} from '../../quotes/index.ts';
import { loadCachedStatuses } from '../../statuses/read/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { linkRemoteQuote } from '../../statuses/remote/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { idOf, isSameHost, typesOf, type Json } from '../documents/values.ts';
import { findQuoteDetails, type QuoteDetails } from '../quote-details.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { findLocalReader } from './find-local-reader.ts';
import { resolveStatus } from './resolve-status.ts';

/** Maximum length of a chain of quotes that is fetched (reference/limits.tsv, quote verification depth). */
const maxDepth = 2;

/** Delay of the first retry. Each further delay is four times longer. */
const firstRetryDelayMs = 900_000;
const maxAttempts = 4;

/**
 * Verifies that the author of the quoted post authorized a quote by a remote post. Fetches the quoted post if it is
 * unknown, and the authorization. A missing authorization rejects the quote; one that does not match leaves it pending.
 */
const verifyQuote = defineJob(
  'quote.verify_authorization',
  Type.Object({ quoteId: idSchema<'quote'>(), depth: Type.Integer(), attempt: Type.Integer() }),
  async (app, { quoteId, depth, attempt }) => {
    const quote = await findQuote(app, quoteId);
    if (quote?.state !== 'pending' || (await isSelfQuote(app, quote, { depth, fresh: attempt > 0 }))) return;
    const quotation = await findQuoteDetails(app.db, quoteId);
    if (quotation === undefined && depth < maxDepth && attempt < maxAttempts)
      await scheduleRetry(app, { quoteId, depth, attempt });
    const { approval_uri: uri } = quote;
    if (uri === null || quote.legacy || quotation === undefined || quotation.quotedLocal) return;
    if (!isSameHost(uri, quotation.quotedActor)) return;
    const proof = await fetchAuthorization(app, uri, quotation);
    await transaction(app, async (tx) => {
      if (proof === 'gone') await rejectOrRevokeQuote(tx, quoteId);
      else if (proof !== undefined && isValidAuthorization(proof, quotation)) await acceptQuote(tx, quoteId, uri);
    });
  },
  'remote',
);

function scheduleRetry(app: App, { quoteId, depth, attempt }: { quoteId: QuoteId; depth: number; attempt: number }) {
  const runAt = new Date(app.clock.now().getTime() + firstRetryDelayMs * 4 ** attempt);
  return transaction(app, async ({ enqueue }) =>
    enqueue(verifyQuote({ quoteId, depth, attempt: attempt + 1 }, { runAt })),
  );
}

/**
 * Fetches the quoted post, up to the maximum depth. Returns whether the author quotes their own post, which needs no
 * authorization.
 */
async function isSelfQuote(
  app: App,
  quote: QuoteRow,
  { depth, fresh }: { depth: number; fresh: boolean },
): Promise<boolean> {
  if (quote.quoted_status_id !== null || depth >= maxDepth) return false;
  const quoting = await app.db
    .selectFrom('statuses')
    .select('backfilled')
    .where('id', '=', quote.status_id)
    .executeTakeFirst();
  const backfilled = quoting?.backfilled;
  const id = await resolveStatus(app, quote.quoted_uri, { depth: depth + 1, fresh, backfilled });
  return id !== undefined && linkRemoteQuote(app, quote.id, id);
}

/**
 * Returns the document, `gone` if its server says that there is none, undefined if it cannot be read. Throws if a later
 * attempt may succeed. A 404 counts between public posts only, because servers also hide private posts behind it.
 */
async function fetchAuthorization(
  app: App,
  uri: string,
  { statusId, visibility, quotedStatusId, quotedVisibility }: QuoteDetails,
): Promise<Json | 'gone' | undefined> {
  const posts = await loadCachedStatuses(app, [statusId, quotedStatusId]);
  try {
    return await fetchObject(app, uri, await findLocalReader(app, [...posts.values()]));
  } catch (error) {
    if (error instanceof FetchError && error.temporary) throw error;
    if (error instanceof FetchError) {
      const isOpen = isPublicOrUnlisted(visibility) && isPublicOrUnlisted(quotedVisibility);
      return error.gone || (error.missing && isOpen) ? 'gone' : undefined;
    }
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function isValidAuthorization(proof: Json, { quoting, quoted, quotedActor }: QuoteDetails): boolean {
  return (
    typesOf(proof).some((type) => type.replace('https://w3id.org/fep/044f#', '') === 'QuoteAuthorization') &&
    idOf(proof['attributedTo']) === quotedActor &&
    idOf(proof['interactingObject']) === quoting &&
    idOf(proof['interactionTarget']) === quoted
  );
}

/** Verifies pending quotes by remote posts. Without an authorization, only a quote within one server can be valid. */
const verifyRemoteQuotes = inTransaction([quoteChanged], {
  runBatch: async ({ db, enqueue }, _app, changes) => {
    const pending = changes.filter(({ to }) => to === 'pending');
    if (pending.length === 0) return;
    const rows = await db
      .selectFrom('quotes')
      .innerJoin('statuses', 'statuses.id', 'quotes.status_id')
      .select(['quotes.id', 'quotes.approval_uri', 'quotes.quoted_uri', 'statuses.uri'])
      .where(sql<boolean>`quotes.id = any(${pending.map(({ quoteId }) => quoteId)}::bigint[])`)
      .where('statuses.local', '=', false)
      .execute();
    const verifiable = rows.filter((row) => row.approval_uri !== null || isSameHost(row.quoted_uri, row.uri));
    const ids = new Set(verifiable.map(({ id }) => id));
    for (const { quoteId, depth } of pending)
      if (ids.has(quoteId)) enqueue(verifyQuote({ quoteId, depth, attempt: 0 }));
  },
});

export const quoteVerification: readonly Subscription[] = [verifyRemoteQuotes, verifyQuote.subscription];
