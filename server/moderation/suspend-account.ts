import { markSuspended } from '../accounts/index.ts';
import type { App } from '../platform/app.ts';
import type { Staff } from '../site/index.ts';
import { enqueueNotice } from '../users/index.ts';
import { decide, type Decision } from './decision.ts';

/**
 * Suspends a local or remote account: nobody sees it or its posts, and its user cannot use it. Nothing is deleted. Tells a
 * local user by mail unless `notify` is false. Returns false if staff had suspended it before.
 */
export function suspendAccount(app: App, staff: Staff, { accountId, text, notify = true }: Decision): Promise<boolean> {
  return decide(app, staff, { accountId, action: 'suspend' }, async (write) => {
    if (!(await markSuspended(write, app, accountId))) return false;
    if (notify) await enqueueNotice(write, accountId, 'suspended', text);
    return true;
  });
}
