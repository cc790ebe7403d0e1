import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { sendOrQueue } from '../offline/index.ts';
import { setFields } from '../store/changes.ts';
import { changeRelationship, relationshipChanges, relationshipOf, storeRelationship } from '../store/relationships.ts';
import { accountOf, statusOf, storeAccount } from '../store/statuses.ts';
import { shownTimelines } from '../timeline/index.ts';
import { showError } from '../ui/toasts.tsx';

interface RelationshipChange {
  /** The last part of the path: `follow`. */
  readonly action: string;
  readonly body?: object;
  /** What shows until the server answers. */
  readonly expected: Partial<Relationship>;
  /** Of the changes with the same name, one is sent at a time. */
  readonly name: string;
  readonly isIn?: (relationship: Relationship) => boolean;
}

/**
 * Changes a relationship. It shows at once, and is undone with a message if the server refuses. Returns whether the server has
 * it. `send` is another way to send it.
 */
function changeBy(id: string, change: RelationshipChange, send = sendNow): Promise<boolean> {
  const { action, body = {}, expected, name, isIn } = change;
  const made = setFields(expected, {
    name,
    send: async () => {
      const changed = await send(`/api/v1/accounts/${id}/${action}`, body);
      if (changed !== undefined) storeRelationship(changed);
      return changed;
    },
    onError: (error) => showError(error, () => void changeBy(id, change, send)),
  });
  return relationshipChanges.make(id, isIn === undefined ? made : { ...made, isIn });
}

type Send = (path: string, body: object) => Promise<Relationship | undefined>;
const sendNow: Send = (path, body) => request<Relationship>('POST', path, { body });

/** Changes whether or how the viewer follows an account, now or when the server can be reached again. */
async function changeFollow({ id, acct }: Pick<Account, 'id' | 'acct'>, change: RelationshipChange): Promise<void> {
  const before = relationshipOf(id).peek();
  await changeBy(id, change, async (path, body) => {
    const follow = { summary: `@${acct}`, followedId: id, relationship: before };
    const changed = await sendOrQueue<Relationship>({ kind: 'account', method: 'POST', path, body, ...follow });
    if (changed !== undefined && before !== undefined && before.following !== changed.following)
      countFollower(id, changed.following ? 1 : -1);
    return changed;
  });
}

interface FollowOptions {
  readonly reblogs?: boolean;
  readonly notify?: boolean;
  /** Only posts in these languages; all if empty. */
  readonly languages?: readonly string[];
}

/** Follows an account, asks it for that, or changes the options of the follow. */
export async function followAccount(account: Account, options: FollowOptions = {}): Promise<void> {
  const changed = {
    ...(options.reblogs !== undefined && { showing_reblogs: options.reblogs }),
    ...(options.notify !== undefined && { notifying: options.notify }),
    ...(options.languages !== undefined && { languages: options.languages }),
  };
  const isFollowing = relationshipOf(account.id).peek()?.following === true;
  await changeFollow(
    account,
    isFollowing
      ? { name: Object.keys(options).join(), action: 'follow', body: options, expected: changed }
      : {
          name: 'follow',
          action: 'follow',
          body: options,
          expected: {
            ...(account.locked ? { requested: true } : { following: true, showing_reblogs: true }),
            ...changed,
          },
          isIn: ({ following, requested }) => following || requested,
        },
  );
}

/** Stops following an account, or withdraws the request to follow it. */
export const unfollowAccount = (account: Pick<Account, 'id' | 'acct'>): Promise<void> =>
  changeFollow(account, { name: 'follow', action: 'unfollow', expected: { following: false, requested: false } });

/** Ends that an account follows the signed-in one. */
export const removeFollower = ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
  changeBy(id, { name: 'follower', action: 'remove_from_followers', expected: { followed_by: false } });

/** Shows an account on the profile of the signed-in one, or no longer. */
export const setEndorsed = ({ id }: Pick<Account, 'id'>, endorsed: boolean): Promise<boolean> =>
  changeBy(id, { name: 'endorse', action: endorsed ? 'endorse' : 'unendorse', expected: { endorsed } });

interface MuteOptions {
  readonly notifications?: boolean;
  /** In seconds; 0 is for ever. */
  readonly duration?: number;
}

/** Mutes an account: its posts disappear from timelines. */
export async function muteAccount({ id }: Pick<Account, 'id'>, options: MuteOptions): Promise<boolean> {
  const isDone = await changeBy(id, {
    name: 'mute',
    action: 'mute',
    body: options,
    expected: { muting: true },
    // An existing mute may have other options.
    isIn: () => false,
  });
  if (isDone) removePosts((account) => account.id === id);
  return isDone;
}

export const unmuteAccount = ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
  changeBy(id, { name: 'mute', action: 'unmute', expected: { muting: false } });

/** Blocks an account: its posts disappear from timelines. */
export async function blockAccount({ id }: Pick<Account, 'id'>): Promise<boolean> {
  const expected = { blocking: true, following: false, followed_by: false, requested: false };
  const isDone = await changeBy(id, { name: 'block', action: 'block', expected });
  if (isDone) removePosts((account) => account.id === id);
  return isDone;
}

export const unblockAccount = ({ id }: Pick<Account, 'id'>): Promise<boolean> =>
  changeBy(id, { name: 'block', action: 'unblock', expected: { blocking: false } });

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
