import { Type } from 'typebox';
import { fetchEmbed, type Embed } from '../../cards/embed/index.ts';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { notFound, remoteUnavailable } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { presentStatus, requireVisibleStatus } from '../../statuses/read/index.ts';
import type { Status } from '../../statuses/index.ts';
import { loadVisitor } from '../visitor.ts';
import { defaultWidthPx, loadEmbeddableStatus, Oembed, presentOembed } from './oembed-routes.ts';

const hourMs = 3_600_000;

export const webEmbedRoutes: readonly Route[] = [
  get('/api/web/embeds/:id', {
    summary: 'Get HTML to embed a post in another site, for local web clients',
    access: 'page',
    // A remote post causes requests to its server.
    rateLimit: 'media-proxy',
    params: Type.Object({ id: idSchema<'status'>() }),
    response: Oembed,
    async handle({ app, request, params: { id } }) {
      const { activeSession } = await loadVisitor(app, request);
      const { local, visibility } = await requireVisibleStatus(app, activeSession?.accountId, id);
      if (visibility !== 'public' && visibility !== 'unlisted') throw notFound();
      if (local) return presentOembed(app, await loadEmbeddableStatus(app, id));
      if (activeSession === undefined) throw notFound();
      const status = (await presentStatus(app, activeSession, id)).parse();
      if (status.reblog !== null) throw notFound();
      return loadRemoteOembed(app, status);
    },
  }),
];

/** What the servers of remote posts offer, by URL. `embed` is undefined if they offer nothing. */
export const embedCache = new LoadingCache<string, { readonly embed: Embed | undefined }>({
  name: 'pages.remote_embeds',
  maxSize: 500,
  ttlMs: hourMs,
  async load(app, url) {
    const embed = await fetchEmbed(app, url);
    if (embed === 'unanswered') throw remoteUnavailable();
    return { embed };
  },
});

/** Returns the oEmbed document of a remote post. Throws 404 if its server offers none, 503 if it does not respond. */
async function loadRemoteOembed(app: App, { account, url, uri }: Status): Promise<Oembed> {
  const { embed } = await embedCache.get(app, url ?? uri);
  if (embed === undefined) throw notFound();
  const domain = account.acct.split('@').at(-1) ?? '';
  return {
    type: 'rich',
    version: '1.0',
    title: embed.title,
    author_name: embed.author_name || account.display_name || account.username,
    author_url: embed.author_url || account.url,
    provider_name: embed.provider_name || domain,
    provider_url: embed.provider_url || `https://${domain}/`,
    cache_age: hourMs / 1000,
    html: embed.html,
    width: embed.width > 0 ? embed.width : defaultWidthPx,
    height: embed.height > 0 ? embed.height : null,
  };
}
