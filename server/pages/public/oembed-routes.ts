import { type Static, Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { entity } from '../../platform/http/entity.ts';
import { escapeHtml, html, type Html } from '../../platform/http/html.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import type { Translator } from '../../platform/i18n/translator.ts';
import type { StatusId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { parseStatusAddress } from '../../federation/index.ts';
import { presentStatus, requireVisibleStatus } from '../../statuses/read/index.ts';
import type { Status } from '../../statuses/index.ts';
import { displayNameOf } from '../render/display-name.ts';
import { loadSharedTexts } from '../render/shared-texts.ts';
import { statusCard } from '../render/status-card.ts';
import { embedCacheControl, embedDocument, embedHeaders } from './embed-document.ts';

/** A post embedded in another site (oEmbed 1.0, rich). */
export const Oembed = entity('OEmbed', {
  type: Type.Literal('rich'),
  version: Type.Literal('1.0'),
  /** Of remote posts. */
  title: Type.Optional(Type.String()),
  author_name: Type.String(),
  author_url: Type.String(),
  provider_name: Type.String(),
  provider_url: Type.String(),
  /** Seconds. */
  cache_age: Type.Integer(),
  html: Type.String(),
  width: Type.Integer(),
  height: Type.Union([Type.Integer(), Type.Null()]),
});

export type Oembed = Static<typeof Oembed>;

export const defaultWidthPx = 400;
const minSidePx = 100;
const maxSidePx = 4_000;

export const oembedRoutes: readonly Route[] = [
  get('/api/oembed', {
    summary: 'Get HTML to embed a public local post in another site',
    access: 'anyone',
    openInLimitedFederation: true,
    input: Type.Object({
      url: Type.String({ description: 'URL of the post' }),
      maxwidth: Type.Optional(Type.Integer()),
      maxheight: Type.Optional(Type.Integer()),
    }),
    response: Oembed,
    async handle({ app, input }) {
      const status = await loadStatusByUrl(app, input.url);
      return new HttpResponse({
        json: await presentOembed(app, status, input),
        headers: { 'cache-control': embedCacheControl },
      });
    },
  }),

  get('/@:username/:id/embed', {
    summary: 'Show a post for an iframe in another site',
    access: 'page',
    readsReplica: 'always',
    undocumented: true,
    params: Type.Object({ username: Type.String(), id: idSchema<'status'>() }),
    response: Type.Any(),
    async handle({ app, params }) {
      const status = await loadEmbeddableStatus(app, params.id);
      if (status.account.username.toLowerCase() !== params.username.toLowerCase()) throw notFound('http.notFound');
      return new HttpResponse({
        headers: embedHeaders(app),
        text: renderEmbed(await loadSharedTexts(app), status).text,
      });
    },
  }),
];

/** Returns the oEmbed URL of the post with this URL. */
export const oembedUrl = ({ config }: App, url: string): string =>
  `${config.baseUrl}/api/oembed?url=${encodeURIComponent(url)}`;

/**
 * Returns the local public status with this URL: of its page, its frame, or its ActivityPub id. Throws 404 for every other,
 * and for the page of another author.
 */
async function loadStatusByUrl(app: App, url: string): Promise<Status> {
  const address = parseStatusAddress(app, url);
  if (address?.local !== true) throw notFound();
  const status = await loadEmbeddableStatus(app, address.id);
  const { username = status.account.username } = address;
  if (status.account.username.toLowerCase() !== username.toLowerCase()) throw notFound();
  return status;
}

/** Returns a local public status. Throws 404 for every other. */
export async function loadEmbeddableStatus(app: App, id: StatusId): Promise<Status> {
  const { local, reblogOfId } = await requireVisibleStatus(app, undefined, id);
  // Limited federation hides everything from anonymous visitors.
  if (!local || reblogOfId !== null || app.config.LIMITED_FEDERATION) throw notFound();
  return (await presentStatus(app, undefined, id)).parse();
}

/** Returns the oEmbed document of an embeddable status. */
export async function presentOembed(
  app: App,
  { account, url, uri }: Status,
  { maxwidth, maxheight }: { maxwidth?: number; maxheight?: number } = {},
): Promise<Oembed> {
  const t = await loadSharedTexts(app);
  const width = clampSide(maxwidth) ?? defaultWidthPx;
  const height = clampSide(maxheight) ?? null;
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox allow-same-origin';
  const address = escapeHtml(`${url ?? uri}/embed`);
  const size = `width="${width}" height="${height ?? defaultHeightPx}" style="max-width: 100%; border: 0"`;
  const frame = `<iframe src="${address}" title="${escapeHtml(t('pages.postBy', { name: displayNameOf(account) }))}" ${size} sandbox="${sandbox}" loading="lazy"></iframe>`;
  return {
    type: 'rich',
    version: '1.0',
    author_name: displayNameOf(account),
    author_url: account.url,
    provider_name: app.config.domain,
    provider_url: `${app.config.baseUrl}/`,
    cache_age: 86_400,
    html: frame,
    width,
    height,
  };
}

/** Used if the site sets no maximum. */
const defaultHeightPx = 400;

const clampSide = (pixels: number | undefined): number | undefined =>
  pixels === undefined || pixels < 1 ? undefined : Math.min(Math.max(pixels, minSidePx), maxSidePx);

const renderEmbed = (t: Translator, status: Status): Html =>
  embedDocument(
    t,
    t('pages.postBy', { name: displayNameOf(status.account) }),
    html`<main class="wide">${statusCard(t, status)}</main>`,
  );
