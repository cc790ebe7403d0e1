import Negotiator from 'negotiator';
import { Type } from 'typebox';
import { loadCachedAccounts, parseAccount } from '../../accounts/present/index.ts';
import { profileUrl, instanceActorId } from '../../accounts/index.ts';
import type { AccountRow } from '../../accounts/find/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import { HttpError, notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { hostOf } from '../documents/values.ts';
import { parseAccountAddress } from '../local-addresses.ts';
import { requireLocalActor } from './local-actor.ts';
import { forReaders } from './for-servers.ts';
import { findLocalUsername } from './numeric-paths.ts';

const cacheThreeDays = 'public, max-age=259200';
const cacheThreeMinutes = 'public, max-age=180';

const webfinger = get('/.well-known/webfinger', {
  summary: 'Find an actor by handle or URL',
  ...forReaders,
  input: Type.Object({ resource: Type.Optional(Type.String()) }),
  async handle({ app, input }) {
    const name = input.resource === undefined ? undefined : await findName(app, input.resource);
    if (name === undefined)
      return new HttpResponse({ status: 400, text: '', headers: { 'cache-control': cacheThreeMinutes } });
    try {
      if (!name.isLocal) throw notFound();
      const account = await requireLocalActor(app, name.username);
      const body = JSON.stringify(await buildJrd(app, account));
      return new HttpResponse({
        text: body,
        headers: { 'content-type': 'application/jrd+json; charset=utf-8', 'cache-control': cacheThreeDays },
      });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return new HttpResponse({ status: error.status, text: '', headers: { 'cache-control': cacheThreeMinutes } });
    }
  },
});

/** Returns the local username of a resource: `acct:name@domain`, the URL of a profile, or the id of an actor. */
async function findName(app: App, resource: string): Promise<{ username: string; isLocal: boolean } | undefined> {
  const { domain, webDomain } = app.config;
  if (/^https?:\/\//i.test(resource)) {
    if (hostOf(resource) === undefined) return undefined;
    const address = parseAccountAddress(app, resource);
    if (address === undefined) return { username: '', isLocal: false };
    if ('id' in address) return { username: await findLocalUsername(app, address.id), isLocal: true };
    return { username: address.username, isLocal: address.domain === null };
  }
  const match = /^(?:acct:)?@?([^@\s/]+)@([^@\s/]+)$/i.exec(resource);
  if (match === null) return undefined;
  const [, username = '', host = ''] = match;
  return { username, isLocal: [domain, webDomain].includes(host.toLowerCase()) };
}

async function buildJrd(app: App, account: AccountRow) {
  const { uri } = account;
  const url = profileUrl(app, account.username);
  const { baseUrl, domain } = app.config;
  const body = (await loadCachedAccounts(app, [account.id])).get(account.id);
  const isShown = body !== undefined && account.avatar_key !== null && !app.config.LIMITED_FEDERATION;
  const avatar = isShown ? parseAccount(body).avatar : undefined;
  return {
    subject: `acct:${account.username}@${domain}`,
    aliases: account.id === instanceActorId ? [uri] : [url, uri],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: url },
      { rel: 'self', type: 'application/activity+json', href: uri },
      { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${baseUrl}/authorize_interaction?uri={uri}` },
      ...(account.id === instanceActorId ? [] : activityIntents(baseUrl)),
      ...(avatar === undefined
        ? []
        : [{ rel: 'http://webfinger.net/rel/avatar', href: avatar, type: imageType(avatar) }]),
    ],
  };
}

/** The pages where a user creates something or interacts with an object of another server (FEP-3b86). */
function activityIntents(baseUrl: string): { rel: string; template: string }[] {
  const interaction = `${baseUrl}/authorize_interaction?uri={object}`;
  const templates = {
    Create: `${baseUrl}/share?text={content}`,
    Object: interaction,
    Follow: `${interaction}&action=follow`,
    Like: `${interaction}&action=favourite`,
    Announce: `${interaction}&action=reblog`,
  };
  return Object.entries(templates).map(([type, template]) => ({ rel: `https://w3id.org/fep/3b86/${type}`, template }));
}

function imageType(url: string): string {
  const extension = url.split('.').at(-1)?.toLowerCase() ?? '';
  return `image/${extension === 'jpg' ? 'jpeg' : extension}`;
}

/** What host-meta is available as; XRD if a request accepts all equally. */
const hostMetaTypes = [
  'application/xrd+xml',
  'application/xml',
  'text/xml',
  'application/json',
  'application/jrd+json',
];

const hostMeta = get('/.well-known/host-meta', {
  summary: 'Get the URL template of WebFinger',
  ...forReaders,
  handle({ app, request }) {
    const type = new Negotiator(request).mediaType(hostMetaTypes);
    return type?.endsWith('json') === true ? hostMetaJson(app) : hostMetaXml(app);
  },
});

const hostMetaAsJson = get('/.well-known/host-meta.json', {
  summary: 'Get the URL template of WebFinger as JSON',
  ...forReaders,
  handle: ({ app }) => hostMetaJson(app),
});

const webfingerTemplate = (app: App): string => `${app.config.baseUrl}/.well-known/webfinger?resource={uri}`;

function hostMetaJson(app: App): HttpResponse {
  return new HttpResponse({
    text: JSON.stringify({ links: [{ rel: 'lrdd', template: webfingerTemplate(app) }] }),
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheThreeDays, vary: 'Accept' },
  });
}

function hostMetaXml(app: App): HttpResponse {
  return new HttpResponse({
    text: `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${webfingerTemplate(app)}"/>
</XRD>
`,
    headers: { 'content-type': 'application/xrd+xml; charset=utf-8', 'cache-control': cacheThreeDays, vary: 'Accept' },
  });
}

export const webfingerRoutes: readonly Route[] = [webfinger, hostMeta, hostMetaAsJson];
