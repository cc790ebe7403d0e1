import { Type, type Static } from 'typebox';
import { entity } from '../../platform/http/entity.ts';
import { idSchema } from '../../platform/id-schema.ts';
import { ReportCategory } from '../../reports/schema.ts';
import { Rule } from '../../site/rules/schema.ts';
import { Status } from '../../statuses/schema.ts';
import { AdminAccount } from '../accounts/schema.ts';

const instant = Type.String({ format: 'date-time' });
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** Entity Admin::Report (reference/entities.tsv). */
export const AdminReport = entity('Admin::Report', {
  id: idSchema<'report'>(),
  action_taken: Type.Boolean(),
  action_taken_at: nullable(instant),
  category: ReportCategory,
  comment: Type.String(),
  forwarded: Type.Boolean(),
  created_at: instant,
  updated_at: instant,
  account: AdminAccount,
  target_account: AdminAccount,
  assigned_account: nullable(AdminAccount),
  action_taken_by_account: nullable(AdminAccount, 'Null for the command line'),
  statuses: Type.Array(Status, { description: 'Deleted ones as they were when they were reported' }),
  rules: Type.Array(Rule),
});
export type AdminReport = Static<typeof AdminReport>;

/** A reported post as it was when it was reported. */
export const ReportedStatus = entity('Fieldfare::ReportedStatus', {
  id: idSchema<'status'>(),
  uri: Type.String(),
  url: nullable(Type.String()),
  content: Type.String({ description: 'Safe HTML' }),
  spoiler_text: Type.String(),
  sensitive: Type.Boolean(),
  visibility: Type.Enum(['public', 'unlisted', 'private', 'direct']),
  media_descriptions: Type.Array(Type.String()),
  poll_options: Type.Array(Type.String()),
  created_at: instant,
  edited_at: nullable(instant),
  deleted: Type.Boolean({ description: 'The post was deleted since' }),
});
export type ReportedStatus = Static<typeof ReportedStatus>;

/** What a staff member wrote down about a report. */
export const ReportNote = entity('Fieldfare::ReportNote', {
  id: idSchema<'report-note'>(),
  content: Type.String(),
  created_at: instant,
  author: nullable(
    Type.Object({ id: idSchema<'account'>(), username: Type.String() }),
    'Null for the command line, or a deleted account',
  ),
});
export type ReportNote = Static<typeof ReportNote>;
