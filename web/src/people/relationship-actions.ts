import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { sendOrQueue } from '../offline/index.ts';
import { setFields } from '../store/changes.ts';
import { changeRelationship, relationshipChanges, relationshipOf, storeRelationship } from '../store/relationships.ts';
import { accountOf, statusOf, storeAccount } from '../store/statuses.ts';
import { shownTimelines } from '../timeline/index.ts';
import { nameOf } from '../ui/display-name.tsx';
import { hide, isRemoved, removeLater } from '../ui/remove-later.ts';
import { showError, showToast } from '../ui/toasts.tsx';
import { offerUndo, sendLater } from '../ui/undo.ts';

interface RelationshipChange {
  /** The last part of the path: `follow`. */
  readonly action: string;
  readonly body?: object;
  /** What shows until the server answers. */
  readonly expected: Partial<Relationship>;
  /** Of the changes with the same name, one is sent at a time. */
  readonly name: string;
  readonly mayBeSent?: Promise<boolean>;
  readonly isIn?: (relationship: Relationship) => boolean;
}

/**
 * Changes a relationship. It shows at once, and is undone with a message if the server refuses. Returns whether the server has
 * it. `send` is another way to send it.
 */
function changeBy(id: string, change: RelationshipChange, send = sendNow): Promise<boolean> {
  const { action, body = {}, expected, name, mayBeSent, isIn } = change;
  const made = setFields(expected, {
    name,
    ...(mayBeSent !== undefined && { mayBeSent }),
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
const sendNow: Send = (path, body) => request<Relationship>('POST', path, { body, keepalive: true });

/** Changes whether or how the viewer follows an account, now or when the server can be reached again. */
function changeFollow({ id, acct }: Pick<Account, 'id' | 'acct'>, change: RelationshipChange): Promise<boolean> {
  const before = relationshipOf(id).peek();
  return changeBy(id, change, async (path, body) => {
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
  const followed = changeFollow(
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
  if (!isFollowing) {
    const names = { name: nameOf(account) };
    offerUndo(account.locked ? t('people.askedToFollow', names) : t('people.nowFollowed', names), async () => {
      if (await changeFollow(account, unfollow)) showToast(t('undo.mayKnow', names));
    });
  }
  await followed;
}

const unfollow: RelationshipChange = {
  name: 'follow',
  action: 'unfollow',
  expected: { following: false, requested: false },
};

/**
 * Stops following an account, or withdraws the request to follow it. Nobody learns of it while it can be undone: a new follow
 * would need a new approval, and be told to the account.
 */
export function unfollowAccount(account: Account): Promise<boolean> {
  const names = { name: nameOf(account) };
  const text =
    relationshipOf(account.id).peek()?.following === true ? describeUnfollow(account) : t('people.withdrawn', names);
  return sendLater(text, (mayBeSent) => changeFollow(account, { ...unfollow, mayBeSent }));
}

const describeUnfollow = (account: Account): string =>
  account.locked
    ? t('people.unfollowedLocked', { name: nameOf(account) })
    : t('people.unfollowed', { name: nameOf(account) });

/** Ends that an account follows the signed-in one, which can be undone for some seconds. */
export const removeFollower = (account: Account): Promise<boolean> =>
  sendLater(t('people.followerRemoved', { name: nameOf(account) }), (mayBeSent) =>
    changeBy(account.id, {
      name: 'follower',
      action: 'remove_from_followers',
      expected: { followed_by: false },
      mayBeSent,
    }),
  );

/** Shows an account on the profile of the signed-in one, or no longer. */
export const setEndorsed = ({ id }: Pick<Account, 'id'>, endorsed: boolean): Promise<boolean> =>
  changeBy(id, { name: 'endorse', action: endorsed ? 'endorse' : 'unendorse', expected: { endorsed } });

interface MuteOptions {
  readonly notifications?: boolean;
  /** In seconds; 0 is for ever. */
  readonly duration?: number;
}

/** Mutes an account: its posts disappear from timelines, and return if it is undone. */
export const muteAccount = (account: Account, options: MuteOptions): Promise<boolean> =>
  silence(account, t('people.muted', { name: nameOf(account) }), {
    name: 'mute',
    action: 'mute',
    body: options,
    expected: { muting: true },
    // An existing mute may have other options.
    isIn: () => false,
  });

/** Ends a mute, which can be undone for some seconds, with its options. */
export const unmuteAccount = (account: Account): Promise<boolean> =>
  sendLater(t('people.unmuted', { name: nameOf(account) }), (mayBeSent) =>
    changeBy(account.id, { name: 'mute', action: 'unmute', expected: { muting: false }, mayBeSent }),
  );

/**
 * Blocks an account: its posts disappear from timelines, and return if it is undone. The follows that end with it would not
 * return with a later unblock.
 */
export const blockAccount = (account: Account): Promise<boolean> =>
  silence(account, t('people.blocked', { name: nameOf(account) }), {
    name: 'block',
    action: 'block',
    expected: { blocking: true, following: false, followed_by: false, requested: false },
  });

/** Ends a block, which can be undone for some seconds. */
export const unblockAccount = (account: Account): Promise<boolean> =>
  sendLater(t('people.unblocked', { name: nameOf(account) }), (mayBeSent) =>
    changeBy(account.id, { name: 'block', action: 'unblock', expected: { blocking: false }, mayBeSent }),
  );

/** Blocks or mutes an account. Its posts are hidden at once, and removed when it can no longer be undone. */
async function silence({ id }: Account, text: string, change: RelationshipChange): Promise<boolean> {
  const show = hide(`/api/v1/accounts/${id}`);
  const isDone = await sendLater(text, (mayBeSent) => changeBy(id, { ...change, mayBeSent }));
  if (isDone) removePosts((account) => account.id === id);
  show();
  return isDone;
}

/** Stores the private note about an account. Rejects if the server refuses it. */
export async function saveNote({ id }: Pick<Account, 'id'>, comment: string): Promise<void> {
  storeRelationship(await request<Relationship>('POST', `/api/v1/accounts/${id}/note`, { body: { comment } }));
}

/** Returns the address below which the block of a server, and the posts from there, are hidden while it can be undone. */
const domainPath = (domain: string): string => `/api/v1/domain_blocks/${domain}`;

/**
 * Blocks a server, which can be undone for some seconds; the follows that end with it would not return later. `account`: one
 * of its accounts, whose relationship changes with it. Resolves to whether it is blocked.
 */
export const blockDomain = (domain: string, account?: Account): Promise<boolean> =>
  removeLater({
    text: t('people.serverBlocked', { domain }),
    path: domainPath(domain),
    send: () => request('POST', '/api/v1/domain_blocks', { body: { domain }, keepalive: true }),
    onRemoved() {
      if (account !== undefined)
        changeRelationship(account.id, {
          domain_blocking: true,
          following: false,
          followed_by: false,
          requested: false,
        });
      removePosts(({ acct }) => acct.endsWith(`@${domain}`));
    },
  });

/** Whether the block of a server is removed, or will be unless that is undone. */
export const isDomainUnblocked = (domain: string): boolean => isRemoved(unblockPath(domain));

const unblockPath = (domain: string): string => `${domainPath(domain)}/unblock`;

/** Removes the block of a server, which can be undone for some seconds. Resolves to whether it is removed. */
export const unblockDomain = (domain: string, account?: Account): Promise<boolean> =>
  removeLater({
    text: t('people.serverUnblocked', { domain }),
    path: unblockPath(domain),
    send: () => request('DELETE', '/api/v1/domain_blocks', { body: { domain }, keepalive: true }),
    onRemoved() {
      if (account !== undefined) changeRelationship(account.id, { domain_blocking: false });
    },
  });

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
