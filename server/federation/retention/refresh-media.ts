import { sql } from 'kysely';
import { listKnownDomains } from '../../accounts/remote/index.ts';
import { fetchFilesAgain, type RefreshResult } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type AccountId, idFromDate, type MediaId, noId, type StatusId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';

/** Rows per statement. */
const batchSize = 200;
const dayMs = 86_400_000;

/** Whose files are fetched again. */
export type MediaTarget =
  | { readonly kind: 'status'; readonly statusId: StatusId }
  | { readonly kind: 'account'; readonly accountId: AccountId }
  | { readonly kind: 'domain'; readonly domain: string };

export interface RefreshOptions {
  readonly target: MediaTarget;
  /** The target as people call it, for the audit log. */
  readonly label: string;
  /** Only attachments that were stored in the last days. */
  readonly days?: number | undefined;
  /** Only counts. */
  readonly dryRun?: boolean | undefined;
  /** Receives what was fetched so far, after each batch. */
  readonly progress?: ((result: RefreshResult) => void) | undefined;
}

/**
 * Replaces the cached copies of remote attachments, avatars and headers on this machine. A file that its server no longer
 * has is removed from the cache. Fetches a few files at a time, with the limits of the proxy for each host.
 */
export async function refreshMedia(
  app: App,
  staff: Staff,
  { target, label, days, dryRun = false, progress }: RefreshOptions,
): Promise<RefreshResult> {
  if (!dryRun)
    await transaction(app, async (tx) => recordStaffAction(tx, staff, { target: 'media', verb: 'refresh', label }));
  const result = { files: 0, fetched: 0, failed: 0 };
  for await (const urls of listFiles(app, target, days)) {
    const batch = dryRun ? { files: urls.length, fetched: 0, failed: 0 } : await fetchFilesAgain(app, urls);
    result.files += batch.files;
    result.fetched += batch.fetched;
    result.failed += batch.failed;
    progress?.({ ...result });
  }
  return result;
}

async function* listFiles(app: App, target: MediaTarget, days: number | undefined): AsyncGenerator<string[]> {
  const since = days === undefined ? noId : idFromDate<'media'>(new Date(app.clock.now().getTime() - days * dayMs));
  if (target.kind === 'status') {
    yield* listAttachments(app, sql`status_id = ${target.statusId}::bigint`, since);
  } else if (target.kind === 'account') {
    yield* listAccountFiles(app, target.accountId, since);
  } else if ((await listKnownDomains(app)).includes(target.domain)) {
    for await (const accountId of listAccounts(app, target.domain)) yield* listAccountFiles(app, accountId, since);
  }
}

async function* listAccounts({ db }: App, domain: string): AsyncGenerator<AccountId> {
  for (let after: AccountId | undefined = noId; after !== undefined;) {
    const rows: { id: AccountId }[] = await db
      .selectFrom('accounts')
      .select('id')
      .where('domain', '=', domain)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    for (const { id } of rows) yield id;
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  }
}

async function* listAccountFiles(app: App, accountId: AccountId, since: MediaId): AsyncGenerator<string[]> {
  const images = await app.db
    .selectFrom('accounts')
    .select(['avatar_remote_url as avatar', 'header_remote_url as header'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const urls = [images?.avatar, images?.header].filter((url) => typeof url === 'string');
  if (urls.length > 0) yield urls;
  yield* listAttachments(app, sql`account_id = ${accountId}::bigint`, since);
}

async function* listAttachments(
  { db }: App,
  condition: ReturnType<typeof sql>,
  since: MediaId,
): AsyncGenerator<string[]> {
  for (let after: MediaId | undefined = since; after !== undefined;) {
    const { rows }: { rows: { id: MediaId; url: string; preview: string | null }[] } = await sql<{
      id: MediaId;
      url: string;
      preview: string | null;
    }>`
      select id, remote_url as url, remote_preview_url as preview from media_attachments
      where ${condition} and remote_url is not null and id > ${after}::bigint order by id limit ${batchSize}`.execute(
      db,
    );
    const urls = rows.flatMap(({ url, preview }) => [url, preview]).filter((url) => url !== null);
    if (urls.length > 0) yield urls;
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  }
}
