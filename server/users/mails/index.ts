// Mail to users and to staff.
export { composeMail } from './mails.ts';
export { loadMailContext } from './mail-context.ts';
export { enqueueNotice } from './notices.ts';
export { loadOwnStaffMails, setOwnStaffMails, type OwnStaffMail } from './own-staff-mails.ts';
export { listStaffMailRecipients, sendStaffMail } from './staff-mail.ts';
