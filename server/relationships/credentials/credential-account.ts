import { sql } from 'kysely';
import { accountChanged, accountCountersChanged } from '../../accounts/index.ts';
import { loadCachedAccounts, toAccountTemplate, type AccountContext } from '../../accounts/present/index.ts';
import { findAccount, type AccountRow } from '../../accounts/find/index.ts';
import { loadFeatureApprovals } from '../read/present-accounts-for.ts';
import { emojisChanged } from '../../emojis/index.ts';
import { mediaViewerOf } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { LoadingCache } from '../../platform/caching/cache.ts';
import { evict, evictAll } from '../../platform/caching/cache-reactions.ts';
import { preparedQuery } from '../../platform/database/prepared-query.ts';
import { asciiJson, flattenString, JsonText } from '../../platform/http/http-response.ts';
import type { JsonTemplate } from '../../platform/http/json-template.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import type { AccountId, RoleId } from '../../platform/ids.ts';
import { siteSettingsChanged } from '../../site/index.ts';
import { presentRole } from '../../users/access/index.ts';
import { roleChanged, userAccessChanged } from '../../users/index.ts';
import { loadUserSettings, userSettingsChanged } from '../../users/settings/index.ts';
import { relationsChanged } from '../events.ts';
import type { CredentialAccount } from './schema.ts';

type CredentialAccountText = JsonText<CredentialAccount>;

/** Pending requests are counted up to this many (reference/limits.tsv). */
const maxCountedRequests = 40;

export const credentialCache = new LoadingCache<AccountId, CredentialAccountText>({
  name: 'relationships.credential_accounts',
  maxSize: 5_000,
  ttlMs: 60_000,
  load: buildCredentialAccount,
  evictOn: [
    evict(accountChanged, ({ accountId }) => [accountId]),
    evict(accountCountersChanged, ({ id }) => [id]),
    evict(relationsChanged, ({ accountId }) => [accountId]),
    evict(userSettingsChanged, ({ accountId }) => [accountId]),
    evict(userAccessChanged, ({ accountId }) => [accountId]),
    evictAll(emojisChanged, siteSettingsChanged, roleChanged),
  ],
});

/** Presents a local account to its user. Cached as JSON, because every client requests it often. */
export const presentCredentialAccount = (app: App, accountId: AccountId): Promise<CredentialAccountText> =>
  credentialCache.get(app, accountId);

async function buildCredentialAccount(app: App, accountId: AccountId): Promise<CredentialAccountText> {
  const [bodies, row, settings, facts] = await Promise.all([
    loadCachedAccounts(app, [accountId]),
    findAccount(app, accountId),
    loadUserSettings(app, accountId),
    loadUserRow(app, { accountId }),
  ]);
  const body = bodies.get(accountId);
  const [user] = facts;
  if (body === undefined || row === undefined || user === undefined) throw notFound();
  const role = await presentRole(app, user.role_id);
  const source = {
    ...toSource(row),
    privacy: settings.default_privacy,
    sensitive: settings.default_sensitive,
    local_only: settings.default_local_only,
    language: settings.default_language,
    quote_policy: settings.default_quote_policy,
    status_content_type: settings.default_content_type,
    follow_requests_count: user.requests,
  };
  const approvals = await loadFeatureApprovals(app, { accountId }, [body]);
  const template: JsonTemplate<AccountContext> = toAccountTemplate(
    body,
    `,"source":${asciiJson(source)},"role":${asciiJson(role)}`,
  );
  const fragments: string[] = [];
  template.renderInto(fragments, { ...mediaViewerOf({ accountId }), featureApproval: approvals.get(accountId) });
  return new JsonText(flattenString(fragments.join('')));
}

function toSource(row: AccountRow) {
  return {
    note: row.note,
    fields: row.fields,
    attribution_domains: row.attribution_domains,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
  };
}

const loadUserRow = preparedQuery<{ role_id: RoleId; requests: number }>()(
  (db, { accountId }: { accountId: AccountId }) =>
    db
      .selectFrom('users')
      .select([
        'role_id',
        sql<number>`(select count(*)::int from (
          select from follow_requests join accounts on accounts.id = follow_requests.account_id
          where target_account_id = users.account_id and suspended_at is null and deleted_at is null limit ${sql.lit(maxCountedRequests)}
        ) as waiting)`.as('requests'),
      ])
      .where('account_id', '=', accountId),
);
