import { Type } from 'typebox';
import { pageInput, paginated, parsePage } from '../../platform/http/pages.ts';
import { get, type Route } from '../../platform/http/routes.ts';
import { filterIdSchema, uncheckedIdSchema } from '../../platform/id-schema.ts';
import { listEntries } from './list-entries.ts';
import { AuditEntry } from './schema.ts';

const limits = { defaultLimit: 40, maxLimit: 200 };

/** The audit log; Mastodon has no API for its own. */
export const auditLogRoutes: readonly Route[] = [
  get('/api/v1/fieldfare/admin/audit_log', {
    summary: 'List what staff changed, newest first',
    access: 'staff:view_audit_log',
    scope: 'admin:read',
    input: Type.Object({
      ...pageInput(limits),
      staff_id: Type.Optional(filterIdSchema<'account'>()),
      action: Type.Optional(Type.String({ description: 'Such as domain_block.create' })),
      target_type: Type.Optional(Type.String({ description: 'Such as account' })),
      target_id: Type.Optional(uncheckedIdSchema()),
    }),
    response: Type.Array(AuditEntry),
    async handle({ app, request, input }) {
      const { entries, ...ends } = await listEntries(app, parsePage(input, limits), {
        staffId: input.staff_id,
        action: input.action,
        targetType: input.target_type,
        targetId: input.target_id,
      });
      return paginated(app, request, { json: entries, ...ends });
    },
  }),
];
