import type { App } from '../../platform/app.ts';
import { unauthorized } from '../../platform/http/http-errors.ts';
import { siteSettings } from '../../site/index.ts';
import { hasPermission } from '../../users/access/index.ts';

/** `live`: the public timelines; `topic`: those of hashtags and links. */
type FeedKind = 'live' | 'topic';

/** The posts that a timeline lists, by where their authors are. */
export type FeedOrigin = 'all' | 'local' | 'remote';

type FeedViewer = { readonly permissions: bigint } | undefined;
type Audience = 'public' | 'authenticated' | 'disabled';

/** Which posts of a kind of timeline a viewer may see. */
interface FeedAccess {
  readonly local: boolean;
  readonly remote: boolean;
}

/** Returns the part of the wanted posts that a viewer may see; undefined: none. */
export async function narrowFeed(
  app: App,
  viewer: FeedViewer,
  kind: FeedKind,
  wanted: FeedOrigin,
): Promise<FeedOrigin | undefined> {
  const audiences = await loadAudiences(app, kind);
  return narrow({ local: mayView(viewer, audiences.local), remote: mayView(viewer, audiences.remote) }, wanted);
}

/**
 * Like `narrowFeed` for a request of the API: throws 401 for anonymous viewers unless all wanted posts are public, as
 * Mastodon does (TML-02).
 */
export async function requireFeed(
  app: App,
  viewer: FeedViewer,
  kind: FeedKind,
  wanted: FeedOrigin,
): Promise<FeedOrigin | undefined> {
  const origin = await narrowFeed(app, viewer, kind, wanted);
  if (viewer === undefined && origin !== wanted) throw unauthorized('http.requiresUser');
  return origin;
}

/** Returns the origin that the parameters of a timeline name. */
export const wantedOrigin = ({ local = false, remote = false }: { local?: boolean; remote?: boolean }): FeedOrigin =>
  local ? 'local' : remote ? 'remote' : 'all';

/** Returns the parameters that name an origin. */
export const originFilter = (origin: FeedOrigin) => ({ local: origin === 'local', remote: origin === 'remote' });

/** Names of the settings of the site that decide about timelines. */
export const feedSettings: readonly string[] = [
  'localLiveFeedAccess',
  'remoteLiveFeedAccess',
  'localTopicFeedAccess',
  'remoteTopicFeedAccess',
];

async function loadAudiences(
  app: App,
  kind: FeedKind,
): Promise<{ readonly local: Audience; readonly remote: Audience }> {
  const site = await siteSettings(app);
  return kind === 'live'
    ? { local: site.localLiveFeedAccess, remote: site.remoteLiveFeedAccess }
    : { local: site.localTopicFeedAccess, remote: site.remoteTopicFeedAccess };
}

const mayView = (viewer: FeedViewer, audience: Audience): boolean =>
  audience === 'public' ||
  (viewer !== undefined && (audience === 'authenticated' || hasPermission(viewer, 'view_feeds')));

function narrow({ local, remote }: FeedAccess, wanted: FeedOrigin): FeedOrigin | undefined {
  const seesLocal = local && wanted !== 'remote';
  const seesRemote = remote && wanted !== 'local';
  if (seesLocal && seesRemote) return 'all';
  if (seesLocal) return 'local';
  return seesRemote ? 'remote' : undefined;
}
