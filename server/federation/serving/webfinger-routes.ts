import { Type } from 'typebox';
import { accountBodies, actorUrls, instanceActorId, type Account, type AccountRow } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import { Answer } from '../../platform/http/answers.ts';
import { Problem } from '../../platform/http/problems.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { hostOf } from '../documents/values.ts';
import { localProfileName, localUsername } from '../local-addresses.ts';
import { requireLocalActor } from './local-actor.ts';

const threeDays = 'public, max-age=259200';
const threeMinutes = 'public, max-age=180';

const webfinger = get('/.well-known/webfinger', {
  summary: 'Find an actor by handle or address',
  access: 'anyone',
  input: Type.Object({ resource: Type.Optional(Type.String({ maxLength: 2048 })) }),
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  async handle({ app, input }) {
    const name = input.resource === undefined ? undefined : readResource(app, input.resource);
    if (name === undefined) return new Answer({ status: 400, text: '', headers: { 'cache-control': threeMinutes } });
    try {
      const account = await requireLocalActor(app, name.username);
      if (!name.ours) throw new Problem(404, 'Record not found');
      const body = JSON.stringify(await descriptor(app, account));
      return new Answer({
        text: body,
        headers: { 'content-type': 'application/jrd+json; charset=utf-8', 'cache-control': threeDays },
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return new Answer({ status: error.status, text: '', headers: { 'cache-control': threeMinutes } });
    }
  },
});

/** The local name that a resource stands for: `acct:name@domain`, the address of a profile, the id of an actor. */
function readResource(app: App, resource: string): { username: string; ours: boolean } | undefined {
  const { domain, webDomain } = app.config;
  if (/^https?:\/\//i.test(resource)) {
    if (hostOf(resource) === undefined) return undefined;
    const username = localUsername(app, resource) ?? localProfileName(app, resource);
    return username === undefined ? { username: '', ours: false } : { username, ours: true };
  }
  const match = /^(?:acct:)?@?([^@\s/]+)@([^@\s/]+)$/i.exec(resource);
  if (match === null) return undefined;
  const [, username = '', host = ''] = match;
  return { username, ours: [domain, webDomain].includes(host.toLowerCase()) };
}

async function descriptor(app: App, account: AccountRow) {
  const { uri, url } = actorUrls(app, account.username);
  const { baseUrl, domain } = app.config;
  const body = (await accountBodies(app, [account.id])).get(account.id);
  const avatar =
    body === undefined || account.avatar_key === null ? undefined : (JSON.parse(body.json) as Account).avatar;
  return {
    subject: `acct:${account.username}@${domain}`,
    aliases: account.id === instanceActorId ? [uri] : [url, uri],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: url },
      { rel: 'self', type: 'application/activity+json', href: uri },
      { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${baseUrl}/authorize_interaction?uri={uri}` },
      ...(avatar === undefined
        ? []
        : [{ rel: 'http://webfinger.net/rel/avatar', href: avatar, type: imageType(avatar) }]),
    ],
  };
}

function imageType(url: string): string {
  const extension = url.split('.').at(-1)?.toLowerCase() ?? '';
  return `image/${extension === 'jpg' ? 'jpeg' : extension}`;
}

const hostMeta = get('/.well-known/host-meta', {
  summary: 'Where WebFinger is answered',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  handle({ app, request }) {
    return /\bjson\b/.test(String(request.headers['accept'] ?? '')) ? hostMetaJson(app) : hostMetaXml(app);
  },
});

const hostMetaAsJson = get('/.well-known/host-meta.json', {
  summary: 'Where WebFinger is answered, as JSON',
  access: 'anyone',
  response: Type.Unknown(),
  rateLimit: 'none',
  undocumented: true,
  handle: ({ app }) => hostMetaJson(app),
});

const template = (app: App): string => `${app.config.baseUrl}/.well-known/webfinger?resource={uri}`;

function hostMetaJson(app: App): Answer {
  return new Answer({
    text: JSON.stringify({ links: [{ rel: 'lrdd', template: template(app) }] }),
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': threeDays, vary: 'Accept' },
  });
}

function hostMetaXml(app: App): Answer {
  return new Answer({
    text: `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${template(app)}"/>
</XRD>
`,
    headers: { 'content-type': 'application/xrd+xml; charset=utf-8', 'cache-control': threeDays, vary: 'Accept' },
  });
}

export const webfingerRoutes: readonly Route[] = [webfinger, hostMeta, hostMetaAsJson];
