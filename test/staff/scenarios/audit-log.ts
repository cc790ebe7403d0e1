import type { StaffScenarios } from '../staff-scenario.ts';

export const auditLogScenarios: StaffScenarios = {
  'GET /api/v1/fieldfare/admin/audit_log': async () => ({ path: '/api/v1/fieldfare/admin/audit_log' }),
};
