import type { StaffScenarios } from '../staff-scenario.ts';
import { auditLogScenarios } from './audit-log.ts';

/** A request of every staff route. */
export const staffScenarios: StaffScenarios = {
  ...auditLogScenarios,
};
