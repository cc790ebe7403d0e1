import { instanceActorId } from '../../accounts/index.ts';
import { presentAdminAccount } from '../../moderation/accounts/index.ts';
import { presentAdminReport } from '../../moderation/reports/index.ts';
import type { App } from '../../platform/app.ts';
import { HttpError } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { presentHeldPost, requireHeldPost } from '../../statuses/held/index.ts';
import { presentStatus } from '../../statuses/read/index.ts';
import { showsLocalOnly } from '../local-only.ts';
import type { NextDelivery } from '../pending-deliveries.ts';
import { renderTemplate } from './template.ts';

/** Presenters for staff need a viewer; what they show depends on none. */
const viewer = { accountId: instanceActorId };

/**
 * Returns the message about an event for a webhook of staff: an Admin::WebhookEvent with what it is about as it is now, or
 * its template. Undefined if that was deleted or is a local-only post.
 */
export async function buildStaffBody(app: App, delivery: NextDelivery): Promise<string | undefined> {
  const object = await findObject(app, delivery);
  if (object === undefined) return undefined;
  const { event, createdAt, template } = delivery;
  const head = JSON.stringify({ event, created_at: createdAt.toISOString() });
  const text = `${head.slice(0, -1)},"object":${object}}`;
  return template === null ? text : renderTemplate(template, JSON.parse(text));
}

async function findObject(app: App, { event, subjectId }: NextDelivery): Promise<string | undefined> {
  if (subjectId === null) return undefined;
  const [kind] = event.split('.');
  try {
    if (kind === 'status' && (await showsLocalOnly(app, undefined, subjectId))) return undefined;
    if (kind === 'status') return (await presentStatus(app, undefined, subjectId)).text;
    if (kind === 'held_post') return await presentHeld(app, subjectId);
    if (kind === 'report') return (await presentAdminReport(app, viewer, subjectId)).text;
    return (await presentAdminAccount(app, viewer, subjectId)).text;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

const presentHeld = async (app: App, id: StatusId): Promise<string> =>
  (await presentHeldPost(app, viewer.accountId, await requireHeldPost(app, id))).text;
