import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { redirect, type Answer } from '../../platform/http/answers.ts';
import { countAddress } from '../../platform/http/limits.ts';
import { notFound } from '../../platform/http/problems.ts';
import { get, type RequestFacts, type Route } from '../../platform/http/routes.ts';
import { idSchema, type MediaId } from '../../platform/ids.ts';
import { answerFile } from '../answer-file.ts';
import { isSame, readSignedAddress, type SignedAddress } from './addresses.ts';
import { cachedFiles, findRemote } from './fetch-remote.ts';

const common = { access: 'page', rateLimit: 'none', undocumented: true, response: Type.Any() } as const;
const input = Type.Object({ fetch: Type.Optional(Type.String()) });
/** Another file may take the place of the first at its address. */
const cacheControl = 'public, max-age=86400';

const attachment = get('/media_proxy/:id/:version', {
  ...common,
  summary: 'A file of a post from another server',
  params: Type.Object({
    id: idSchema<'media'>(),
    version: Type.Union([Type.Literal('original'), Type.Literal('small')]),
  }),
  input,
  handle: async ({ app, params, input: { fetch }, request }) => {
    const address = await findAddress(app, params, fetch);
    // An address from an answer to a signed-in user carries its permission; what has only an id may be guessed.
    if (address?.mayFetch !== true) await countAddress(app, 'media-proxy', request.ip);
    return answerRemote(app, address, request);
  },
});

const picture = get('/media_proxy/url/:shown/:encoded', {
  ...common,
  summary: 'An avatar or header of another server',
  params: Type.Object({ shown: Type.String(), encoded: Type.String() }),
  input,
  handle: async ({ app, params, input: { fetch }, request }) =>
    answerRemote(app, await readSignedAddress(app, { ...params, fetched: fetch }), request),
});

export const proxyRoutes: Route[] = [attachment, picture];

async function findAddress(
  { db }: App,
  { id, version }: { id: MediaId; version: 'original' | 'small' },
  fetch: string | undefined,
): Promise<SignedAddress | undefined> {
  const row = await db
    .selectFrom('media_attachments')
    .select(['remote_url', 'remote_preview_url', 'proxy_token'])
    .where('id', '=', id)
    .executeTakeFirst();
  const url = version === 'small' ? (row?.remote_preview_url ?? row?.remote_url) : row?.remote_url;
  if (row === undefined || url == null) return undefined;
  return { url, mayFetch: fetch !== undefined && isSame(fetch, row.proxy_token) };
}

/** The file if it is here or may be fetched; else the way to its own server. */
async function answerRemote(app: App, address: SignedAddress | undefined, request: RequestFacts): Promise<Answer> {
  if (address === undefined) throw notFound();
  const found = await findRemote(app, address.url, { mayFetch: address.mayFetch, signal: request.signal });
  if (found === 'refused') throw notFound();
  if (found === 'elsewhere') return redirect(address.url);
  return answerFile(cachedFiles(app), found.key, request, cacheControl);
}
