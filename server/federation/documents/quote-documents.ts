import { encodeQuotePolicy, type QuoteGroup } from '../../quotes/policy/index.ts';
import type { QuoteId, QuoteState } from '../../quotes/index.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import type { Visibility } from '../../statuses/index.ts';
import { publicCollection } from './contexts.ts';
import type { Note } from './parse-note.ts';
import { isPublic, type Json } from './values.ts';

/** Ids of the two posts of a quote and of their authors. */
export interface QuoteUris {
  readonly quoting: string;
  readonly quotingActor: string;
  readonly quoted: string;
  readonly quotedActor: string;
}

/** Returns the id of a local authorization of a quote. */
export const quoteAuthorizationUri = (quotedActor: string, id: QuoteId): string =>
  `${quotedActor}/quote_authorizations/${id}`;

/** Returns the authorization of a quote by a local account. */
export function quoteAuthorization(id: QuoteId, { quoting, quoted, quotedActor }: QuoteUris): Json {
  return {
    id: quoteAuthorizationUri(quotedActor, id),
    type: 'QuoteAuthorization',
    attributedTo: quotedActor,
    interactingObject: quoting,
    interactionTarget: quoted,
  };
}

/** Returns the Delete of an authorization. */
export function deleteQuoteAuthorization(id: QuoteId, quotation: QuoteUris): Json {
  const object = quoteAuthorization(id, quotation);
  return {
    id: `${String(object['id'])}#delete`,
    type: 'Delete',
    actor: quotation.quotedActor,
    to: [publicCollection],
    object,
  };
}

/** Requests permission for a local post to quote a remote one. `instrument`: the local post or its id. */
export function quoteRequest(id: string, { quotingActor, quoted }: QuoteUris, instrument: unknown): Json {
  return { id, type: 'QuoteRequest', actor: quotingActor, object: quoted, instrument };
}

/** Returns the id of the QuoteRequest for a local quote. */
export const quoteRequestUri = (quotingActor: string, id: QuoteId): string => `${quotingActor}#quote_requests/${id}`;

/** Accepts a request. `id` makes the id of the answer unique. */
export function acceptQuoteRequest(id: QuoteId, request: string, quotation: QuoteUris): Json {
  const actor = quotation.quotedActor;
  return {
    id: `${actor}#accepts/quote_requests/${id}`,
    type: 'Accept',
    actor,
    object: quoteRequest(request, quotation, quotation.quoting),
    result: quoteAuthorizationUri(actor, id),
  };
}

/** Rejects a request. `id` makes the id of the answer unique. */
export function rejectQuoteRequest(id: string, request: string, quotation: QuoteUris): Json {
  const actor = quotation.quotedActor;
  const object = quoteRequest(request, quotation, quotation.quoting);
  return { id: `${actor}#rejects/quote_requests/${id}`, type: 'Reject', actor, object };
}

/** The quote of a post, for the post's document. */
export interface QuoteDocumentFields {
  readonly id: QuoteId;
  readonly state: QuoteState;
  readonly uri: string;
  readonly gone: boolean;
  /** Id of a remote authorization. */
  readonly approvalUri: string | null;
  /** Author of the quoted post. */
  readonly author: { readonly uri: string; readonly local: boolean } | undefined;
  readonly visibility: Visibility | null;
}

/** Returns the properties of a post that declare its quote, in the vocabularies of all servers. */
export function quoteProperties(quote: QuoteDocumentFields): Json {
  const { uri } = quote;
  if (quote.gone) return { quote: { id: uri, type: 'Tombstone' } };
  const proof = authorizationUriOf(quote);
  return { quote: uri, _misskey_quote: uri, quoteUri: uri, ...(proof !== undefined && { quoteAuthorization: proof }) };
}

function authorizationUriOf({ id, state, approvalUri, author, visibility }: QuoteDocumentFields): string | undefined {
  if (state !== 'accepted') return undefined;
  if (author?.local !== true) return approvalUri ?? undefined;
  return visibility !== null && isPublicOrUnlisted(visibility) ? quoteAuthorizationUri(author.uri, id) : undefined;
}

interface PolicyActor {
  readonly uri: string;
  readonly followers_url: string | null;
  readonly following_url: string | null;
}

/** Returns the stored form of a remote post's quote policy; nobody may quote if it is not declared. */
export function parseQuotePolicy({ canQuote }: Pick<Note, 'canQuote'>, actor: PolicyActor): number {
  const groups = (ids: readonly string[]) => ids.filter((id) => id !== actor.uri).map((id) => toQuoteGroup(id, actor));
  return encodeQuotePolicy(groups(canQuote.automatic), groups(canQuote.manual));
}

function toQuoteGroup(id: string, { followers_url: followers, following_url: following }: PolicyActor): QuoteGroup {
  if (isPublic(id)) return 'public';
  if (id === followers) return 'followers';
  return id === following ? 'following' : 'unsupported_policy';
}
