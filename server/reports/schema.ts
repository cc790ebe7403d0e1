import { Type, type Static } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { idSchema } from '../platform/id-schema.ts';

const instant = Type.String({ format: 'date-time' });

export const ReportCategory = Type.Enum(['spam', 'legal', 'violation', 'other']);
export type ReportCategory = Static<typeof ReportCategory>;

/** Entity Report (reference/entities.tsv). */
export const Report = entity('Report', {
  id: idSchema<'report'>(),
  action_taken: Type.Boolean(),
  action_taken_at: Type.Union([instant, Type.Null()]),
  category: ReportCategory,
  comment: Type.String(),
  forwarded: Type.Boolean({ description: 'Whether the server of the account receives a copy' }),
  created_at: instant,
  status_ids: Type.Array(idSchema<'status'>()),
  collection_ids: Type.Array(idSchema<'collection'>()),
  rule_ids: Type.Union([Type.Array(Type.String()), Type.Null()]),
  target_account: Account,
});
export type Report = Static<typeof Report>;
