import type { Query } from '../api/client.ts';
import type { StreamName } from '../api/stream.ts';

/** Where the posts of a timeline come from. */
export interface TimelineSource {
  /** Identifies the timeline: `home`, `list:5`, `tag:art`. */
  readonly key: string;
  readonly path: string;
  readonly query?: Query;
  /** The streams of its new posts; undefined: it is not live. */
  readonly streams?: readonly StreamName[];
  /** The timeline of /api/v1/markers whose position follows the reader. */
  readonly marker?: 'home';
  /** Whether the server responds with 404 as long as it knows no post of the timeline. */
  readonly mayBeUnknown?: boolean;
  /** The context in which filters apply; undefined: none applies to what the reader saved. */
  readonly context: 'home' | 'public' | 'account' | 'thread' | undefined;
}

/** Whether the ids of posts are the cursors of a timeline, so that it can be loaded around any post. */
export const isOrderedById = ({ path }: TimelineSource): boolean => path.startsWith('/api/v1/timelines/');

export const homeSource: TimelineSource = {
  key: 'home',
  path: '/api/v1/timelines/home',
  streams: [{ stream: 'user' }],
  marker: 'home',
  context: 'home',
};

/** Returns the public timeline: of this server, of other servers, or of all. */
export function publicSource(origin: 'local' | 'remote' | 'all'): TimelineSource {
  const suffix = origin === 'all' ? '' : `:${origin}`;
  return {
    key: `public${suffix}`,
    path: '/api/v1/timelines/public',
    query: { local: origin === 'local' || undefined, remote: origin === 'remote' || undefined },
    streams: [{ stream: `public${suffix}` }],
    context: 'public',
  };
}

export const listSource = (id: string): TimelineSource => ({
  key: `list:${id}`,
  path: `/api/v1/timelines/list/${id}`,
  streams: [{ stream: 'list', list: id }],
  context: 'home',
});

/** Returns the timeline of posts with a hashtag, or with any of several. */
export const tagSource = (name: string, ...others: readonly string[]): TimelineSource => ({
  key: `tag:${[name, ...others].join(',').toLowerCase()}`,
  path: `/api/v1/timelines/tag/${encodeURIComponent(name)}`,
  ...(others.length > 0 && { query: { any: others } }),
  streams: [name, ...others].map((tag) => ({ stream: 'hashtag', tag })),
  context: 'public',
});

/** Returns the timeline of posts about a link. */
export const linkSource = (url: string): TimelineSource => ({
  key: `link:${url}`,
  path: '/api/v1/timelines/link',
  query: { url },
  mayBeUnknown: true,
  context: 'public',
});

export const bookmarksSource: TimelineSource = { key: 'bookmarks', path: '/api/v1/bookmarks', context: undefined };
/** Returns the bookmarks in a folder. */
export const folderSource = (id: string): TimelineSource => ({
  key: `folder:${id}`,
  path: '/api/v1/fieldfare/bookmarks',
  query: { folder_id: id },
  context: undefined,
});

export const favouritesSource: TimelineSource = { key: 'favourites', path: '/api/v1/favourites', context: undefined };

/** Returns the posts that quote a post. */
export const quotesSource = (id: string): TimelineSource => ({
  key: `quotes:${id}`,
  path: `/api/v1/statuses/${id}/quotes`,
  context: 'public',
});
