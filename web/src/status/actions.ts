import { request } from '../api/client.ts';
import type { Status, StatusReaction } from '../api/entities.ts';
import { sendOrQueue } from '../offline/index.ts';
import { flagChange, type Flag } from '../store/status-flags.ts';
import type { Change } from '../store/changes.ts';
import { statusChanges, statusOf, storeStatus } from '../store/statuses.ts';
import { showError } from '../ui/toasts.tsx';
import { withReaction } from './with-reaction.ts';

const names = {
  favourited: ['favourite', 'unfavourite'],
  reblogged: ['reblog', 'unreblog'],
  bookmarked: ['bookmark', 'unbookmark'],
  muted: ['mute', 'unmute'],
  pinned: ['pin', 'unpin'],
} as const;

/** Favourites, boosts, bookmarks, mutes or pins a post, or undoes that. It shows at once, and is undone with a message if the server refuses. */
export async function toggleFlag(id: string, flag: Flag): Promise<void> {
  await statusChanges.make(id, changeOf(id, flag, statusOf(id).peek()?.[flag] !== true));
}

const changeOf = (id: string, flag: Flag, isSet: boolean): Change<Status> => ({
  name: flag,
  apply: (status) => flagChange(status, flag, isSet),
  isIn: (status) => (status[flag] === true) === isSet,
  send: async () => {
    const [set, unset] = names[flag];
    const status = await sendOrQueue<Status>({
      kind: 'status',
      method: 'POST',
      path: `/api/v1/statuses/${id}/${isSet ? set : unset}`,
      statusId: id,
      flags: { [flag]: isSet },
    });
    return status && store(flag === 'reblogged' ? (status.reblog ?? status) : status);
  },
  onError: (error) => showError(error, () => void statusChanges.make(id, changeOf(id, flag, isSet))),
  fromOtherWindow: ({ [flag]: wanted }) =>
    wanted === undefined || wanted === isSet ? undefined : changeOf(id, flag, wanted),
});

function store(status: Status): Status {
  storeStatus(status);
  return status;
}

type OwnReaction = Pick<StatusReaction, 'name' | 'url' | 'static_url'>;

/** Adds the reader's emoji reaction to a post, or removes it. It shows at once, and is undone if the server refuses. */
export async function toggleReaction(id: string, reaction: OwnReaction): Promise<void> {
  const shown = statusOf(id).peek();
  await statusChanges.make(id, reactionChange(id, reaction, shown === undefined || !hasReaction(shown, reaction)));
}

const reactionChange = (id: string, reaction: OwnReaction, isSet: boolean): Change<Status> => ({
  name: `reaction ${reaction.name}`,
  apply: (status) => ({
    reactions:
      hasReaction(status, reaction) === isSet ? status.reactions : withReaction(status.reactions, reaction, isSet),
  }),
  isIn: (status) => hasReaction(status, reaction) === isSet,
  send: async () => {
    const verb = isSet ? 'react' : 'unreact';
    return store(await request<Status>('POST', `/api/v1/statuses/${id}/${verb}/${encodeURIComponent(reaction.name)}`));
  },
  onError: (error) => showError(error, () => void statusChanges.make(id, reactionChange(id, reaction, isSet))),
});

const hasReaction = ({ reactions }: Status, { name }: OwnReaction): boolean =>
  reactions.some((one) => one.name === name && one.me === true);
