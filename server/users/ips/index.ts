// The addresses from which users sign in and use tokens, for staff.
export { recordUserIp, storeUserIp } from './record-user-ip.ts';
