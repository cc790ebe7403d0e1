import { presentPolicy } from '../../interactions/policy/index.ts';
import type { CachedAttachment } from '../../media/index.ts';
import type { App } from '../../platform/app.ts';
import { JsonText } from '../../platform/http/http-response.ts';
import type { MediaId } from '../../platform/ids.ts';
import { isId } from '../../platform/ids.ts';
import { loadAttachments } from '../read/load-attachments.ts';
import type { ScheduledRow } from './scheduled-statuses.ts';
import type { ScheduledStatus } from '../schema.ts';

/** Returns scheduled statuses as their author sees them, in order, in one query. */
export async function presentScheduledStatuses(
  app: App,
  rows: readonly ScheduledRow[],
): Promise<JsonText<ScheduledStatus>[]> {
  const attachments = await loadAttachments(
    app,
    rows.flatMap((row) => mediaIdsOf(row)),
  );
  return rows.map((row) => new JsonText(renderScheduledStatus(row, attachments)));
}

/** Like `presentScheduledStatuses` for one status. */
export async function presentScheduledStatus(app: App, row: ScheduledRow): Promise<JsonText<ScheduledStatus>> {
  const [scheduled] = await presentScheduledStatuses(app, [row]);
  return scheduled as JsonText<ScheduledStatus>;
}

const mediaIdsOf = ({ params }: ScheduledRow): MediaId[] => (params.mediaIds ?? []).filter(isId);

function renderScheduledStatus(row: ScheduledRow, attachments: ReadonlyMap<MediaId, CachedAttachment>): string {
  const { params } = row;
  const { poll } = params;
  const fields = {
    text: params.text ?? '',
    content_type: params.contentType ?? null,
    poll:
      poll === undefined || poll.options === undefined
        ? null
        : {
            options: poll.options,
            expires_in: poll.expires_in ?? 0,
            multiple: poll.multiple === true,
            hide_totals: poll.hide_totals === true,
          },
    media_ids: params.mediaIds ?? null,
    sensitive: params.sensitive ?? null,
    spoiler_text: params.spoilerText ?? null,
    visibility: params.visibility ?? null,
    local_only: params.localOnly ?? null,
    language: params.language ?? null,
    allowed_mentions: params.allowedMentions ?? null,
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
    quoted_status_id: params.quotedStatusId ?? null,
    quote_approval_policy: params.quotePolicy ?? 'public',
    ...(params.interactionPolicy !== undefined && { interaction_policy: presentPolicy(params.interactionPolicy) }),
  };
  const head = JSON.stringify({
    id: row.id,
    scheduled_at: row.scheduled_at.toISOString(),
    in_reply_to_id: params.inReplyToId ?? null,
    media_attachments: mediaIdsOf(row).flatMap((id) => attachments.get(id) ?? []),
  });
  // Clients expect these two as numbers. Our ids exceed the safe integers of JavaScript, so they are written as text.
  const numbers = `"in_reply_to_id":${params.inReplyToId ?? 'null'},"application_id":${params.applicationId ?? 'null'}`;
  return `${head.slice(0, -1)},"params":${JSON.stringify(fields).slice(0, -1)},${numbers}}}`;
}
