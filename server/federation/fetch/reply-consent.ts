import type { AccountRow } from '../../accounts/find/index.ts';
import { loadInteractionPermission, needsProof, remoteInteractionPermission } from '../../interactions/policy/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { loadCachedStatuses, type CachedStatus } from '../../statuses/read/index.ts';
import type { RemoteStatus } from '../../statuses/remote/index.ts';
import type { DeliveredNote } from '../documents/parse-note.ts';
import { findStatusUnlessFound, type FoundStatus } from '../find-status-by-uri.ts';
import { fetchAuthorization, type Authorization } from './fetch-authorization.ts';
import { readablePost } from './find-local-reader.ts';

/** Whether a remote post can be stored, and how the author of its parent consents. */
export interface ReplyConsent {
  readonly isPermitted: boolean;
  readonly approval?: RemoteStatus['approval'];
  /** By a remote author. */
  readonly authorization?: Authorization;
}

const permitted: ReplyConsent = { isPermitted: true };
const denied: ReplyConsent = { isPermitted: false };

/** Returns whether the author of the parent consents to a remote post. A post without a known parent needs no consent. */
export async function loadReplyConsent(
  app: App,
  note: DeliveredNote,
  author: Pick<AccountRow, 'id' | 'followers_url'>,
  known?: FoundStatus,
): Promise<ReplyConsent> {
  const { inReplyTo, requestUri } = note;
  const { id: authorId } = author;
  const found = await findStatusUnlessFound(app, inReplyTo, known);
  const parent = found && (await loadCachedStatuses(app, [found.id])).get(found.id);
  if (parent === undefined || (parent.interactionPolicy === null && requestUri === undefined)) return permitted;
  if (parent.local) return loadLocalConsent(app, parent, { authorId, requestUri });
  const permission = remoteInteractionPermission(authorId, parent, 'reply');
  if (permission === 'denied') return denied;
  if (permission === 'automatic') return permitted;
  const object = { id: note.uri, replyAuthorization: note.authorization };
  const authorization = await fetchAuthorization(app, parent, {
    kind: 'reply',
    object,
    post: await readablePost(app, note, author),
  });
  if (authorization === undefined) return denied;
  return { isPermitted: true, approval: { state: 'accepted', authorizationUri: authorization.uri }, authorization };
}

async function loadLocalConsent(
  app: App,
  parent: CachedStatus,
  { authorId, requestUri }: { readonly authorId: AccountId; readonly requestUri: string | undefined },
): Promise<ReplyConsent> {
  const permission = await loadInteractionPermission(app, authorId, parent, 'reply');
  if (permission === 'denied') return denied;
  if (permission === 'manual') return { isPermitted: true, approval: { state: 'pending', requestUri } };
  const isAnswered = requestUri !== undefined || needsProof(parent, authorId, 'reply');
  return isAnswered ? { isPermitted: true, approval: { state: 'accepted', requestUri } } : permitted;
}
