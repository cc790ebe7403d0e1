// Mail to users and to staff.
export { composeMail } from './mails.ts';
export { loadMailContext } from './mail-context.ts';
export { enqueueNotice } from './notices.ts';
export { sendStaffMail } from './staff-mail.ts';
