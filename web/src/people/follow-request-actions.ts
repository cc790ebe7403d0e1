import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { me, setMe } from '../session/session.ts';
import { storeRelationship } from '../store/relationships.ts';
import { showError } from '../ui/toasts.tsx';

/** Accepts or rejects a follow request. Returns whether it worked; a failure is shown with a button to try again. */
export async function answerFollowRequest(
  account: Pick<Account, 'id'>,
  answer: 'authorize' | 'reject',
): Promise<boolean> {
  try {
    storeRelationship(await request<Relationship>('POST', `/api/v1/follow_requests/${account.id}/${answer}`));
    countFollowRequests(-1);
    return true;
  } catch (error) {
    showError(error, () => void answerFollowRequest(account, answer));
    return false;
  }
}

/** Changes how many follow requests wait for the signed-in account. */
export function countFollowRequests(change: number): void {
  const account = me.peek();
  const count = Math.max(0, account.source.follow_requests_count + change);
  setMe({ ...account, source: { ...account.source, follow_requests_count: count } });
}
