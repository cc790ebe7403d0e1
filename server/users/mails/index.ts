// Mail to users.
export { composeMail } from './mails.ts';
export { enqueueNotice } from './notices.ts';
