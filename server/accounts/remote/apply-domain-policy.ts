import { defineJob } from '../../platform/work/define-job.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { domainPolicyEvents, loadDomainPolicy, type DomainRule } from '../../site/domains/index.ts';
import { accountChanged, accountSuspended, accountUnsuspended, domainSuspended } from '../events.ts';
import { deleteRejectedFiles } from './delete-rejected-files.ts';
import { listKnownDomains } from './list-known-domains.ts';

/** Accounts per transaction. */
const batchSize = 500;

/**
 * Applies the current domain blocks to a batch of accounts of one domain, and stores the next batch. Marks the limits that it
 * sets as caused by the domain and lifts only those: limits that staff set on an account stay.
 */
const applyDomainPolicyBatch = defineJob(
  'account.apply_domain_policy_batch',
  Type.Object({
    /** With its port. */
    domain: Type.String(),
    /** Whether an earlier batch suspended accounts. */
    hasSuspended: Type.Boolean(),
  }),
  async (app, { domain, hasSuspended }) => {
    const { severity } = (await loadDomainPolicy(app)).ruleFor(domain);
    await applyToBatch(app, domain, { severity, hasSuspended });
  },
  'background',
);

/**
 * Stores the batches that apply the current policy to a domain and its subdomains. Each batch is a job, so that a domain with
 * many accounts delays no other.
 */
const applyDomainPolicy = defineJob(
  'account.apply_domain_policy',
  Type.Object({ domain: Type.String() }),
  async (app, { domain }) => {
    const policy = await loadDomainPolicy(app);
    for (const affectedDomain of await listAffectedDomains(app, domain)) {
      await transaction(app, async (tx) => {
        enqueueBatch(tx, { domain: affectedDomain, hasSuspended: false });
        if (policy.ruleFor(affectedDomain).rejectMedia) tx.enqueue(deleteRejectedFiles({ domain: affectedDomain }));
      });
    }
  },
  'background',
);

/**
 * The batches of a domain run one at a time. Each loads the policy when it starts, so that the batches of the last change,
 * which are stored last, decide.
 */
const enqueueBatch = (tx: Transaction, data: { domain: string; hasSuspended: boolean }): void =>
  tx.enqueue(applyDomainPolicyBatch(data, { key: `domain policy ${data.domain}` }));

export const domainPolicySubscriptions: readonly Subscription[] = [
  applyDomainPolicy.subscription,
  applyDomainPolicyBatch.subscription,
  deleteRejectedFiles.subscription,
  inTransaction(domainPolicyEvents, { run: (tx, _app, { domain }) => tx.enqueue(applyDomainPolicy({ domain })) }),
];

/** Lists the domain and its subdomains that have accounts, with their ports. */
async function listAffectedDomains(app: App, domain: string): Promise<string[]> {
  const isAffected = (host: string): boolean => host === domain || host.endsWith(`.${domain}`);
  return (await listKnownDomains(app)).filter((known) => isAffected(known.replace(/:\d+$/, '')));
}

interface ChangedAccount {
  readonly id: AccountId;
  readonly wasSuspended: boolean;
  readonly isSuspended: boolean;
}

/**
 * Applies a severity to accounts that do not have it yet. Stores the next batch, or emits `domainSuspended` after the last
 * one if accounts were suspended.
 */
function applyToBatch(
  app: App,
  domain: string,
  { severity, hasSuspended }: { readonly severity: DomainRule['severity']; readonly hasSuspended: boolean },
): Promise<void> {
  const [isSuspended, isSilenced] = [severity === 'suspend', severity === 'silence'];
  const now = app.clock.now();
  return transaction(app, async (tx) => {
    const { rows } = await sql<ChangedAccount>`
      with account as (
        select id, suspended_at is not null as "wasSuspended" from accounts where domain = ${domain}
          and ((${isSuspended} and suspended_at is null) or (not ${isSuspended} and suspension_origin = 'domain')
            or (${isSilenced} and silenced_at is null) or (not ${isSilenced} and silence_origin = 'domain'))
        order by id limit ${batchSize} for update
      )
      update accounts set
        suspended_at = case when ${isSuspended} then coalesce(suspended_at, ${now}::timestamptz)
          when suspension_origin = 'domain' then null else suspended_at end,
        suspension_origin = case when ${isSuspended} then coalesce(suspension_origin, 'domain')
          else nullif(suspension_origin, 'domain') end,
        silenced_at = case when ${isSilenced} then coalesce(silenced_at, ${now}::timestamptz)
          when silence_origin = 'domain' then null else silenced_at end,
        silence_origin = case when ${isSilenced} and silenced_at is null then 'domain'
          when ${isSilenced} then silence_origin else nullif(silence_origin, 'domain') end
      from account where account.id = accounts.id
      returning account.id, account."wasSuspended", suspended_at is not null as "isSuspended"`.execute(tx.db);
    for (const { id: accountId, wasSuspended, isSuspended: isNow } of rows) {
      if (isNow && !wasSuspended) tx.emit(accountSuspended({ accountId }));
      if (!isNow && wasSuspended) tx.emit(accountUnsuspended({ accountId }));
    }
    for (const id of rows.map(({ id }) => id)) tx.emit(accountChanged({ accountId: id }));
    const haveSuspended = hasSuspended || rows.some((row) => row.isSuspended && !row.wasSuspended);
    if (rows.length === batchSize) enqueueBatch(tx, { domain, hasSuspended: haveSuspended });
    else if (haveSuspended) tx.emit(domainSuspended({ id: newId<'row'>(now), domain }));
  });
}
