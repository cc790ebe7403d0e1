// Mail to users and to staff.
export { enqueueNotice, type Notice, type NoticeContent } from './notices.ts';
export { loadOwnStaffMails, setOwnStaffMails, type OwnStaffMail } from './own-staff-mails.ts';
export { claimStaffMail } from './staff-mail-times.ts';
export { listStaffMailRecipients, sendStaffMail } from './staff-mail.ts';
