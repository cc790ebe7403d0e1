import { findAccount, findAccountByUri, type AccountRow } from '../../accounts/find/index.ts';
import { storeRemoteEmojis } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import type { AccountId, StatusId } from '../../platform/ids.ts';
import { isPublicOrUnlisted } from '../../statuses/visibility/index.ts';
import { deleteStatus } from '../../statuses/post/index.ts';
import { storeRemoteStatus, updateRemoteStatus, type RemoteStatus } from '../../statuses/remote/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { parseInteractionPolicy } from '../documents/policy-documents.ts';
import { parseQuotePolicy } from '../documents/quote-documents.ts';
import { parseNote, visibilityOf, type DeliveredNote, type Note } from '../documents/parse-note.ts';
import { hostOf, isSameHost } from '../documents/values.ts';
import { repliesFound } from '../events.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { findStatusByUri, findStatusUnlessFound, type FoundStatus } from '../find-status-by-uri.ts';
import { revokeIfDeleted } from '../revoke-authorized.ts';
import { hasTombstone } from '../tombstones.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { findLocalReader, readablePost } from './find-local-reader.ts';
import { resolveAddressees } from './resolve-addressees.ts';
import { loadReplyConsent } from './reply-consent.ts';
import { resolveAccount } from './resolve-account.ts';
import { resolveCollection } from './resolve-collection.ts';

/** Maximum number of unknown ancestors that are fetched. */
const maxParents = 20;
/** Maximum number of linked collections that are fetched per post. */
const maxCollections = 4;

export interface NoteSource {
  /** Number of replies and quotes that lead to the post from the one that was requested. */
  readonly depth?: number;
  /** Its author, if it was loaded just now. */
  readonly author?: AccountRow | undefined;
  /** Its author had not deleted it a moment ago. */
  readonly isUndeleted?: boolean | undefined;
  /**
   * It was read from a collection, not delivered: it is no news, and only stored if it is public or unlisted and its date
   * is plausible. So are its ancestors.
   */
  readonly backfilled?: boolean | undefined;
  /** What it replies to, if it was found just now. */
  readonly parent?: FoundStatus | undefined;
}

/**
 * Stores a post from its origin, with its ancestors and mentioned accounts as far as they can be fetched. Returns
 * undefined if the post is not accepted. Throws a DocumentError if its author cannot be fetched.
 */
export async function storeNote(
  app: App,
  note: DeliveredNote,
  { depth = 0, author, isUndeleted, backfilled, parent }: NoteSource = {},
): Promise<StatusId | undefined> {
  // First, because the ancestors may use up the fetch budget.
  const resolved = await resolveAuthor(app, note, author);
  const ancestors = parent?.uri === note.inReplyTo ? [] : await fetchMissingParents(app, note, resolved);
  for (const ancestor of ancestors) await storeSingleNote(app, ancestor, { depth: depth + 1, backfilled });
  // The ancestors may have taken long enough for the author to be suspended, or to delete the post.
  const fresh = ancestors.length === 0 ? { author: resolved, isUndeleted, parent } : {};
  const statusId = await storeSingleNote(app, note, { depth, backfilled, ...fresh });
  if (statusId !== undefined && depth === 0 && backfilled !== true && note.firstReplies.length > 0) {
    const uris = [...note.firstReplies];
    await transaction(app, async ({ emit }) => emit(repliesFound({ statusId, uris })));
  }
  return statusId;
}

/**
 * Returns the unknown ancestors of a post, topmost first. The chain starts below the first one that cannot be fetched.
 * Those of a private post on its own server are fetched by one of its readers, because they may be private as well.
 */
async function fetchMissingParents(app: App, note: DeliveredNote, author: AccountRow): Promise<Note[]> {
  const chain: Note[] = [];
  const seen = new Set([note.uri]);
  let uri = note.inReplyTo;
  while (
    uri !== undefined &&
    chain.length < maxParents &&
    !seen.has(uri) &&
    (await findStatusByUri(app, uri)) === undefined
  ) {
    seen.add(uri);
    const readerId = isSameHost(uri, note.uri)
      ? await findLocalReader(app, [await readablePost(app, note, author)], note.mentions)
      : undefined;
    const parent = await fetchParent(app, uri, readerId);
    if (parent === undefined) break;
    chain.unshift(parent);
    uri = parent.inReplyTo;
  }
  return chain;
}

