import { sql } from 'kysely';
import { Type } from 'typebox';
import { listKnownDomains } from '../../accounts/remote/index.ts';
import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { newId, type AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { defineJob } from '../../platform/work/define-job.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { purgeAccounts, purgeEmojisAndQueues, purgeStatuses, type PurgeStep } from './purge-steps.ts';

/** Deleted accounts cause other jobs, which must keep up. */
const accountsPauseMs = 1_000;

/** What is stored of a domain. */
export interface DomainData {
  /** With its port. */
  readonly domain: string;
  readonly accounts: number;
  readonly statuses: number;
  readonly emojis: number;
}

/** Lists what is stored of a domain, and of its subdomains if asked for. A server that is purged already is missing. */
export async function listDomainData(app: App, domain: string, includeSubdomains: boolean): Promise<DomainData[]> {
  const isMeant = (host: string): boolean => host === domain || (includeSubdomains && host.endsWith(`.${domain}`));
  const domains = (await listKnownDomains(app)).filter(
    (known) => isMeant(known) || isMeant(known.replace(/:\d+$/, '')),
  );
  const { rows } = await sql<DomainData>`
    select domain, (select count(*)::int from accounts where domain = known.domain and deleted_at is null) as accounts,
      (select count(*)::int from statuses join accounts on accounts.id = statuses.account_id
        where accounts.domain = known.domain) as statuses,
      (select count(*)::int from custom_emojis where domain = known.domain) as emojis
    from unnest(${domains}::text[]) as known(domain)`.execute(app.db);
  return rows.filter(({ accounts, statuses, emojis }) => accounts + statuses + emojis > 0);
}

/**
 * Queues the deletion of all posts, accounts and custom emojis of a domain, and of the activities that wait for it. What it
 * sends from now on is stored again, unless it is blocked. Returns false if the deletion is queued already.
 */
export function purgeDomain(app: App, staff: Staff, domain: string): Promise<boolean> {
  return transaction(app, async (tx) => {
    const key = `purge ${domain}`;
    const running = await tx.db.selectFrom('jobs').select('id').where('key', '=', key).limit(1).executeTakeFirst();
    if (running !== undefined) return false;
    tx.enqueue(
      purgeDomainStep({ domain, step: 'statuses', batch: 0, untilId: newId<'account'>(app.clock.now()) }, { key }),
    );
    recordStaffAction(tx, staff, { target: 'server', verb: 'purge', label: domain });
    return true;
  });
}

const steps: Readonly<Record<'statuses' | 'accounts' | 'rest', PurgeStep>> = {
  statuses: purgeStatuses,
  accounts: purgeAccounts,
  rest: purgeEmojisAndQueues,
};
const nextSteps = { statuses: 'accounts', accounts: 'rest', rest: undefined } as const;

/**
 * Deletes one batch, and queues itself until nothing is left. Ignores accounts that were stored after the purge began, so
 * that a busy server cannot prolong it without end.
 */
export const purgeDomainStep = defineJob(
  'federation.delete_domain_data',
  Type.Object({
    domain: Type.String(),
    step: Type.Union([Type.Literal('statuses'), Type.Literal('accounts'), Type.Literal('rest')]),
    /** Number of the batch, by which a repeated job recognizes the next one. */
    batch: Type.Integer(),
    /** The last account to delete. */
    untilId: idSchema<'account'>(),
    /** Continues with the statuses of this account. */
    fromId: Type.Optional(idSchema<'account'>()),
  }),
  async (app, data) => {
    const { domain, step, batch, untilId } = data;
    const nextId: AccountId | undefined = await steps[step](app, data);
    const next = nextId === undefined ? nextSteps[step] : step;
    if (next === undefined) return;
    const pauseMs = step === 'accounts' ? accountsPauseMs : 0;
    const fromId = nextId === undefined ? {} : { fromId: nextId };
    await transaction(app, async (tx) =>
      tx.enqueue(
        purgeDomainStep(
          { domain, step: next, batch: batch + 1, untilId, ...fromId },
          { key: `purge ${domain}`, isUnique: true, runAt: new Date(app.clock.now().getTime() + pauseMs) },
        ),
      ),
    );
  },
  'background',
);
