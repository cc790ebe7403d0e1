import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { App } from '../platform/app.ts';
import { notFound } from '../platform/http/http-errors.ts';
import type { AccountId, ApplicationId, TokenId } from '../platform/ids.ts';
import type { Webhook, WebhookEvent } from './schema.ts';
import type { WebhookId, WebhookTables } from './tables.ts';

/** The columns that `presentWebhook` needs. */
export const shownColumns = [
  'id',
  'url',
  'events',
  'disabled_reason',
  'failing_since',
  'last_delivered_at',
  'dropped_events',
  'created_at',
  'updated_at',
] as const;
export type ShownWebhook = Pick<Selectable<WebhookTables['webhooks']>, (typeof shownColumns)[number]>;

/** The owner of a webhook: the access token that created it, or the account, for the session of its user. */
export type WebhookOwner = { readonly tokenId: TokenId } | { readonly accountId: AccountId };

/** Restricts a query to the webhooks of an owner. */
export const isOwnedBy = (owner: WebhookOwner): RawBuilder<boolean> =>
  'tokenId' in owner
    ? sql<boolean>`webhooks.token_id = ${owner.tokenId}`
    : sql<boolean>`webhooks.account_id = ${owner.accountId}`;

/** Lists the webhooks of an access token, newest first. */
export async function listWebhooks({ db }: App, tokenId: TokenId): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(shownColumns)
    .where('token_id', '=', tokenId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(presentWebhook);
}

/** A webhook and the app that created it; null for a token without an app. */
export interface AccountWebhook {
  readonly applicationId: ApplicationId | null;
  readonly applicationName: string | null;
  readonly webhook: Webhook;
}

/** Lists all webhooks of an account, newest first. */
export async function listAccountWebhooks({ db }: App, accountId: AccountId): Promise<AccountWebhook[]> {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('oauth_tokens as token', 'token.id', 'webhooks.token_id')
    .leftJoin('oauth_applications as application', 'application.id', 'token.application_id')
    .select(shownColumns.map((name) => `webhooks.${name}` as const))
    .select(['application.id as applicationId', 'application.name as applicationName'])
    .where('webhooks.account_id', '=', accountId)
    .orderBy('webhooks.id', 'desc')
    .execute();
  return rows.map(({ applicationId, applicationName, ...row }) => ({
    applicationId,
    applicationName,
    webhook: presentWebhook(row),
  }));
}

/** Lists all webhooks of an account with the apps that created them, newest first. */
export async function listWebhooksWithApps(app: App, accountId: AccountId): Promise<Webhook[]> {
  const found = await listAccountWebhooks(app, accountId);
  return found.map(({ applicationId: id, applicationName: name, webhook }) => ({
    ...webhook,
    application: id === null || name === null ? null : { id, name },
  }));
}

/** Returns a webhook of an access token. Throws 404 if it belongs to another one. */
export async function requireWebhook({ db }: App, tokenId: TokenId, id: WebhookId): Promise<Webhook> {
  const row = await db
    .selectFrom('webhooks')
    .select(shownColumns)
    .where('id', '=', id)
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow(() => notFound());
  return presentWebhook(row);
}

export const presentWebhook = (row: ShownWebhook): Webhook => ({
  ...presentWebhookState(row),
  events: row.events as WebhookEvent[],
});

/** Returns what webhooks of users and of staff have in common. */
export function presentWebhookState(row: ShownWebhook): Omit<Webhook, 'events'> {
  const { id, url, disabled_reason, failing_since, last_delivered_at, dropped_events } = row;
  return {
    id,
    url,
    state: disabled_reason !== null ? 'disabled' : failing_since !== null ? 'failing' : 'active',
    disabled_reason,
    failing_since: failing_since?.toISOString() ?? null,
    last_delivered_at: last_delivered_at?.toISOString() ?? null,
    dropped_events,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
