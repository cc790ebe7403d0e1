import { Type, type Static, type TSchema } from 'typebox';
import { Account } from '../accounts/schema.ts';
import { entity } from '../platform/http/entity.ts';
import { Status } from '../statuses/schema.ts';

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });
const OptionalId = nullable(Type.String({ pattern: '^[0-9]+$' }));

/** Entity AnnualReport in version 2 (reference/entities.tsv). */
export const AnnualReport = entity('AnnualReport', {
  year: Type.Integer(),
  data: Type.Object({
    archetype: Type.Enum(['lurker', 'booster', 'pollster', 'replier', 'oracle']),
    time_series: Type.Array(Type.Object({ month: Count, statuses: Count, followers: Count })),
    top_hashtags: Type.Array(Type.Object({ name: Type.String(), count: Count })),
    top_statuses: Type.Object({ by_reblogs: OptionalId, by_favourites: OptionalId, by_replies: OptionalId }),
  }),
  schema_version: Type.Integer(),
  share_url: nullable(Type.String({ format: 'uri' })),
  account_id: Type.String(),
});
export type AnnualReport = Static<typeof AnnualReport>;

/** Reports, with the accounts and posts in them. */
export const WrappedAnnualReports = entity('WrappedAnnualReports', {
  annual_reports: Type.Array(AnnualReport),
  accounts: Type.Array(Account),
  statuses: Type.Array(Status),
});
export type WrappedAnnualReports = Static<typeof WrappedAnnualReports>;
