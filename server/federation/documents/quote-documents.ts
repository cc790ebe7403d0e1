import {
  decodeQuotePolicy,
  encodeQuotePolicy,
  type QuoteGroup,
  type QuoteId,
  type QuoteState,
} from '../../quotes/index.ts';
import { isPublicOrUnlisted, type Visibility } from '../../statuses/index.ts';
import { publicCollection } from './contexts.ts';
import type { Note } from './parse-note.ts';
import { isPublic, type Json } from './values.ts';

/** The two posts of a quote, and the actors that made them, by their ids. */
export interface QuoteUris {
  readonly quoting: string;
  readonly quotingActor: string;
  readonly quoted: string;
  readonly quotedActor: string;
}

/** The id of what proves that a local actor lets a post quote one of its own. */
export const quoteAuthorizationUri = (quotedActor: string, id: QuoteId): string =>
  `${quotedActor}/quote_authorizations/${id}`;

/** What proves that a local actor lets a post quote one of its own. */
export function quoteAuthorization(id: QuoteId, { quoting, quoted, quotedActor }: QuoteUris): Json {
  return {
    id: quoteAuthorizationUri(quotedActor, id),
    type: 'QuoteAuthorization',
    attributedTo: quotedActor,
    interactingObject: quoting,
    interactionTarget: quoted,
  };
}

/** Takes such a proof back. */
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

/** Asks the author of a post whether a post of ours may quote it; `instrument`: our post, or its id. */
export function quoteRequest(id: string, { quotingActor, quoted }: QuoteUris, instrument: unknown): Json {
  return { id, type: 'QuoteRequest', actor: quotingActor, object: quoted, instrument };
}

/** The id by which we ask for one of our quotes. */
export const quoteRequestUri = (quotingActor: string, id: QuoteId): string => `${quotingActor}#quote_requests/${id}`;

/** Agrees to what `request` asked. `id` makes the id of the answer. */
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

/** Does not agree. `id` makes the id of the answer. */
export function rejectQuoteRequest(id: string, request: string, quotation: QuoteUris): Json {
  const actor = quotation.quotedActor;
  const object = quoteRequest(request, quotation, quotation.quoting);
  return { id: `${actor}#rejects/quote_requests/${id}`, type: 'Reject', actor, object };
}

/** A quote as the document of the quoting post has it. */
export interface QuoteDocumentFields {
  readonly id: QuoteId;
  readonly state: QuoteState;
  readonly uri: string;
  readonly gone: boolean;
  /** Proof of another server. */
  readonly approvalUri: string | null;
  /** The actor whose post is quoted, and whether it is of this server. */
  readonly author: { readonly uri: string; readonly local: boolean } | undefined;
  readonly visibility: Visibility | null;
}

/** The members by which a post says what it quotes, for servers of any kind. */
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

/** Who may quote a post of ours. Nobody is written as the author alone, who always may. */
export function interactionPolicy(policy: number, actor: string, followers: string): Json {
  const names: Partial<Record<QuoteGroup, string>> = { public: publicCollection, followers };
  const approved = decodeQuotePolicy(policy).automatic.flatMap((group) => names[group] ?? []);
  return { canQuote: { automaticApproval: approved.length > 0 ? approved : [actor] } };
}

interface PolicyActor {
  readonly uri: string;
  readonly followers_url: string | null;
  readonly following_url: string | null;
}

/** Who may quote a post of another server, as it is stored; nobody where it does not say. */
export function parseQuotePolicy({ canQuote }: Pick<Note, 'canQuote'>, actor: PolicyActor): number {
  const groups = (ids: readonly string[]) => ids.filter((id) => id !== actor.uri).map((id) => toQuoteGroup(id, actor));
  return encodeQuotePolicy(groups(canQuote.automatic), groups(canQuote.manual));
}

function toQuoteGroup(id: string, { followers_url: followers, following_url: following }: PolicyActor): QuoteGroup {
  if (isPublic(id)) return 'public';
  if (id === followers) return 'followers';
  return id === following ? 'following' : 'unsupported_policy';
}
