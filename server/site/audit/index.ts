// What staff changed, for the audit log (server/moderation/audit-log).
export { staffActed } from './events.ts';
export {
  auditTargets,
  auditVerbs,
  recordStaffAction,
  type AuditDetails,
  type AuditTarget,
  type AuditVerb,
  type StaffAction,
} from './record-staff-action.ts';
export { recordStaffUpdate } from './record-staff-update.ts';
