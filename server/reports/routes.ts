import { Type } from 'typebox';
import { notFound } from '../platform/http/http-errors.ts';
import { post, type Route } from '../platform/http/routes.ts';
import { idSchema, uncheckedIdSchema } from '../platform/id-schema.ts';
import { presentReport } from './present-reports.ts';
import { reportAccount } from './report-account.ts';
import { Report, ReportCategory } from './schema.ts';

export const routes: readonly Route[] = [
  post('/api/v1/reports', {
    summary: 'Report an account to the staff',
    access: 'user',
    scope: 'write|write:reports',
    rateLimit: 'reports',
    input: Type.Object({
      account_id: Type.Optional(idSchema<'account'>()),
      status_ids: Type.Optional(Type.Array(idSchema<'status'>(), { description: 'Posts of the account' })),
      collection_ids: Type.Optional(
        Type.Array(idSchema<'collection'>(), { description: 'Collections of the account' }),
      ),
      comment: Type.Optional(Type.String({ description: 'At most 1000 characters' })),
      category: Type.Optional(ReportCategory),
      rule_ids: Type.Optional(
        Type.Array(uncheckedIdSchema(), { description: 'The broken rules; they make the category `violation`' }),
      ),
      forward: Type.Optional(
        Type.Boolean({ description: 'Sends a copy to other servers, without the name of the reporter' }),
      ),
      forward_to_domains: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Servers that receive the copy: that of the account, or of accounts that the posts reply to',
        }),
      ),
    }),
    response: Report,
    async handle({ app, viewer, input }) {
      if (input.account_id === undefined) throw notFound();
      const id = await reportAccount(app, viewer.accountId, {
        targetAccountId: input.account_id,
        statusIds: input.status_ids,
        collectionIds: input.collection_ids,
        comment: input.comment,
        category: input.category,
        ruleIds: input.rule_ids,
        forward: input.forward,
        forwardToDomains: input.forward_to_domains,
      });
      return presentReport(app, viewer, id);
    },
  }),
];
