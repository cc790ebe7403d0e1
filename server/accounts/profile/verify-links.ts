import { accountChanged } from '../events.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { OutgoingError } from '../../platform/outgoing/outgoing.ts';
import { accountUrl } from '../present/render-account.ts';
import { findAccount } from '../find/find-accounts.ts';
import { parseProfileLink, linksBack } from './links-back.ts';
import { writable, type ProfileField } from '../tables.ts';

/** Pages fetched for one profile. */
const maxPages = 4;
const maxPageBytes = 1024 * 1024;
/** Remote profiles arrive in bursts and link to the same pages. */
const maxDelaySeconds = 300;

/**
 * Fetches the pages in the fields of a profile and marks the fields whose page links back to it (rel=me). A page that
 * does not respond counts as one that does not link back; it is fetched again when the fields change.
 */
export const verifyLinks = defineJob(
  'account.verify_links',
  Type.Object({ accountId: idSchema<'account'>() }),
  async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.suspended_at !== null) return;
    const addresses = [accountUrl(app, account), account.uri];
    const verified = new Set<string>();
    for (const { value } of unverifiedFields(account.fields, account.domain === null).slice(0, maxPages)) {
      const page = parseProfileLink(value, account.domain === null);
      if (page !== undefined && (await pageLinksBack(app, page, addresses))) verified.add(value);
    }
    if (verified.size > 0) await markVerified(app, accountId, verified);
  },
  'remote',
);

/**
 * Queues the verification of new links in the fields of a profile. `before`: the previous fields, whose links are not
 * fetched again.
 */
export function verifyNewLinks(
  tx: Transaction,
  app: App,
  accountId: AccountId,
  { fields, before, local }: { fields: readonly ProfileField[]; before: readonly ProfileField[]; local: boolean },
): void {
  const previousValues = new Set(before.map(({ value }) => value));
  if (!unverifiedFields(fields, local).some(({ value }) => local || !previousValues.has(value))) return;
  const delay = local ? 0 : randomInt(maxDelaySeconds * 1000);
  tx.enqueue(verifyLinks({ accountId }, { runAt: new Date(app.clock.now().getTime() + delay) }));
}

function unverifiedFields(fields: readonly ProfileField[], local: boolean): ProfileField[] {
  return fields.filter(
    ({ value, verified_at }) => verified_at === null && parseProfileLink(value, local) !== undefined,
  );
}

async function pageLinksBack(app: App, page: string, urls: readonly string[]): Promise<boolean> {
  try {
    const response = await app.outgoing.request(page, { headers: { accept: 'text/html' }, maxBytes: maxPageBytes });
    if (
      response.status !== 200 ||
      !/^(text\/html|application\/xhtml\+xml)\b/i.test(response.headers['content-type'] ?? '')
    ) {
      return false;
    }
    return linksBack(response.body.toString('utf8'), response.url, urls);
  } catch (error) {
    if (error instanceof OutgoingError) return false;
    throw error;
  }
}

/** Marks fields as verified, except those that changed since. */
async function markVerified(app: App, accountId: AccountId, values: ReadonlySet<string>): Promise<void> {
  await transaction(app, async (tx) => {
    const row = await tx.db
      .selectFrom('accounts')
      .select('fields')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    const now = app.clock.now().toISOString();
    const fields = row.fields.map((field) =>
      field.verified_at === null && values.has(field.value) ? { ...field, verified_at: now } : field,
    );
    await writable(tx.db)
      .updateTable('accounts')
      .set({ fields: JSON.stringify(fields) })
      .where('id', '=', accountId)
      .execute();
    tx.emit(accountChanged({ accountId }));
  });
}
