import { useSignal } from '@preact/signals';
import type { CustomEmoji } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { useLoaded } from '../ui/use-loaded.tsx';
import { toggleReaction } from './actions.ts';

const frequent = ['👍', '❤️', '😂', '😮', '😢', '🎉', '🙏', '👀', '🔥', '💯', '🤔', '👏'] as const;

/** Lets the reader choose an emoji to react to a post with. */
export function openReactionPicker(statusId: string): void {
  openDialog((close) => <ReactionPicker statusId={statusId} onClose={close} />);
}

function ReactionPicker({ statusId, onClose }: { readonly statusId: string; readonly onClose: () => void }) {
  // Without them, the frequent ones remain.
  const emojis = useLoaded<readonly CustomEmoji[]>('/api/v1/custom_emojis').value ?? [];
  const query = useSignal('');
  const custom = emojis.filter(({ visible_in_picker: isVisible }) => isVisible);
  const react = (reaction: { name: string; url?: string; static_url?: string }): void => {
    onClose();
    void toggleReaction(statusId, reaction);
  };
  const wanted = query.value.trim().toLowerCase();
  return (
    <Dialog title={t('status.react')} size="small" onClose={onClose}>
      <div class="emoji-grid">
        {frequent.map((name) => (
          <button key={name} type="button" aria-label={name} onClick={() => react({ name })}>
            {name}
          </button>
        ))}
      </div>
      {custom.length > 0 && (
        <>
          <label class="field">
            <span>{t('reactions.search')}</span>
            <input type="search" value={query.value} onInput={(event) => (query.value = event.currentTarget.value)} />
          </label>
          <div class="emoji-grid">
            {custom
              .filter(({ shortcode }) => shortcode.toLowerCase().includes(wanted))
              .slice(0, 100)
              .map(({ shortcode, url, static_url: image }) => (
                <button
                  key={shortcode}
                  type="button"
                  aria-label={`:${shortcode}:`}
                  title={`:${shortcode}:`}
                  onClick={() => react({ name: shortcode, url, static_url: image })}
                >
                  <img src={image} alt="" loading="lazy" />
                </button>
              ))}
          </div>
        </>
      )}
    </Dialog>
  );
}
