import type { Status, StatusReaction } from '../api/entities.ts';
import { formatBriefly, t } from '../i18n/translate.tsx';
import { toggleReaction } from './actions.ts';

/** The emoji reactions to a post, each with its count. A click joins or leaves it. */
export function Reactions({ status }: { readonly status: Status }) {
  if (status.reactions.length === 0) return null;
  return (
    <div class="reactions" role="group" aria-label={t('reactions.title')}>
      {status.reactions.map((reaction) => (
        <button
          key={reaction.name}
          type="button"
          class="reaction"
          aria-pressed={reaction.me === true}
          aria-label={t('reactions.count', { name: nameOf(reaction), count: reaction.count })}
          onClick={() => void toggleReaction(status.id, reaction)}
        >
          {reaction.static_url === undefined ? (
            <span aria-hidden="true">{reaction.name}</span>
          ) : (
            <img class="emoji" src={reaction.static_url} alt="" />
          )}
          <span aria-hidden="true">{formatBriefly(reaction.count)}</span>
        </button>
      ))}
    </div>
  );
}

const nameOf = ({ name, url }: StatusReaction): string => (url === undefined ? name : `:${name}:`);
