// Mail to users.
export { enqueueNotice } from './notices.ts';
