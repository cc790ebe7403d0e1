// Mail to users and to staff.
export { enqueueNotice, type Notice } from './notices.ts';
export { loadOwnStaffMails, setOwnStaffMails, type OwnStaffMail } from './own-staff-mails.ts';
export { listStaffMailRecipients, sendStaffMail } from './staff-mail.ts';
