import type { Scene, Viewers } from './scene.ts';

/**
 * Who sees alice while she is silenced: everyone (`all`: her profile, her posts and what follows from them), her followers
 * (threads, search), or only herself (`none`: public lists and recommendations). `staff` see her until she is deleted.
 */
type Reach = 'all' | 'followers' | 'none' | 'staff';

/** A place that shows alice or one of her posts while nothing limits her. */
export interface Surface {
  /** The GET route. */
  readonly route: string;
  readonly path: (scene: Scene) => string;
  readonly viewers: readonly (keyof Viewers)[];
  readonly reach: Reach;
  /** Text that the response contains while the account is shown. Undefined: every successful response shows it. */
  readonly needle: ((scene: Scene) => RegExp) | undefined;
  readonly accept?: string;
  /** Only for a local or only for a remote alice. */
  readonly local?: boolean;
  /** The response is a redirect while the account is shown. */
  readonly redirects?: boolean;
}

type Options = Partial<Pick<Surface, 'needle' | 'accept' | 'local' | 'redirects' | 'reach' | 'viewers'>>;
type Path = string | ((scene: Scene) => string);

const open = ['anonymous', 'stranger', 'bob'] as const;
const herOrHerPosts = ({ alice }: Scene): RegExp => new RegExp(`"${alice.id}"|heron|an answer|psst|which\\?`);
const herProfile = (): RegExp => /Birdwatcher/;

const surface = (route: string, path: Path, options: Options = {}): Surface => ({
  route,
  path: typeof path === 'string' ? () => path : path,
  viewers: open,
  reach: 'all',
  needle: herOrHerPosts,
  ...options,
});

/** A surface of the API. `parameters`: replace those of the route, in order; the rest is the query. */
const api = (
  route: string,
  parameters: (scene: Scene) => readonly string[],
  options: Options & { query?: string } = {},
) =>
  surface(
    `/api/${route}`,
    (scene) => {
      const values = [...parameters(scene)];
      const path = route.replaceAll(/:\w+/g, () => values.shift() ?? '');
      return `/api/${path}${values.join('')}`;
    },
    options,
  );

const none = (): string[] => [];
const her = ({ alice }: Scene): string[] => [alice.id];
const bobs = ({ viewers }: Scene): string[] => [viewers.bob.id];
const heron = ({ ids }: Scene): string[] => [ids['heron'] ?? ''];
const idOf =
  (name: string) =>
  ({ ids }: Scene): string[] => [ids[name] ?? ''];
const query = (build: (scene: Scene) => string) => (scene: Scene) => [`?${build(scene)}`];

const to = (...viewers: (keyof Viewers)[]) => ({ viewers });

const accountSurfaces: readonly Surface[] = [
  api(
    'v1/accounts',
    query(({ alice }) => `id[]=${alice.id}`),
    { needle: herProfile },
  ),
  api(
    'v1/accounts/lookup',
    query(({ alice }) => `acct=${alice.acct}`),
    { needle: herProfile },
  ),
  api('v1/accounts/:id', her, { needle: herProfile }),
  api('v1/accounts/:id/followers', bobs),
  api('v1/accounts/:id/following', bobs),
  api('v1/accounts/:id/endorsements', bobs),
  api(
    'v1/accounts/relationships',
    query(({ alice }) => `id[]=${alice.id}`),
    to('bob'),
  ),
  api(
    'v1/accounts/familiar_followers',
    query(({ viewers }) => `id[]=${viewers.bob.id}`),
    to('carol'),
  ),
  api('v1/accounts/search', () => ['?q=alic'], { ...to('stranger', 'bob'), reach: 'followers' }),
  api('v2/search', () => ['?q=alic&type=accounts'], { ...to('stranger', 'bob'), reach: 'followers' }),
  // The whole name still finds a silenced account.
  api(
    'v1/accounts/search',
    query(({ alice }) => `q=${alice.acct}`),
    to('stranger', 'bob'),
  ),
  api('v1/announcements', none, to('bob')),
  api('v1/directory', none, { reach: 'none' }),
  api('v1/suggestions', none, { ...to('stranger'), reach: 'none' }),
  api('v2/suggestions', none, { ...to('stranger'), reach: 'none' }),
  api('v1/endorsements', none, to('bob')),
  api('v1/blocks', none, to('blocker')),
  api('v1/mutes', none, to('muter')),
  api('v1/follow_requests', none, to('locked')),
  api('v1/interaction_requests', none, { ...to('carol'), local: true }),
  api('v1/interaction_requests/:id', idOf('request'), { ...to('carol'), local: true }),
  api('v1/lists/:id/accounts', idOf('list'), to('bob')),
  api('v1/collections/:id', idOf('collection'), { local: true }),
  api('v1/collections/:id', idOf('owned'), { local: true }),
];

