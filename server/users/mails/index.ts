// Mail to users and to staff.
export { composeMail } from './mails.ts';
export { enqueueNotice } from './notices.ts';
export { enqueueStaffMail, type StaffMail } from './staff-mail.ts';
