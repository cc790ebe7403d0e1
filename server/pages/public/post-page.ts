import type { CachedAccount } from '../../accounts/present/index.ts';
import type { App } from '../../platform/app.ts';
import type { HttpResponse } from '../../platform/http/http-response.ts';
import { html, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { siteSettings } from '../../site/index.ts';
import { presentStatus, requireVisibleStatus } from '../../statuses/read/index.ts';
import type { Status } from '../../statuses/index.ts';
import { isPlayable } from './media-routes.ts';
import { remoteLinkPage } from './remote-link-page.ts';
import { renderPage } from '../render/layout.ts';
import { displayNameOf } from '../render/display-name.ts';
import { oembedUrl } from './oembed-routes.ts';
import { openGraph } from './open-graph.ts';
import { loadThread } from './public-posts.ts';
import { statusCard } from '../render/status-card.ts';
import type { Visitor } from '../visitor.ts';

/** Renders a post with its thread. Throws 404 if it is not by `author` or not public. */
export async function postPage(visitor: Visitor, author: CachedAccount, id: StatusId): Promise<HttpResponse> {
  const { app, t } = visitor;
  const found = await requireVisibleStatus(app, undefined, id);
  if (found.accountId !== author.id) throw notFound('http.notFound');
  const [presented, { above, below }, { title: site }] = await Promise.all([
    presentStatus(app, undefined, id),
    loadThread(app, id),
    siteSettings(app),
  ]);
  const status = presented.parse();
  if (status.reblog !== null) return remoteLinkPage(visitor, status.reblog.url ?? status.reblog.uri);
  const { account, spoiler_text: spoiler, url } = status;
  // It has no document for other servers, and search engines know the original.
  const isImport = status.imported_from !== undefined;
  const title = t('pages.postBy', { name: displayNameOf(account) });
  const picture = status.sensitive ? undefined : status.media_attachments.find(({ type }) => type === 'image');
  const description = spoiler === '' ? status.content : html`${spoiler}`.text;
  const image = picture?.preview_url ?? picture?.url ?? account.avatar;
  return renderPage(visitor, {
    title,
    wide: true,
    takesCustomCss: true,
    isIndexable: account.indexable && status.visibility === 'public' && !isImport,
    head: html`${openGraph({ type: 'article', title, description, url: url ?? status.uri, image, site })}
    ${playerPreview(app, status)}
    ${
      !isImport &&
      html`<link rel="alternate" type="application/activity+json" href="${status.uri}" />
        <link rel="alternate" type="application/json+oembed" href="${oembedUrl(app, url ?? status.uri)}" />`
    }`,
    body: html`<h1 class="offscreen">${title}</h1>
      ${
        above.length > 0 &&
        html`<h2>${t('pages.inReplyTo')}</h2>
          ${above.map((ancestor) => statusCard(t, ancestor, 3))}`
      }
      ${above.length > 0 && html`<h2 id="post">${t('pages.thisPost')}</h2>`} ${statusCard(t, status)}
      ${
        below.length > 0 &&
        html`<h2>${t('thread.replies')}</h2>
          ${below.map((reply) => statusCard(t, reply, 3))}`
      }`,
  });
}

/** Renders the elements by which other sites embed the player of a post with a video or audio file. */
function playerPreview({ config }: App, { sensitive, media_attachments: media }: Status): Html | undefined {
  const playable = sensitive ? undefined : media.find(isPlayable);
  if (playable === undefined) return undefined;
  const { width = 400, height = 300 } = playable.meta?.original ?? {};
  return html`<meta property="twitter:card" content="player" />
    <meta property="twitter:player" content="${config.baseUrl}/media/${playable.id}/player" />
    <meta property="twitter:player:width" content="${width}" />
    <meta property="twitter:player:height" content="${height}" />`;
}