const statusSurfaces: readonly Surface[] = [
  api('v1/accounts/:id/statuses', her),
  api('v1/accounts/:id/statuses', (scene) => [scene.viewers.carol.id, '?exclude_replies=true']),
  api('v1/accounts/:id/statuses', (scene) => [scene.alice.id, '?pinned=true'], { local: true }),
  api(
    'v1/statuses',
    query(({ ids }) => `id[]=${ids['heron']}`),
  ),
  api('v1/statuses/:id', heron),
  api('v1/statuses/:id', idOf('reblog')),
  api('v1/statuses/:id', idOf('quote'), { local: true, reach: 'followers', needle: () => /heron/ }),
  api('v1/statuses/:id', idOf('direct'), to('bob')),
  api('v1/statuses/:id/context', idOf('root'), { reach: 'followers' }),
  api('v1/statuses/:id/context', idOf('reply'), { needle: undefined }),
  api('v1/statuses/:id/history', heron),
  api('v1/statuses/:id/favourited_by', idOf('own'), { local: true }),
  api('v1/statuses/:id/reblogged_by', idOf('own'), { local: true }),
  api('v1/statuses/:id/favourited_by', heron, { needle: undefined }),
  api('v1/statuses/:id/quotes', heron, { ...to('carol'), local: true }),
  api('v1/polls/:id', idOf('poll'), { needle: undefined }),
  // Not the post that carol quotes.
  api('v1/timelines/public', none, { reach: 'none', needle: () => /which\?/ }),
  api('v1/timelines/tag/:hashtag', () => ['birds'], { reach: 'none' }),
  api('v1/timelines/link', () => ['?url=https://news.test/'], { reach: 'none' }),
  api('v1/trends/statuses', none, { reach: 'none' }),
  // As the author of the page.
  api('v1/trends/links', none),
  api('v1/timelines/home', none, to('bob')),
  api('v1/timelines/list/:list_id', idOf('list'), to('bob')),
  api('v1/conversations', none, to('bob')),
  api('v1/favourites', none, to('bob')),
  api('v1/bookmarks', none, to('bob')),
  api('v1/fieldfare/bookmarks', none, to('bob')),
  api('v2/search', () => ['?q=heron&type=statuses'], { ...to('bob'), reach: 'followers' }),
  api('v1/notifications', none, to('bob')),
  api('v1/notifications/requests', none, to('filterer')),
  api('v1/notifications/requests/:id', idOf('filtered'), to('filterer')),
  api('v1/notifications/:id', idOf('notification'), to('bob')),
  api('v2/notifications', none, to('bob')),
  api('v2/notifications/:group_key', idOf('group'), to('bob')),
  api('v2/notifications/:group_key/accounts', idOf('group'), to('bob')),
];

const page = (route: string, path: Path, options: Options = {}): Surface =>
  surface(route, path, { viewers: ['anonymous'], accept: 'text/html', local: true, needle: () => /heron/, ...options });

