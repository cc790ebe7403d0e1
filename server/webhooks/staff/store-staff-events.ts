import { sql } from 'kysely';
import { accountUpdated } from '../../accounts/index.ts';
import type { App } from '../../platform/app.ts';
import type { Transaction } from '../../platform/write/transaction.ts';
import { inTransaction } from '../../platform/write/reactions.ts';
import type { Subscription } from '../../platform/write/subscriptions.ts';
import type { AccountId } from '../../platform/ids.ts';
import { reportCreated, reportUpdated } from '../../reports/index.ts';
import { statusHeld } from '../../statuses/held/index.ts';
import { statusCreated, statusEdited, statusReblogged } from '../../statuses/index.ts';
import { signUpCompleted, userCreated } from '../../users/index.ts';
import { startDeliveries } from '../deliver-webhook.ts';
import { insertDeliveries } from '../pending-deliveries.ts';
import type { StaffEvent } from './schema.ts';
import { findStaffTargets } from '../webhook-targets.ts';

/** Stores an event about each subject for the webhooks of staff that want it, and a job for each that has none. */
async function storeEvents(
  tx: Transaction,
  app: App,
  event: StaffEvent,
  findSubjects: () => Promise<readonly string[]> | readonly string[],
): Promise<void> {
  const targets = await findStaffTargets(tx, app, event);
  if (targets.length === 0) return;
  const subjects = await findSubjects();
  if (subjects.length === 0) return;
  const deliveries = targets.flatMap(({ id: webhookId }) =>
    subjects.map((subjectId) => ({ webhookId, event, subjectId })),
  );
  const idle = await insertDeliveries(tx, app, deliveries);
  for (const target of targets) if (idle.has(target.id)) startDeliveries(tx, target);
}

/** Returns those accounts that are local. */
async function filterLocal({ db }: Transaction, ids: readonly AccountId[]): Promise<ReadonlySet<AccountId>> {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts where id = any(${[...new Set(ids)]}::bigint[]) and domain is null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

interface StatusChange {
  readonly statusId: string;
  readonly local: boolean;
}

const localStatuses = (changes: readonly StatusChange[]): string[] =>
  changes.flatMap(({ statusId, local }) => (local ? [statusId] : []));

const accountsOf = (changes: readonly { readonly accountId: AccountId }[]): AccountId[] => [
  ...new Set(changes.map(({ accountId }) => accountId)),
];
const reportsOf = (changes: readonly { readonly reportId: string }[]): string[] => [
  ...new Set(changes.map(({ reportId }) => reportId)),
];

/** Last, because the rows of webhooks stay locked until the commit. */
const locks = 'webhooks';

/** As in Mastodon, events about accounts and posts are those of local ones. */
export const staffReactions: readonly Subscription[] = [
  inTransaction([userCreated], {
    locks,
    runBatch: (tx, app, users) => storeEvents(tx, app, 'account.created', () => accountsOf(users)),
  }),
  inTransaction([signUpCompleted], {
    locks,
    runBatch: (tx, app, users) => storeEvents(tx, app, 'account.approved', () => accountsOf(users)),
  }),
  inTransaction([accountUpdated], {
    locks,
    runBatch: (tx, app, changes) =>
      storeEvents(tx, app, 'account.updated', async () => [...(await filterLocal(tx, accountsOf(changes)))]),
  }),
  inTransaction([reportCreated], {
    locks,
    runBatch: (tx, app, reports) => storeEvents(tx, app, 'report.created', () => reportsOf(reports)),
  }),
  inTransaction([reportUpdated], {
    locks,
    runBatch: (tx, app, reports) => storeEvents(tx, app, 'report.updated', () => reportsOf(reports)),
  }),
  inTransaction([statusHeld], {
    locks,
    runBatch: (tx, app, posts) => storeEvents(tx, app, 'held_post.created', () => posts.map(({ heldId }) => heldId)),
  }),
  inTransaction([statusCreated], {
    locks,
    runBatch: (tx, app, changes) => storeEvents(tx, app, 'status.created', () => localStatuses(changes)),
  }),
  inTransaction([statusReblogged], {
    locks,
    runBatch: (tx, app, changes) =>
      storeEvents(tx, app, 'status.created', async () => {
        const local = await filterLocal(tx, accountsOf(changes));
        return changes.flatMap(({ statusId, accountId }) => (local.has(accountId) ? [statusId] : []));
      }),
  }),
  inTransaction([statusEdited], {
    locks,
    runBatch: (tx, app, changes) => storeEvents(tx, app, 'status.updated', () => localStatuses(changes)),
  }),
];
