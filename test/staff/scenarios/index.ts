import type { StaffScenarios } from '../staff-scenario.ts';
import { accountScenarios } from './accounts.ts';
import { auditLogScenarios } from './audit-log.ts';

/** A request of every staff route. */
export const staffScenarios: StaffScenarios = {
  ...accountScenarios,
  ...auditLogScenarios,
};
