import { sql } from 'kysely';
import type { App } from '../../platform/app.ts';
import { transaction, type Transaction } from '../../platform/write/transaction.ts';
import { validationFailed } from '../../platform/http/http-errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordStaffAction, recordStaffUpdate } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { startDeliveries } from '../deliver-webhook.ts';
import { webhooksChanged } from '../events.ts';
import { deletePendingDeliveries } from '../pending-deliveries.ts';
import { writable, type WebhookId } from '../tables.ts';
import { disabledState, enabledState, healthyState } from '../webhook-states.ts';
import { lockStaffWebhook, presentStaffWebhook, staffColumns } from './find-staff-webhooks.ts';
import { parseStaffWebhook, type Manager, type StaffWebhookSettings } from './parse-staff-webhook.ts';
import { type CredentialStaffWebhook, staffEvents, type StaffWebhook, type StaffWebhookInput } from './schema.ts';
import { newStaffSecret } from './sign-body.ts';
import { isOneOf } from '../../platform/known-names.ts';

const maxStaffWebhooks = 20;

/**
 * Creates a webhook of staff, and returns it with its secret. Throws 422 for invalid settings and above the maximum, 403 for
 * an event that the staff member may not see.
 */
export async function createStaffWebhook(
  app: App,
  manager: Manager,
  input: StaffWebhookInput,
): Promise<CredentialStaffWebhook> {
  const settings = parseStaffWebhook(app, manager, input);
  const now = app.clock.now();
  const secret = newStaffSecret();
  return transaction(app, async (tx) => {
    await assertBelowLimit(tx);
    const row = await writable(tx.db)
      .insertInto('webhooks')
      .values({
        ...settings,
        events: [...settings.events],
        id: newId<'webhook'>(now),
        secret: Buffer.from(secret),
        created_at: now,
        updated_at: now,
      })
      .returning(staffColumns)
      .executeTakeFirstOrThrow();
    tx.emit(webhooksChanged({ accountId: null }));
    recordStaffAction(tx, manager.staff, { ...auditTarget(row), verb: 'create', after: auditDetails(settings) });
    return { ...presentStaffWebhook(row), secret };
  });
}

async function assertBelowLimit({ db }: Transaction): Promise<void> {
  // Serializes concurrent requests, so that they cannot exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended('staff webhooks', 0))`.execute(db);
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxStaffWebhooks) throw validationFailed('webhooks.tooMany', { max: maxStaffWebhooks });
}

/**
 * Changes the given settings of a webhook of staff; a new address ends a pause after failures. Throws as
 * `createStaffWebhook`, also for events that it has already, and 404 if there is none with this id.
 */
export async function updateStaffWebhook(
  app: App,
  manager: Manager,
  id: WebhookId,
  input: StaffWebhookInput,
): Promise<StaffWebhook> {
  return transaction(app, async (tx) => {
    const current = await lockStaffWebhook(tx, id);
    const before = {
      url: current.url,
      events: current.events.filter((event) => isOneOf(staffEvents, event)),
      template: current.template,
    };
    const settings = parseStaffWebhook(app, manager, input, before);
    const row = await writable(tx.db)
      .updateTable('webhooks')
      .set({
        ...settings,
        events: [...settings.events],
        updated_at: app.clock.now(),
        ...(settings.url !== current.url && healthyState),
      })
      .where('id', '=', id)
      .returning(staffColumns)
      .executeTakeFirstOrThrow();
    if (row.disabled_reason === null) startDeliveries(tx, { id, url: row.url });
    tx.emit(webhooksChanged({ accountId: null }));
    recordStaffUpdate(tx, manager.staff, {
      ...auditTarget(current),
      verb: 'update',
      before: auditDetails(before),
      after: auditDetails(settings),
    });
    return presentStaffWebhook(row);
  });
}

/** Enables a webhook of staff, which ends a pause, or disables it and deletes the events that wait. Throws 404. */
export async function setStaffWebhookEnabled(
  app: App,
  staff: Staff,
  { id, enabled }: { readonly id: WebhookId; readonly enabled: boolean },
): Promise<StaffWebhook> {
  return transaction(app, async (tx) => {
    const current = await lockStaffWebhook(tx, id);
    const wasEnabled = current.disabled_reason === null;
    const now = app.clock.now();
    const row = await writable(tx.db)
      .updateTable('webhooks')
      .set({
        updated_at: now,
        ...(enabled && enabledState),
        ...(!enabled && wasEnabled && disabledState(now)),
      })
      .where('id', '=', id)
      .returning(staffColumns)
      .executeTakeFirstOrThrow();
    if (enabled) startDeliveries(tx, { id, url: row.url });
    else await deletePendingDeliveries(tx, id);
    tx.emit(webhooksChanged({ accountId: null }));
    recordStaffUpdate(tx, staff, {
      ...auditTarget(current),
      verb: enabled ? 'enable' : 'disable',
      before: { enabled: wasEnabled },
      after: { enabled },
    });
    return presentStaffWebhook(row);
  });
}

/** Replaces the secret of a webhook of staff at once, and returns the webhook with the new one. Throws 404. */
export async function rotateStaffSecret(app: App, staff: Staff, id: WebhookId): Promise<CredentialStaffWebhook> {
  const secret = newStaffSecret();
  return transaction(app, async (tx) => {
    const current = await lockStaffWebhook(tx, id);
    const row = await writable(tx.db)
      .updateTable('webhooks')
      .set({ secret: Buffer.from(secret), updated_at: app.clock.now() })
      .where('id', '=', id)
      .returning(staffColumns)
      .executeTakeFirstOrThrow();
    recordStaffAction(tx, staff, { ...auditTarget(current), verb: 'rotate_secret', before: {}, after: {} });
    return { ...presentStaffWebhook(row), secret };
  });
}

/** Deletes a webhook of staff with its log and the events that wait. Throws 404 if there is none with this id. */
export async function deleteStaffWebhook(app: App, staff: Staff, id: WebhookId): Promise<void> {
  await transaction(app, async (tx) => {
    const current = await lockStaffWebhook(tx, id);
    await writable(tx.db).deleteFrom('webhooks').where('id', '=', id).execute();
    tx.emit(webhooksChanged({ accountId: null }));
    const { url, template } = current;
    const before = auditDetails({
      url,
      events: current.events.filter((event) => isOneOf(staffEvents, event)),
      template,
    });
    recordStaffAction(tx, staff, { ...auditTarget(current), verb: 'delete', before });
  });
}

/** The path of the address may hold a secret, so the log has the host only. */
const auditTarget = ({ id, url }: { readonly id: WebhookId; readonly url: string }) =>
  ({ target: 'webhook', id, label: new URL(url).host }) as const;

const auditDetails = ({ url, events, template }: StaffWebhookSettings) => ({
  host: new URL(url).host,
  events: [...events],
  template,
});
