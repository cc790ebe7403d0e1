import { sql } from 'kysely';
import { Type } from 'typebox';
import { deleteCachedFiles } from '../../media/proxy/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { type AccountId, type MediaId, noId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { loadDomainPolicy } from '../../site/domains/index.ts';

/** Accounts per job, and files per statement. */
const batchSize = 500;

/**
 * Deletes cached avatars, headers, emojis and attachments of a domain whose media are rejected. They are fetched again if
 * the block is lifted, because their addresses stay stored.
 */
export const deleteRejectedFiles = defineJob(
  'account.delete_rejected_files',
  Type.Object({
    /** With its port. */
    domain: Type.String(),
    /** Continues after this account. */
    afterId: Type.Optional(idSchema<'account'>()),
  }),
  async (app, { domain, afterId }) => {
    if (!(await loadDomainPolicy(app)).ruleFor(domain).rejectMedia) return;
    if (afterId === undefined) await deleteCachedFiles(app, await listEmojiUrls(app, domain));
    const accounts = await listAccounts(app, domain, afterId);
    await deleteCachedFiles(
      app,
      accounts.flatMap(({ avatar, header }) => [avatar, header]).filter((url) => url !== null),
    );
    await deleteAttachments(
      app,
      accounts.map(({ id }) => id),
    );
    const last = accounts.at(-1)?.id;
    if (last === undefined || accounts.length < batchSize) return;
    await transaction(app, async (tx) => tx.enqueue(deleteRejectedFiles({ domain, afterId: last })));
  },
  'background',
);

interface AccountImages {
  readonly id: AccountId;
  readonly avatar: string | null;
  readonly header: string | null;
}

async function listAccounts({ db }: App, domain: string, afterId: AccountId = noId): Promise<AccountImages[]> {
  return db
    .selectFrom('accounts')
    .select(['id', 'avatar_remote_url as avatar', 'header_remote_url as header'])
    .where('domain', '=', domain)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(batchSize)
    .execute();
}

/** More emojis of one domain stay cached until they are evicted; nobody is shown them. */
const maxEmojis = 5_000;

async function listEmojiUrls({ db }: App, domain: string): Promise<string[]> {
  const rows = await db
    .selectFrom('custom_emojis')
    .select('remote_url')
    .where('domain', '=', domain)
    .limit(maxEmojis)
    .execute();
  return rows.flatMap(({ remote_url: url }) => url ?? []);
}

async function deleteAttachments(app: App, accountIds: readonly AccountId[]): Promise<void> {
  for (let after: MediaId | undefined = noId; after !== undefined;) {
    const rows: { id: MediaId; url: string | null; preview: string | null }[] = await app.db
      .selectFrom('media_attachments')
      .select(['id', 'remote_url as url', 'remote_preview_url as preview'])
      .where(sql<boolean>`account_id = any(${accountIds}::bigint[])`)
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    await deleteCachedFiles(
      app,
      rows.flatMap(({ url, preview }) => [url, preview]).filter((url) => url !== null),
    );
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  }
}
