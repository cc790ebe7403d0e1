import type { App } from '../../platform/app.ts';
import { transaction } from '../../platform/write/transaction.ts';
import { invalidField } from '../../platform/http/http-errors.ts';
import type { StatusId } from '../../platform/ids.ts';
import { recordStaffAction } from '../../site/audit/index.ts';
import type { Staff } from '../../site/index.ts';
import { publishHeldPost, rejectHeldPosts, requireHeldPost, type HeldPostRow } from '../../statuses/held/index.ts';
import { exceedsLimit } from '../../text/index.ts';
import { assertOutranks } from '../../users/access/index.ts';
import { enqueueNotice } from '../../users/mails/index.ts';

const maxTextLength = 5_000;
/** Characters of the post in the mail to its author. */
const maxQuotedLength = 500;

/**
 * Publishes a held post, or its whole thread, as if it were posted now, with its notifications and deliveries. Returns the
 * id of the (first) status.
 * Throws 404 for an unknown id, 403 if the staff member does not outrank the author, 409 if it was decided before, 422 if it
 * can no longer be published.
 */
export async function approveHeldPost(app: App, staff: Staff, id: StatusId): Promise<StatusId> {
  const row = await requireHeldPost(app, id);
  await transaction(app, (tx) => assertOutranks(tx, staff, row.account_id));
  return publishHeldPost(app, row, async (tx, statusId) => {
    recordStaffAction(tx, staff, {
      target: 'held_post',
      verb: 'approve',
      id,
      label: labelOf(row),
      before: { state: 'pending' },
      after: { state: 'approved', status_id: statusId },
    });
  });
}

/**
 * Rejects a held post, or its whole thread, and mails its local author with an optional text by staff. Throws 404, 403 and 409 as
 * `approveHeldPost`, 422 if the text is too long.
 */
export async function refuseHeldPost(
  app: App,
  staff: Staff,
  { id, text = '' }: { readonly id: StatusId; readonly text?: string | undefined },
): Promise<void> {
  const row = await requireHeldPost(app, id);
  const reason = text.trim();
  if (exceedsLimit(reason, maxTextLength)) throw invalidField('text', 'problems.tooLong', { max: maxTextLength });
  await transaction(app, async (tx) => {
    await assertOutranks(tx, staff, row.account_id);
    const rejected = await rejectHeldPosts(tx, app, row);
    const posts = rejected.map(({ preview }) => preview.text.slice(0, maxQuotedLength).toWellFormed());
    await enqueueNotice(tx, row.account_id, 'postRejected', { text: reason, posts });
    recordStaffAction(tx, staff, {
      target: 'held_post',
      verb: 'reject',
      id,
      label: labelOf(row),
      before: { state: 'pending' },
      after: { state: 'rejected', ...(reason !== '' && { text: reason }) },
    });
  });
}

const labelOf = ({ uri, id }: HeldPostRow): string => uri ?? id;
