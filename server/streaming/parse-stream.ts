import { requireList } from '../lists/index.ts';
import { scopeAllows } from '../oauth/index.ts';
import type { App } from '../platform/app.ts';
import { HttpError } from '../platform/http/http-errors.ts';
import { isId } from '../platform/ids.ts';
import { narrowFeed } from '../timelines/access/index.ts';
import type { FeedRef } from '../timelines/index.ts';
import { normalizeTag } from '../text/index.ts';
import type { StreamUser } from './connections/connection.ts';
import { publicStreams, streamHub, type PublicStream } from './connections/hub.ts';
import type { Topic } from './connections/topics.ts';
import { foreignList, missingList, missingScope, missingTag, unknownStream } from './errors.ts';

/** A stream as a client asks for it. */
export interface StreamRequest {
  readonly name: string;
  readonly list?: string | undefined;
  readonly tag?: string | undefined;
}

/** A stream that exists and that the user may read. */
export interface Stream {
  readonly key: string;
  readonly label: string;
  readonly topics: readonly Topic[];
  /** The feed that it shows; undefined: none that is stored. */
  readonly feed?: FeedRef;
}

export const readStatuses = 'read|read:statuses';
export const readNotifications = 'read|read:notifications';

/** Returns the stream with this name. Throws 400 or 401 in Mastodon's words if there is none for the user. */
export async function parseStream(app: App, user: StreamUser, request: StreamRequest): Promise<Stream> {
  const { name } = request;
  requireScope(user, name === 'user:notification' ? readNotifications : readStatuses);
  const hub = streamHub(app);
  const { accountId } = user.viewer;
  if (isPublicStream(name)) return publicStream(app, user, name);
  switch (name) {
    case 'user': {
      const topics = [hub.homes.topic(accountId)];
      if (scopeAllows(user.scopes, readNotifications)) topics.push(hub.notifications.topic(accountId));
      return { ...stream(name, ...topics), feed: { kind: 'home', id: accountId } };
    }
    case 'user:notification':
      return stream(name, hub.notifications.topic(accountId));
    case 'direct':
      return stream(name, hub.conversations.topic(accountId));
    case 'hashtag':
      return hashtagStream(app, user, request);
    case 'hashtag:local':
      return tagStream(request, (tag) => hub.localTags.topic(tag));
    case 'list':
      return listStream(app, user, request);
    default:
      throw unknownStream();
  }
}

/** Returns the key of a stream, without checking whether it exists. Throws 400 if a parameter is missing. */
export function streamKey({ name, list, tag }: StreamRequest): string {
  if (name === 'list') return `list ${required(list, missingList)}`;
  if (name === 'hashtag' || name === 'hashtag:local') return `${name} ${normalizeTag(required(tag, missingTag))}`;
  return name;
}

const stream = (name: string, ...topics: readonly Topic[]): Stream => ({
  key: name,
  label: JSON.stringify([name]),
  topics,
});

/** A stream of public posts. It has the part of them that the user may view (`narrowFeed`), and so may be silent. */
async function publicStream(app: App, { viewer }: StreamUser, name: PublicStream): Promise<Stream> {
  const [isLocal, isRemote] = [name.startsWith('public:local'), name.startsWith('public:remote')];
  const origin = await narrowFeed(app, viewer, 'live', isLocal ? 'local' : isRemote ? 'remote' : 'all');
  const suffix = name.endsWith(':media') ? ':media' : '';
  const { publics } = streamHub(app);
  if (origin === undefined) return stream(name);
  return stream(name, publics.topic(origin === 'all' ? `public${suffix}` : `public:${origin}${suffix}`));
}

async function hashtagStream(app: App, { viewer }: StreamUser, request: StreamRequest): Promise<Stream> {
  const seesRemote = (await narrowFeed(app, viewer, 'topic', 'remote')) !== undefined;
  const { tags, localTags } = streamHub(app);
  return tagStream(request, (tag) => (seesRemote ? tags : localTags).topic(tag));
}

function tagStream(request: StreamRequest, topicOf: (tag: string) => Topic): Stream {
  const tag = required(request.tag, missingTag);
  return {
    key: streamKey(request),
    label: JSON.stringify([request.name, tag]),
    topics: [topicOf(normalizeTag(tag))],
  };
}

async function listStream(app: App, { viewer }: StreamUser, request: StreamRequest): Promise<Stream> {
  const id = required(request.list, missingList);
  if (!isId(id)) throw foreignList();
  await requireList(app, viewer.accountId, id).catch((error: unknown) => {
    throw error instanceof HttpError ? foreignList() : error;
  });
  return {
    key: streamKey(request),
    label: JSON.stringify([request.name, id]),
    topics: [streamHub(app).lists.topic(id)],
    feed: { kind: 'list', id },
  };
}

const isPublicStream = (name: string): name is PublicStream => publicStreams.some((known) => known === name);

function requireScope({ scopes }: StreamUser, scope: string): void {
  if (!scopeAllows(scopes, scope)) throw missingScope();
}

function required(value: string | undefined, error: () => HttpError): string {
  if (value === undefined || value === '') throw error();
  return value;
}
