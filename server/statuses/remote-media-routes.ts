import { Type } from 'typebox';
import { accountBodies } from '../accounts/index.ts';
import { answerRemote, findRemoteAttachment, readGrant, type RemoteAttachment } from '../media/index.ts';
import type { App } from '../platform/app.ts';
import { prepared } from '../platform/database/prepared.ts';
import { countAddress } from '../platform/http/limits.ts';
import { notFound } from '../platform/http/problems.ts';
import { get, type Route } from '../platform/http/routes.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import { domainPolicy } from '../site/index.ts';
import { requireVisibleStatus } from './keep-visible.ts';
import type { StatusBody } from './status-bodies.ts';
import { isForEverybody } from './visibility.ts';

const attachment = {
  id: idSchema<'media'>(),
  version: Type.Union([Type.Literal('original'), Type.Literal('small')]),
};
const common = {
  access: 'page',
  // The handlers count what may have been guessed. Addresses that were handed out are not limited: a page of posts has
  // dozens of files.
  rateLimit: 'none',
  undocumented: true,
  input: Type.Object({ fetch: Type.Optional(Type.String()) }),
  response: Type.Any(),
} as const;

/** Addresses of earlier versions of the software, and guessed ones: they show what everybody may see. */
const byId = get('/media_proxy/:id/:version', {
  ...common,
  summary: 'A file of a public remote post, by its number',
  params: Type.Object(attachment),
  handle: async ({ app, params, input: { fetch }, request }) => {
    const file = await findRemoteAttachment(app, params);
    const mayFetch = file?.isFetchToken(fetch) === true;
    if (!mayFetch) await countAddress(app, 'media-proxy', request.ip);
    if (file === undefined) throw notFound();
    // In limited federation mode visitors see nothing that they were not given an address of.
    if (app.config.LIMITED_FEDERATION && !mayFetch) throw notFound();
    await requireShown(app, undefined, file);
    return answerRemote(app, { url: file.url, mayFetch, isPublic: true }, request);
  },
});

const byGrant = get('/media_proxy/:id/:version/:grant', {
  ...common,
  summary: 'A file of a remote post, by an address that this instance handed out',
  params: Type.Object({ ...attachment, grant: Type.String() }),
  handle: async ({ app, params, input: { fetch }, request }) => {
    const grant = await readGrant(app, params.id, params.grant);
    if (grant === undefined) await countAddress(app, 'media-proxy', request.ip);
    const file = grant && (await findRemoteAttachment(app, params));
    if (grant === undefined || file === undefined) throw notFound();
    if (grant === 'everybody') {
      await requireShown(app, undefined, file);
      return answerRemote(app, { url: file.url, mayFetch: file.isFetchToken(fetch), isPublic: true }, request);
    }
    await requireUsable(app, grant.viewerId);
    const { visibility } = await requireShown(app, grant.viewerId, file);
    return answerRemote(app, { url: file.url, mayFetch: true, isPublic: isForEverybody(visibility) }, request);
  },
});

export const remoteMediaRoutes: Route[] = [byId, byGrant];

/**
 * The status of an attachment. Throws 404 if the viewer (undefined: a visitor) may not see it, and if staff reject the
 * media of its server.
 */
async function requireShown(
  app: App,
  viewerId: AccountId | undefined,
  { statusId }: RemoteAttachment,
): Promise<StatusBody> {
  const status = await requireVisibleStatus(app, viewerId, statusId);
  const [authors, policy] = await Promise.all([accountBodies(app, [status.accountId]), domainPolicy(app)]);
  const domain = authors.get(status.accountId)?.domain ?? null;
  if (domain !== null && policy.ruleFor(domain).rejectMedia) throw notFound();
  return status;
}

const usableViewers = prepared<{ id: AccountId }>()((db, { id }: { id: AccountId }) =>
  db
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.id', '=', id)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where('users.disabled', '=', false),
);

/** Throws 404 if the viewer can no longer use the instance. */
async function requireUsable(app: App, id: AccountId): Promise<void> {
  if ((await usableViewers(app, { id })).length === 0) throw notFound();
}
