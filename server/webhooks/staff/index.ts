// Webhooks of staff: Mastodon's events of the whole server.
export {
  createStaffWebhook,
  deleteStaffWebhook,
  rotateStaffSecret,
  setStaffWebhookEnabled,
  updateStaffWebhook,
} from './change-staff-webhooks.ts';
export { listStaffDeliveries, listStaffWebhooks } from './find-staff-webhooks.ts';
export { staffEvents, type StaffEvent, type StaffWebhook } from './schema.ts';
