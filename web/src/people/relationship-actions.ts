import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { sendOrQueue } from '../offline/index.ts';
import { changeRelationship, relationshipOf, storeRelationship } from '../store/relationships.ts';
import { accountOf, statusOf, storeAccount } from '../store/statuses.ts';
import { shownTimelines } from '../timeline/index.ts';
import { showError } from '../ui/toasts.tsx';

interface Change {
  /** The last part of the path: `follow`. */
  readonly action: string;
  readonly body?: object;
  /** What shows until the server answers. */
  readonly expected: Partial<Relationship>;
}

/** Changes a relationship. It shows at once, and is undone with a message if the server refuses. Returns whether it worked. */
async function changeBy(accountId: string, { action, body = {}, expected }: Change): Promise<boolean> {
  const before = relationshipOf(accountId).peek();
  changeRelationship(accountId, expected);
  try {
    storeRelationship(await request<Relationship>('POST', `/api/v1/accounts/${accountId}/${action}`, { body }));
    return true;
  } catch (error) {
    if (before !== undefined) storeRelationship(before);
    showError(error, () => void changeBy(accountId, { action, body, expected }));
    return false;
  }
}

/**
 * Changes whether the viewer follows an account, now or when the server can be reached again. It shows at once, and is undone
 * with a message if the server refuses.
 */
async function changeFollow(
  { id, acct }: Pick<Account, 'id' | 'acct'>,
  { action, body = {}, expected }: Change,
): Promise<void> {
  const before = relationshipOf(id).peek();
  changeRelationship(id, expected);
  try {
    const changed = await sendOrQueue<Relationship>({
      kind: 'account',
      method: 'POST',
      path: `/api/v1/accounts/${id}/${action}`,
      body,
      summary: `@${acct}`,
      followedId: id,
      relationship: before,
    });
    if (changed === undefined) return;
    storeRelationship(changed);
    if (before !== undefined && before.following !== changed.following) countFollower(id, changed.following ? 1 : -1);
  } catch (error) {
    if (before !== undefined) storeRelationship(before);
    showError(error, () => void changeFollow({ id, acct }, { action, body, expected }));
  }
}

interface FollowOptions {
  readonly reblogs?: boolean;
  readonly notify?: boolean;
  /** Only posts in these languages; all if empty. */
  readonly languages?: readonly string[];
}

/** Follows an account, asks it for that, or changes the options of the follow. */
export async function followAccount(account: Account, options: FollowOptions = {}): Promise<void> {
  const wasFollowing = relationshipOf(account.id).peek()?.following === true;
  const expected = {
    ...(!wasFollowing && (account.locked ? { requested: true } : { following: true, showing_reblogs: true })),
    ...(options.reblogs !== undefined && { showing_reblogs: options.reblogs }),
    ...(options.notify !== undefined && { notifying: options.notify }),
    ...(options.languages !== undefined && { languages: options.languages }),
  };
  await changeFollow(account, { action: 'follow', body: options, expected });
}

/** Stops following an account, or withdraws the request to follow it. */
export const unfollowAccount = (account: Pick<Account, 'id' | 'acct'>): Promise<void> =>
  changeFollow(account, { action: 'unfollow', expected: { following: false, requested: false } });

/** Ends that an account follows the signed-in one. */
export const removeFollower = ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
  changeBy(id, { action: 'remove_from_followers', expected: { followed_by: false } });

/** Shows an account on the profile of the signed-in one, or no longer. */
export const setEndorsed = ({ id }: Pick<Account, 'id'>, endorsed: boolean): Promise<boolean> =>
  changeBy(id, { action: endorsed ? 'endorse' : 'unendorse', expected: { endorsed } });

interface MuteOptions {
  readonly notifications?: boolean;
  /** In seconds; 0 is for ever. */
  readonly duration?: number;
}

/** Mutes an account: its posts disappear from timelines. */
export async function muteAccount({ id }: Pick<Account, 'id'>, options: MuteOptions): Promise<boolean> {
  const isDone = await changeBy(id, { action: 'mute', body: options, expected: { muting: true } });
  if (isDone) removePosts((account) => account.id === id);
  return isDone;
}

export const unmuteAccount = ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
  changeBy(id, { action: 'unmute', expected: { muting: false } });

/** Blocks an account: its posts disappear from timelines. */
export async function blockAccount({ id }: Pick<Account, 'id'>): Promise<boolean> {
  const expected = { blocking: true, following: false, followed_by: false, requested: false };
  const isDone = await changeBy(id, { action: 'block', expected });
  if (isDone) removePosts((account) => account.id === id);
  return isDone;
}

export const unblockAccount = ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
  changeBy(id, { action: 'unblock', expected: { blocking: false } });

/** Stores the private note about an account. Rejects if the server refuses it. */
export async function saveNote({ id }: Pick<Account, 'id'>, comment: string): Promise<void> {
  storeRelationship(await request<Relationship>('POST', `/api/v1/accounts/${id}/note`, { body: { comment } }));
}

/** Blocks a server. `account`: one of its accounts, whose relationship changes with it. Rejects if the server refuses. */
export async function blockDomain(domain: string, account?: Account): Promise<void> {
  await request('POST', '/api/v1/domain_blocks', { body: { domain } });
  if (account !== undefined)
    changeRelationship(account.id, { domain_blocking: true, following: false, followed_by: false, requested: false });
  removePosts(({ acct }) => acct.endsWith(`@${domain}`));
}

/** Removes the block of a server. Rejects if the server refuses. */
export async function unblockDomain(domain: string, account?: Account): Promise<void> {
  await request('DELETE', '/api/v1/domain_blocks', { body: { domain } });
  if (account !== undefined) changeRelationship(account.id, { domain_blocking: false });
}

function countFollower(id: string, change: number): void {
  const account = accountOf(id).peek();
  if (account !== undefined) storeAccount({ ...account, followers_count: account.followers_count + change });
}

function removePosts(isRemoved: (account: Pick<Account, 'id' | 'acct'>) => boolean): void {
  for (const timeline of shownTimelines()) {
    if (timeline.source.context === 'account') continue;
    timeline.removeWhere((id) => {
      const status = statusOf(id).peek();
      if (status === undefined) return false;
      return isRemoved(status.account) || (status.reblog !== null && isRemoved(status.reblog.account));
    });
  }
}