async function fetchParent(app: App, uri: string, readerId: AccountId | undefined): Promise<Note | undefined> {
  try {
    const note = parseNote(await fetchObject(app, uri, readerId));
    await resolveAuthor(app, note);
    return note;
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Stores a post unless its author deleted it. Checks twice, because the Delete may arrive while the post is stored. */
async function storeSingleNote(
  app: App,
  note: DeliveredNote,
  { depth = 0, author: known, isUndeleted = false, backfilled, parent }: NoteSource,
): Promise<StatusId | undefined> {
  const author = await resolveAuthor(app, note, known);
  if (author.suspended_at !== null) return undefined;
  if (backfilled === true && !mayBeBackfilled(app, note, author)) return undefined;
  const { isPermitted, approval, authorization } = await loadReplyConsent(app, note, author, parent);
  if (!isPermitted) return undefined;
  const received = { ...(await toRemoteStatus(app, note, author, { depth, parent })), backfilled };
  const status = received.visibility === 'direct' ? received : { ...received, approval };
  if (!isUndeleted && (await hasTombstone(app, author.uri, note.uri))) return undefined;
  const id = await storeRemoteStatus(app, status);
  if (authorization !== undefined) await revokeIfDeleted(app, authorization.author, authorization.uri);
  if (id === undefined || !(await hasTombstone(app, author.uri, note.uri))) return id;
  await deleteStatus(app, id);
  return undefined;
}

/** Age in milliseconds of the oldest posts that are backfilled: 20 years. */
const maxBackfilledAgeMs = 20 * 365 * 86_400_000;

function mayBeBackfilled(app: App, note: Note, author: AccountRow): boolean {
  if (!isPublicOrUnlisted(visibilityOf(note, author.followers_url))) return false;
  return note.published === undefined || app.clock.now().getTime() - note.published.getTime() < maxBackfilledAgeMs;
}

/** Updates a stored post from a document of its origin. */
export async function updateNote(app: App, note: Note): Promise<void> {
  const author = await resolveAuthor(app, note);
  await updateRemoteStatus(app, await toRemoteStatus(app, note, author));
}

/** Also stores the emojis of the post, because it cannot be rendered without them. */
async function toRemoteStatus(
  app: App,
  note: DeliveredNote,
  author: AccountRow,
  { depth = 0, parent: found }: Pick<NoteSource, 'depth' | 'parent'> = {},
): Promise<RemoteStatus> {
  const { question, quote, inReplyTo } = note;
  const parent = await findStatusUnlessFound(app, inReplyTo, found);
  const quoted = quote && (await findStatusByUri(app, quote.uri));
  if (author.domain !== null) await storeRemoteEmojis(app, author.domain, note.emojis);
  return {
    uri: note.uri,
    url: note.url ?? null,
    accountId: author.id,
    content: note.content,
    article: note.article,
    spoilerText: note.summary,
    sensitive: note.sensitive,
    language: note.language ?? null,
    visibility: visibilityOf(note, author.followers_url),
    ...(parent?.reblog_of_id === null && { inReplyToId: parent.id }),
    // It may be named by its page.
    inReplyToUri: parent?.uri ?? inReplyTo ?? null,
    conversationUri: note.conversation ?? null,
    mentions: await resolveAddressees(app, note),
    tags: note.hashtags,
    collectionUris: await resolveLinkedCollections(app, note),
    attachments: note.attachments.map((item) => ({
      url: item.url,
      previewUrl: item.previewUrl ?? null,
      description: item.description,
      blurhash: item.blurhash ?? null,
      focus: item.focus === undefined ? null : { x: item.focus[0], y: item.focus[1] },
      width: item.width ?? null,
      height: item.height ?? null,
      duration: item.duration ?? null,
      contentType: item.mediaType ?? null,
    })),
    poll: question && {
      options: question.options,
      multiple: question.multiple,
      expiresAt: question.endsAt,
      closed: question.closed,
      votersCount: question.votersCount,
    },
    quote: quote && {
      uri: quoted?.uri ?? quote.uri,
      quotedId: quoted?.id,
      approvalUri: quote.authorization,
      legacy: quote.legacy,
      quotedDeleted: quote.gone,
      depth,
    },
    quotePolicy: parseQuotePolicy(note, author),
    interactionPolicy: parseInteractionPolicy(note, author),
    counts: note.counts,
    updatedAt: note.updated,
    publishedAt: note.published ?? app.clock.now(),
  };
}

/** Returns the author of a post: `known`, or the stored or fetched account. */
async function resolveAuthor(app: App, { uri, attributedTo }: Note, known?: AccountRow): Promise<AccountRow> {
  if (await isBlockedDomain(app, hostOf(attributedTo) ?? '')) throw new FetchError(`${attributedTo} is blocked`);
  const stored = known ?? (await findAccountByUri(app, attributedTo));
  if (stored?.uri === attributedTo && stored.domain !== null) return stored;
  const id = await resolveAccount(app, attributedTo, { throwIfOverBudget: true });
  const author = id === undefined ? undefined : await findAccount(app, id);
  if (author === undefined || author.domain === null)
    throw new DocumentError(`the author of ${uri} could not be fetched`);
  return author;
}

/** Fetches the unknown collections that a post links to. Returns all URIs, also those that could not be fetched. */
async function resolveLinkedCollections(app: App, { collections }: Note): Promise<string[]> {
  const uris = [...new Set(collections)].slice(0, maxCollections);
  for (const uri of uris) await resolveCollection(app, uri);
  return uris;
}
