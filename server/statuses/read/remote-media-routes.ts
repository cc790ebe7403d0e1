import { Type } from 'typebox';
import { loadCachedAccounts } from '../../accounts/present/index.ts';
import { serveRemoteFile, findRemoteAttachment, verifyGrant, type RemoteAttachment } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { countAddressRequest } from '../../platform/http/rate-limits.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { domainPolicy } from '../../site/domains/index.ts';
import { requireVisibleStatus } from './filter-visible-statuses.ts';
import type { CachedStatus } from './cached-status.ts';
import { isPublicOrUnlisted } from '../visibility/visibility.ts';

const attachmentParams = {
  id: idSchema<'media'>(),
  version: Type.Union([Type.Literal('original'), Type.Literal('small')]),
};
const routeOptions = {
  access: 'page',
  // The handlers count addresses that may be guessed. Issued ones are not limited: a page of posts has dozens of files.
  rateLimit: 'none',
  undocumented: true,
  input: Type.Object({ fetch: Type.Optional(Type.String()) }),
  response: Type.Any(),
} as const;

/**
 * Addresses without a grant: those of earlier versions, and guessed ones. They serve files of public and unlisted
 * statuses.
 */
const routeById = get('/media_proxy/:id/:version', {
  ...routeOptions,
  summary: 'Get a file of a public remote post, by id',
  params: Type.Object(attachmentParams),
  handle: async ({ app, params, input: { fetch }, request }) => {
    const file = await findRemoteAttachment(app, params);
    const mayFetch = file?.isFetchToken(fetch) === true;
    if (!mayFetch) await countAddressRequest(app, 'media-proxy', request.ip);
    if (file === undefined) throw notFound();
    // In limited federation mode, files are served only by addresses that this instance issued.
    if (app.config.LIMITED_FEDERATION && !mayFetch) throw notFound();
    await requireVisibleAttachment(app, undefined, file);
    return serveRemoteFile(app, { url: file.url, canFetch: mayFetch, isPublic: true }, request);
  },
});

const routeByGrant = get('/media_proxy/:id/:version/:grant', {
  ...routeOptions,
  summary: 'Get a file of a remote post, by an address that this instance issued',
  params: Type.Object({ ...attachmentParams, grant: Type.String() }),
  handle: async ({ app, params, input: { fetch }, request }) => {
    const grant = await verifyGrant(app, params.id, params.grant);
    if (grant === undefined) await countAddressRequest(app, 'media-proxy', request.ip);
    const file = grant && (await findRemoteAttachment(app, params));
    if (grant === undefined || file === undefined) throw notFound();
    if (grant === 'everyone') {
      await requireVisibleAttachment(app, undefined, file);
      return serveRemoteFile(app, { url: file.url, canFetch: file.isFetchToken(fetch), isPublic: true }, request);
    }
    await requireActiveUser(app, grant.viewerId);
    const { visibility } = await requireVisibleAttachment(app, grant.viewerId, file);
    return serveRemoteFile(app, { url: file.url, canFetch: true, isPublic: isPublicOrUnlisted(visibility) }, request);
  },
});

export const remoteMediaRoutes: Route[] = [routeById, routeByGrant];

/**
 * Returns the status of an attachment. Throws 404 if the viewer (undefined: anonymous) may not see it, or if the media of
 * its domain are rejected.
 */
async function requireVisibleAttachment(
  app: App,
  viewerId: AccountId | undefined,
  { statusId }: RemoteAttachment,
): Promise<CachedStatus> {
  const status = await requireVisibleStatus(app, viewerId, statusId);
  const [authors, policy] = await Promise.all([loadCachedAccounts(app, [status.accountId]), domainPolicy(app)]);
  const domain = authors.get(status.accountId)?.domain ?? null;
  if (domain !== null && policy.ruleFor(domain).rejectMedia) throw notFound();
  return status;
}

const activeUserRows = preparedQuery<{ id: AccountId }>()((db, { id }: { id: AccountId }) =>
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
async function requireActiveUser(app: App, id: AccountId): Promise<void> {
  if ((await activeUserRows(app, { id })).length === 0) throw notFound();
}
