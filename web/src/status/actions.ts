import { request } from '../api/client.ts';
import type { Status, StatusReaction } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { sendOrQueue } from '../offline/index.ts';
import { me } from '../session/session.ts';
import { flagChange, type Flag } from '../store/status-flags.ts';
import type { Change } from '../store/changes.ts';
import { statusChanges, statusOf, storeStatus } from '../store/statuses.ts';
import { showError, showToast } from '../ui/toasts.tsx';
import { offerUndo, undoOffers } from '../ui/undo.ts';
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
  const status = statusOf(id).peek();
  const isSet = status?.[flag] !== true;
  const undo = async (): Promise<void> => {
    const isUndone = await statusChanges.make(id, changeOf(id, flag, !isSet));
    if (isUndone && isSet && flag === 'reblogged' && status !== undefined && status.account.id !== me.peek().id)
      showToast(t('undo.mayKnow', { name: `@${status.account.acct}` }));
  };
  const text = describeFlag(flag, isSet);
  if (text === undefined) undoOffers.addQuietly(undo);
  else offerUndo(text, undo);
  await statusChanges.make(id, changeOf(id, flag, isSet));
}

/** Returns what was done, in words; undefined where the button remains that did it. */
function describeFlag(flag: Flag, isSet: boolean): string | undefined {
  switch (flag) {
    case 'favourited':
      return isSet ? undefined : t('undo.unfavourited');
    case 'bookmarked':
      return isSet ? undefined : t('undo.unbookmarked');
    case 'reblogged':
      return isSet ? t('undo.boosted') : t('undo.unboosted');
    case 'muted':
      return isSet ? t('undo.mutedConversation') : t('undo.unmutedConversation');
    case 'pinned':
      return isSet ? t('undo.pinned') : t('undo.unpinned');
  }
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
