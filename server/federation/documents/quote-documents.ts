import { groupsOf, storedPolicy, type QuoteGroup, type QuoteId, type QuoteState } from '../../quotes/index.ts';
import { isForEverybody, type Visibility } from '../../statuses/index.ts';
import { publicCollection } from './contexts.ts';
import type { Note } from './read-note.ts';
import { isPublic, type Json } from './values.ts';

/** The two posts of a quote, and the actors that made them, by their ids. */
export interface Quotation {
  readonly quoting: string;
  readonly quotingActor: string;
  readonly quoted: string;
  readonly quotedActor: string;
}

/** The id of what proves that a local actor lets a post quote one of its own. */
export const authorizationUri = (quotedActor: string, id: QuoteId): string =>
  `${quotedActor}/quote_authorizations/${id}`;

/** What proves that a local actor lets a post quote one of its own. */
export function quoteAuthorization(id: QuoteId, { quoting, quoted, quotedActor }: Quotation): Json {
  return {
    id: authorizationUri(quotedActor, id),
    type: 'QuoteAuthorization',
    attributedTo: quotedActor,
    interactingObject: quoting,
    interactionTarget: quoted,
  };
}

/** Takes such a proof back. */
export function deleteAuthorization(id: QuoteId, quotation: Quotation): Json {
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
export function quoteRequest(id: string, { quotingActor, quoted }: Quotation, instrument: unknown): Json {
  return { id, type: 'QuoteRequest', actor: quotingActor, object: quoted, instrument };
}

/** The id by which we ask for one of our quotes. */
export const requestUri = (quotingActor: string, id: QuoteId): string => `${quotingActor}#quote_requests/${id}`;

/** Agrees to what `request` asked. `id` makes the id of the answer. */
export function acceptRequest(id: QuoteId, request: string, quotation: Quotation): Json {
  const actor = quotation.quotedActor;
  return {
    id: `${actor}#accepts/quote_requests/${id}`,
    type: 'Accept',
    actor,
    object: quoteRequest(request, quotation, quotation.quoting),
    result: authorizationUri(actor, id),
  };
}

/** Does not agree. `id` makes the id of the answer. */
export function rejectRequest(id: string, request: string, quotation: Quotation): Json {
  const actor = quotation.quotedActor;
  const object = quoteRequest(request, quotation, quotation.quoting);
  return { id: `${actor}#rejects/quote_requests/${id}`, type: 'Reject', actor, object };
}

/** A quote as the document of the quoting post has it. */
export interface NoteQuote {
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
export function quoteMembers(quote: NoteQuote): Json {
  const { uri } = quote;
  if (quote.gone) return { quote: { id: uri, type: 'Tombstone' } };
  const proof = proofOf(quote);
  return { quote: uri, _misskey_quote: uri, quoteUri: uri, ...(proof !== undefined && { quoteAuthorization: proof }) };
}

function proofOf({ id, state, approvalUri, author, visibility }: NoteQuote): string | undefined {
  if (state !== 'accepted') return undefined;
  if (author?.local !== true) return approvalUri ?? undefined;
  return visibility !== null && isForEverybody(visibility) ? authorizationUri(author.uri, id) : undefined;
}

/** Who may quote a post of ours. Nobody is written as the author alone, who always may. */
export function interactionPolicy(policy: number, actor: string, followers: string): Json {
  const names: Partial<Record<QuoteGroup, string>> = { public: publicCollection, followers };
  const approved = groupsOf(policy).automatic.flatMap((group) => names[group] ?? []);
  return { canQuote: { automaticApproval: approved.length > 0 ? approved : [actor] } };
}

interface Actor {
  readonly uri: string;
  readonly followers_url: string | null;
  readonly following_url: string | null;
}

/** Who may quote a post of another server, as it is stored; nobody where it does not say. */
export function readPolicy({ canQuote }: Pick<Note, 'canQuote'>, actor: Actor): number {
  const groups = (ids: readonly string[]) => ids.filter((id) => id !== actor.uri).map((id) => groupOf(id, actor));
  return storedPolicy(groups(canQuote.automatic), groups(canQuote.manual));
}

function groupOf(id: string, { followers_url: followers, following_url: following }: Actor): QuoteGroup {
  if (isPublic(id)) return 'public';
  if (id === followers) return 'followers';
  return id === following ? 'following' : 'unsupported_policy';
}
