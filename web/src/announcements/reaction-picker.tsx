import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../api/client.ts';
import type { CustomEmoji } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';

const common = '👍 👎 😀 😂 😍 🤔 😢 😮 😡 🙏 👏 🎉 🚀 👀 🔥 💯 ✅ ❌ 🌱 🌈 🍀 🐦 🐱 🐶 ☕ 🍰 ⚡ 🧡 💚 💙 💜 🫶'.split(
  ' ',
);
const customEmojis = signal<readonly CustomEmoji[]>([]);
const maxShown = 120;

interface ReactionPickerProps {
  readonly onPick: (name: string) => void;
  readonly onClose: () => void;
}

/** Chooses an emoji for a reaction: a common one, or a custom emoji. */
export function ReactionPicker({ onPick, onClose }: ReactionPickerProps) {
  useEffect(() => {
    const load = async (): Promise<void> => {
      customEmojis.value = await request<readonly CustomEmoji[]>('GET', '/api/v1/custom_emojis');
    };
    // Without the emojis of the server the common ones remain.
    if (customEmojis.peek().length === 0) load().catch(() => undefined);
  }, []);
  return (
    <Dialog title={t('announcements.react')} size="small" onClose={onClose}>
      <div class="emoji-grid">
        {common.map((emoji) => (
          <button key={emoji} type="button" class="icon-button" onClick={() => onPick(emoji)}>
            {emoji}
          </button>
        ))}
      </div>
      {customEmojis.value.length > 0 && <CustomEmojis onPick={onPick} />}
    </Dialog>
  );
}

function CustomEmojis({ onPick }: Pick<ReactionPickerProps, 'onPick'>) {
  const filter = useSignal('');
  const wanted = filter.value.trim().toLowerCase();
  const found = customEmojis.value.filter(({ shortcode }) => shortcode.toLowerCase().includes(wanted));
  return (
    <>
      <div class="field">
        <label for="reaction-filter">{t('announcements.findEmoji')}</label>
        <input
          id="reaction-filter"
          type="search"
          value={filter.value}
          onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
        />
      </div>
      <div class="emoji-grid">
        {found.slice(0, maxShown).map(({ shortcode, static_url: url }) => (
          <button
            key={shortcode}
            type="button"
            class="icon-button"
            title={`:${shortcode}:`}
            onClick={() => onPick(shortcode)}
          >
            <img class="emoji" src={url} alt={`:${shortcode}:`} loading="lazy" />
          </button>
        ))}
      </div>
    </>
  );
}
