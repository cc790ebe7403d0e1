import { Type } from 'typebox';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { redirect } from '../../platform/http/http-response.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { requireVisibleStatus } from '../../statuses/read/index.ts';
import { loadVisitor } from '../visitor.ts';

const options = { access: 'page', undocumented: true, response: Type.Any() } as const;
const anyPath = Type.Object({ '*': Type.String() });

/** Paths of Mastodon's client that are named otherwise here. */
const renamed: Readonly<Record<string, string>> = {
  'getting-started': 'home',
  'keyboard-shortcuts': 'home',
  start: 'home',
  'timelines/home': 'home',
  'timelines/public': 'public',
  'timelines/public/local': 'public/local',
  'timelines/direct': 'conversations',
  notifications_v2: 'notifications',
};

/**
 * Returns the path of the client for a path below `/web` or `/deck`, where Mastodon has or had its client. It never leads to
 * another host, whatever the path begins with.
 */
export function clientPathOf(path: string): string {
  const plain = path.replace(/^[/\\\s]+/, '');
  const [, tag] = /^timelines\/tag\/([^/]+)$/.exec(plain) ?? [];
  return `/${tag === undefined ? (renamed[plain] ?? encodeURI(plain)) : `tags/${encodeURIComponent(tag)}`}`;
}

/** Redirects from addresses of Mastodon's client, for bookmarks of users whose server moved. */
export const earlierAddressRoutes: readonly Route[] = [
  get('/deck/*', {
    summary: 'Redirect from a column of another web client',
    ...options,
    params: anyPath,
    handle: ({ params }) => redirect(clientPathOf(params['*'])),
  }),

  get('/getting-started', {
    summary: 'Redirect from the start page of another web client',
    ...options,
    handle: () => redirect('/home'),
  }),

  get('/statuses/:id', {
    summary: 'Redirect to the page of a post by its id',
    ...options,
    params: Type.Object({ id: idSchema<'status'>() }),
    async handle({ app, request, params: { id } }) {
      const { activeSession } = await loadVisitor(app, request);
      if (activeSession === undefined && app.config.LIMITED_FEDERATION) throw notFound();
      const { accountId } = await requireVisibleStatus(app, activeSession?.accountId, id);
      const author = (await loadCachedAccounts(app, [accountId])).get(accountId);
      if (author === undefined) throw notFound();
      return redirect(`/@${author.acct}/${id}`);
    },
  }),

  get('/accounts/:id', {
    summary: 'Redirect to the page of a profile by its id',
    ...options,
    params: Type.Object({ id: idSchema<'account'>() }),
    async handle({ app, request, params: { id } }) {
      const { activeSession } = await loadVisitor(app, request);
      const account = (await loadCachedAccounts(app, [id])).get(id);
      if (account === undefined || (activeSession === undefined && app.config.LIMITED_FEDERATION)) throw notFound();
      return redirect(`/@${account.acct}`);
    },
  }),
];
