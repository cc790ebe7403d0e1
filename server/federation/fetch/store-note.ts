import { findAccount, type AccountRow } from '../../accounts/index.ts';
import { storeRemoteEmojis } from '../../emojis/index.ts';
import type { App } from '../../platform/app.ts';
import { write } from '../../platform/database/write.ts';
import type { StatusId } from '../../platform/ids.ts';
import { deleteStatus, storeRemoteStatus, updateRemoteStatus, type RemoteStatus } from '../../statuses/index.ts';
import { DocumentError } from '../documents/parse-document.ts';
import { readPolicy } from '../documents/quote-documents.ts';
import { readNote, visibilityOf, type DeliveredNote, type Note } from '../documents/read-note.ts';
import { hostOf } from '../documents/values.ts';
import { repliesFound } from '../events.ts';
import { isBlockedDomain } from '../domain-policy.ts';
import { findKnownStatus } from '../find-status.ts';
import { isDeleted } from '../tombstones.ts';
import { FetchError, fetchObject } from './fetch-document.ts';
import { addressedAccounts } from './addressed-accounts.ts';
import { resolveAccount } from './resolve-account.ts';
import { resolveCollection } from './resolve-featured.ts';

/** How far up a conversation is followed that is not known here. */
const mostParents = 20;
/** How many collections are looked for that one post links to. */
const mostCollections = 4;

/**
 * Stores a post that was had from its origin, with the posts that it answers and the people whom it names as far as they
 * can be had. `depth`: how many posts lead to it that came only for it, since they quote or answer it. Undefined when it is
 * not to be kept. Throws a DocumentError when its author cannot be had.
 */
export async function storeNote(app: App, note: DeliveredNote, depth = 0): Promise<StatusId | undefined> {
  // Before the posts above it, which may use up what there is to fetch with.
  await authorOf(app, note);
  const ancestors = await missingParents(app, note);
  for (const parent of ancestors) await storeOne(app, parent, depth + 1);
  const statusId = await storeOne(app, note, depth);
  if (statusId !== undefined && depth === 0 && note.firstReplies.length > 0) {
    const uris = [...note.firstReplies];
    await write(app, async ({ emit }) => emit(repliesFound({ statusId, uris })));
  }
  return statusId;
}

/** The unknown posts above one, the topmost first; where one or its author cannot be had, the chain begins below it. */
async function missingParents(app: App, note: Note): Promise<Note[]> {
  const chain: Note[] = [];
  const seen = new Set([note.uri]);
  let uri = note.inReplyTo;
  while (
    uri !== undefined &&
    chain.length < mostParents &&
    !seen.has(uri) &&
    (await findKnownStatus(app, uri)) === undefined
  ) {
    seen.add(uri);
    const parent = await fetchParent(app, uri);
    if (parent === undefined) break;
    chain.unshift(parent);
    uri = parent.inReplyTo;
  }
  return chain;
}

async function fetchParent(app: App, uri: string): Promise<Note | undefined> {
  try {
    const note = readNote(await fetchObject(app, uri));
    await authorOf(app, note);
    return note;
  } catch (error) {
    if (error instanceof FetchError || error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** Stores a post, unless its author deleted it: that may have happened while it was fetched, or while it is stored. */
async function storeOne(app: App, note: DeliveredNote, depth = 0): Promise<StatusId | undefined> {
  const author = await authorOf(app, note);
  if (author.suspended_at !== null) return undefined;
  const status = await asStatus(app, note, author, depth);
  if (await isDeleted(app, author.uri, note.uri)) return undefined;
  const id = await storeRemoteStatus(app, status);
  if (id === undefined || !(await isDeleted(app, author.uri, note.uri))) return id;
  await deleteStatus(app, id);
  return undefined;
}

/** Brings a post that is known here up to date, from its document as its origin gave it. */
export async function updateNote(app: App, note: Note): Promise<void> {
  const author = await authorOf(app, note);
  await updateRemoteStatus(app, await asStatus(app, note, author));
}

/** Stores the emojis of a post on the way: what shows the post needs them. */
async function asStatus(app: App, note: DeliveredNote, author: AccountRow, depth = 0): Promise<RemoteStatus> {
  const { question, quote } = note;
  if (author.domain !== null) await storeRemoteEmojis(app, author.domain, note.emojis);
  return {
    uri: note.uri,
    url: note.url ?? null,
    accountId: author.id,
    content: note.content,
    spoilerText: note.summary,
    sensitive: note.sensitive,
    language: note.language ?? null,
    visibility: visibilityOf(note, author.followers_url),
    inReplyToUri: note.inReplyTo ?? null,
    conversationUri: note.conversation ?? null,
    mentions: await addressedAccounts(app, note),
    tags: note.hashtags,
    collectionUris: await linkedCollections(app, note),
    attachments: note.attachments.map((item) => ({
      url: item.url,
      previewUrl: item.previewUrl ?? null,
      description: item.description,
      blurhash: item.blurhash ?? null,
      focus: item.focus === undefined ? null : { x: item.focus[0], y: item.focus[1] },
      width: item.width ?? null,
      height: item.height ?? null,
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
      uri: quote.uri,
      quotedId: (await findKnownStatus(app, quote.uri))?.id,
      approvalUri: quote.authorization,
      legacy: quote.legacy,
      gone: quote.gone,
      depth,
    },
    quotePolicy: readPolicy(note, author),
    updatedAt: note.updated,
    publishedAt: note.published ?? app.clock.now(),
  };
}

async function authorOf(app: App, { uri, attributedTo }: Note): Promise<AccountRow> {
  if (await isBlockedDomain(app, hostOf(attributedTo) ?? '')) throw new FetchError(`${attributedTo} is blocked`);
  const id = await resolveAccount(app, attributedTo, { failOverBudget: true });
  const author = id === undefined ? undefined : await findAccount(app, id);
  if (author === undefined || author.domain === null) throw new DocumentError(`the author of ${uri} cannot be had`);
  return author;
}

/** The collections that a post links to, asked for where they are not known; one that cannot be had is left out later. */
async function linkedCollections(app: App, { collections }: Note): Promise<string[]> {
  const uris = [...new Set(collections)].slice(0, mostCollections);
  for (const uri of uris) await resolveCollection(app, uri);
  return uris;
}
