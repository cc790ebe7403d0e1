import { accountChanged } from './events.ts';
import { defineJob } from '../platform/jobs/define-job.ts';
import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import type { App } from '../platform/app.ts';
import { write as inTransaction, type Write } from '../platform/database/write.ts';
import { idSchema, type AccountId } from '../platform/ids.ts';
import { OutgoingError } from '../platform/outgoing.ts';
import { urlOf } from './account-json.ts';
import { findAccount } from './find-accounts.ts';
import { linkOf, linksBack } from './links-back.ts';
import type { ProfileField } from './tables.ts';

/** Pages asked for one profile. */
const mostPages = 4;
const mostBytes = 1024 * 1024;
/** Profiles of others come in waves, and name the same pages. */
const spreadSeconds = 300;

/**
 * Asks the pages that a profile names whether they link back to it (rel=me), and marks the fields of those that do. A
 * page that does not answer counts as one that does not: it is asked again when the fields change.
 */
export const verifyLinks = defineJob(
  'accounts.verify-links',
  Type.Object({ accountId: idSchema<'account'>() }),
  async (app, { accountId }) => {
    const account = await findAccount(app, accountId);
    if (account === undefined || account.suspended_at !== null) return;
    const addresses = [urlOf(app, account), account.uri];
    const verified = new Set<string>();
    for (const { value } of unverified(account.fields, account.domain === null).slice(0, mostPages)) {
      const page = linkOf(value, account.domain === null);
      if (page !== undefined && (await pageLinksBack(app, page, addresses))) verified.add(value);
    }
    if (verified.size > 0) await markVerified(app, accountId, verified);
  },
  'remote',
);

/**
 * Has the new links among a profile's fields verified, once they are stored. `before`: the fields as they were, whose
 * links are not asked again.
 */
export function verifyNewLinks(
  write: Write,
  app: App,
  accountId: AccountId,
  { fields, before, local }: { fields: readonly ProfileField[]; before: readonly ProfileField[]; local: boolean },
): void {
  const known = new Set(before.map(({ value }) => value));
  if (!unverified(fields, local).some(({ value }) => local || !known.has(value))) return;
  const delay = local ? 0 : randomInt(spreadSeconds * 1000);
  write.enqueue(verifyLinks({ accountId }, { runAt: new Date(app.clock.now().getTime() + delay) }));
}

function unverified(fields: readonly ProfileField[], local: boolean): ProfileField[] {
  return fields.filter(({ value, verified_at }) => verified_at === null && linkOf(value, local) !== undefined);
}

async function pageLinksBack(app: App, page: string, addresses: readonly string[]): Promise<boolean> {
  try {
    const answer = await app.outgoing.request(page, { headers: { accept: 'text/html' }, maxBytes: mostBytes });
    if (
      answer.status !== 200 ||
      !/^(text\/html|application\/xhtml\+xml)\b/i.test(answer.headers['content-type'] ?? '')
    ) {
      return false;
    }
    return linksBack(answer.body.toString('utf8'), answer.url, addresses);
  } catch (error) {
    if (error instanceof OutgoingError) return false;
    throw error;
  }
}

/** A field that was changed meanwhile stays unverified. */
async function markVerified(app: App, accountId: AccountId, values: ReadonlySet<string>): Promise<void> {
  await inTransaction(app, async (write) => {
    const row = await write.db
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
    await write.db
      .updateTable('accounts')
      .set({ fields: JSON.stringify(fields) })
      .where('id', '=', accountId)
      .execute();
    write.emit(accountChanged({ accountId }));
  });
}
