import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField, notFound } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { parseEmailDomain } from './email-domain.ts';
import { writable, type EmailDomainBlockId } from './tables.ts';

/** A domain to block. */
export interface NewEmailDomainBlock {
  /** Of e-mail addresses, or of their mail servers. */
  readonly domain: string;
  /** Sign-ups wait for approval instead of being refused. Default false. */
  readonly allowWithApproval?: boolean | undefined;
}

/** Blocks e-mail addresses of a domain and its subdomains. Returns the id. Throws 422 if it is invalid or blocked already. */
export async function createEmailDomainBlock(
  app: App,
  staff: Staff,
  { domain: text, allowWithApproval = false }: NewEmailDomainBlock,
): Promise<EmailDomainBlockId> {
  const domain = parseEmailDomain(text);
  return transaction(app, async (tx) => {
    const now = app.clock.now();
    const id = newId<'email-domain-block'>(now);
    const { numInsertedOrUpdatedRows } = await writable(tx.db)
      .insertInto('email_domain_blocks')
      .values({ id, domain, allow_with_approval: allowWithApproval, created_at: now })
      .onConflict((conflict) => conflict.column('domain').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) throw invalidField('domain', 'problems.alreadyTaken');
    recordStaffAction(tx, staff, {
      target: 'email_domain_block',
      verb: 'create',
      id,
      label: domain,
      after: { domain, allow_with_approval: allowWithApproval },
    });
    return id;
  });
}

/** Removes the block of an e-mail domain, by its id or domain. Throws 404 if there is none. */
export function deleteEmailDomainBlock(
  app: App,
  staff: Staff,
  target: { readonly id: EmailDomainBlockId } | { readonly domain: string },
): Promise<void> {
  return transaction(app, async (tx) => {
    const query = writable(tx.db).deleteFrom('email_domain_blocks').returningAll();
    const block = await (
      'id' in target ? query.where('id', '=', target.id) : query.where('domain', '=', parseEmailDomain(target.domain))
    ).executeTakeFirstOrThrow(() => notFound());
    const { id, domain, allow_with_approval } = block;
    const before = { domain, allow_with_approval };
    recordStaffAction(tx, staff, { target: 'email_domain_block', verb: 'delete', id, label: domain, before });
  });
}