const pageSurfaces: readonly Surface[] = [
  surface('/api/oembed', ({ ids }) => `/api/oembed?url=https://fieldfare.test/@alice/${ids['heron']}`, {
    viewers: ['anonymous'],
    needle: undefined,
    local: true,
  }),
  page('/@:username', '/@alice'),
  page('/@:username/with_replies', '/@alice/with_replies'),
  page('/@:username/media', '/@alice/media', { needle: undefined }),
  page('/@:username/tagged/:tag', '/@alice/tagged/birds'),
  page('/@:username/collections', '/@alice/collections', { needle: () => /Mine/ }),
  page('/@:username/:id', ({ ids }) => `/@alice/${ids['heron']}`),
  page('/@:username/:id/embed', ({ ids }) => `/@alice/${ids['heron']}/embed`),
  page('/collections/:id', ({ ids }) => `/collections/${ids['owned']}`, { needle: () => /Mine/ }),
  page('/@:username.rss', '/@alice.rss'),
  page('/@:username/with_replies.rss', '/@alice/with_replies.rss'),
  page('/@:username/media.rss', '/@alice/media.rss', { needle: undefined }),
  page('/@:username/tagged/:tag.rss', '/@alice/tagged/birds.rss'),
  page('/', '/', { reach: 'none', needle: () => /which\?/ }),
  page('/tags/:name', '/tags/birds', { reach: 'none' }),
  page('/tags/:name.rss', '/tags/birds.rss', { reach: 'none' }),
];

const document = (route: string, path: Path): Surface =>
  surface(route, path, {
    viewers: ['anonymous'],
    accept: 'application/activity+json',
    needle: undefined,
    local: true,
  });
const noteDocument = (part: string): Surface =>
  document(`/users/:username/statuses/:id${part}`, ({ ids }) => `/users/alice/statuses/${ids['heron']}${part}`);
const actorPart = (part: string): Surface => document(`/users/:username/${part}`, `/users/alice/${part}`);

const actorDocument = (route: string, path: Path): Surface =>
  surface(route, path, {
    viewers: ['anonymous'],
    accept: 'application/activity+json',
    needle: herProfile,
    local: true,
  });

const documentSurfaces: readonly Surface[] = [
  actorDocument('/users/:username', '/users/alice'),
  actorDocument('/users/:username/main-key', '/users/alice/main-key'),
  actorDocument('/users/:username.json', '/users/alice.json'),
  actorDocument('/@:username.json', '/@alice.json'),
  document('/@:username/:id.json', ({ ids }) => `/@alice/${ids['heron']}.json`),
  ...['', '.json', '/activity', '/replies', '/likes', '/shares'].map(noteDocument),
  ...['outbox', 'followers', 'following', 'collections/featured', 'collections/tags'].map(actorPart),
  document('/ap/users/:id/featured_collections', ({ alice }) => `/ap/users/${alice.id}/featured_collections`),
  document(
    '/ap/users/:id/collections/:collection_id',
    ({ alice, ids }) => `/ap/users/${alice.id}/collections/${ids['owned']}`,
  ),
];

/** Alice herself, who cannot sign in while she is disabled or suspended, and staff. */
const ownSurfaces: readonly Surface[] = [
  api('v1/accounts/:id', her, { ...to('self'), local: true, needle: herProfile }),
  api('v1/accounts/:id/statuses', her, { ...to('self'), local: true }),
  api('v1/statuses/:id', heron, { ...to('self'), local: true }),
  api('v1/timelines/public', none, { ...to('self'), local: true, reach: 'none', needle: () => /which\?/ }),
  api('v1/timelines/home', none, { ...to('self'), local: true }),
  api('v1/admin/accounts/:id', her, { ...to('staff'), reach: 'staff' }),
  api('v2/admin/accounts', () => ['?username=alice'], { ...to('staff'), reach: 'staff' }),
];

/** A file of the photo of alice. */
const file = (route: string, path: (ids: Scene['ids']) => string | undefined, options: Options = {}): Surface =>
  surface(route, ({ ids }) => path(ids) ?? '', {
    viewers: ['anonymous'],
    needle: undefined,
    accept: '*/*',
    ...options,
  });

const fileSurfaces: readonly Surface[] = [
  file('/media/*', ({ file: path }) => path, { local: true }),
  file('/media/:id', ({ photo }) => `/media/${photo}`, { local: true, redirects: true }),
  file('/media_proxy/:id/:version', ({ file: path }) => path?.replace(/\/[\w-]+\?/, '?'), { local: false }),
  file('/media_proxy/:id/:version/:grant', ({ file: path }) => path, { local: false }),
  file('/media_proxy/:id/:version/:grant', ({ granted }) => granted, { ...to('bob'), local: false }),
];

export const surfaces: readonly Surface[] = [
  ...accountSurfaces,
  ...statusSurfaces,
  ...pageSurfaces,
  ...documentSurfaces,
  ...ownSurfaces,
  ...fileSurfaces,
];
