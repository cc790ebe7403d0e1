import { same } from '../columns.ts';
import { isRow, type ImportedRow, type TableImport } from '../table-import.ts';

/** Posts that are not published yet. */
export const scheduledTable: TableImport = {
  name: 'scheduled posts',
  from: 'scheduled_statuses',
  into: 'scheduled_statuses',
  leftOut: { 'without a time': 's.scheduled_at is null' },
  changed: 'true',
  columns: {
    ...same('id', 'account_id', 'scheduled_at'),
    params: `coalesce(s.params, '{}')`,
    created_at: 's.scheduled_at',
  },
  // As text, because JavaScript would round the numbers.
  helpers: {
    in_reply_to_id: `s.params ->> 'in_reply_to_id'`,
    application_id: `s.params ->> 'application_id'`,
    quoted_status_id: `s.params ->> 'quoted_status_id'`,
    media_ids: `(select json_agg(m) from jsonb_array_elements_text(
      case jsonb_typeof(s.params -> 'media_ids') when 'array' then s.params -> 'media_ids' else '[]' end) m)`,
  },
  prepare: ({ params, in_reply_to_id, application_id, quoted_status_id, media_ids, ...row }) => ({
    ...row,
    params: convertParams({
      ...(isRow(params) && params),
      in_reply_to_id,
      application_id,
      quoted_status_id,
      media_ids,
    }),
  }),
};

/** Our name of each parameter of a scheduled post. */
const names: Readonly<Record<string, string>> = {
  text: 'text',
  spoiler_text: 'spoilerText',
  visibility: 'visibility',
  sensitive: 'sensitive',
  language: 'language',
  in_reply_to_id: 'inReplyToId',
  application_id: 'applicationId',
  quoted_status_id: 'quotedStatusId',
};

function convertParams(params: ImportedRow): ImportedRow {
  const entries = Object.entries(names).flatMap(([name, ours]): [string, unknown][] => {
    const value = params[name];
    return value === null || value === undefined ? [] : [[ours, value]];
  });
  const { media_ids: mediaIds, poll } = params;
  return {
    ...Object.fromEntries(entries),
    ...(Array.isArray(mediaIds) && { mediaIds }),
    ...(isRow(poll) && { poll: convertPoll(poll) }),
  };
}

const convertPoll = ({
  options,
  expires_in: expiresIn,
  multiple,
  hide_totals: hideTotals,
}: ImportedRow): ImportedRow => ({
  options,
  expires_in: Number(expiresIn),
  multiple: multiple === true || multiple === 'true',
  hide_totals: hideTotals === true || hideTotals === 'true',
});
