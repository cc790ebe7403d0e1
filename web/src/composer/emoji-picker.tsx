import smiley from '@phosphor-icons/core/regular/smiley.svg?raw';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { showError } from '../ui/toasts.tsx';
import { Icon } from '../ui/icon.tsx';
import { addRecentEmoji, loadCustomEmojis, loadUnicodeEmojis, recentEmojis, type ListedEmoji } from './emojis.ts';
import { foldText, rankEmoji, type UnicodeEmoji } from './list-emojis.ts';
import { closePopovers, Popover } from './popover.tsx';
import './emoji-picker.css';

interface EmojiPickerProps {
  /** Called with a character or a `:shortcode:`. */
  readonly onPick: (emoji: string) => void;
  readonly isDisabled?: boolean;
}

/** A button that opens all emojis: the recent ones, those of the server and those of Unicode, with a search. */
export function EmojiPicker({ onPick, isDisabled = false }: EmojiPickerProps) {
  return (
    <Popover label={t('composer.addEmoji')} button={<Icon svg={smiley} />} isDisabled={isDisabled}>
      {() => (
        <EmojiPanel
          onPick={(emoji) => {
            addRecentEmoji(emoji);
            closePopovers();
            onPick(emoji);
          }}
        />
      )}
    </Popover>
  );
}

interface Shown {
  readonly text: string;
  readonly name: string;
  readonly image?: string;
}

function EmojiPanel({ onPick }: { readonly onPick: (emoji: string) => void }) {
  const search = useSignal('');
  const emojis = useSignal<{ custom: readonly ListedEmoji[]; unicode: readonly UnicodeEmoji[] } | undefined>(undefined);
  useEffect(() => {
    Promise.all([loadCustomEmojis(), loadUnicodeEmojis()]).then(
      ([custom, unicode]) => (emojis.value = { custom, unicode }),
      showError,
    );
  }, []);
  const sections = emojis.value === undefined ? [] : sectionsOf(emojis.value, search.value.trim());
  return (
    <div class="emoji-panel">
      <input
        type="search"
        aria-label={t('composer.searchEmoji')}
        placeholder={t('composer.searchEmoji')}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = sections[0]?.emojis[0];
          if (event.key === 'Enter' && first !== undefined) {
            event.preventDefault();
            onPick(first.text);
          }
        }}
      />
      <div class="emoji-sections" aria-busy={emojis.value === undefined}>
        {sections.map(({ title, emojis: shown }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <div class="emoji-grid">
              {shown.map(({ text, name, image }) => (
                <button key={text} type="button" aria-label={name} title={name} onClick={() => onPick(text)}>
                  {image === undefined ? text : <img src={image} alt="" loading="lazy" width="24" height="24" />}
                </button>
              ))}
            </div>
          </section>
        ))}
        {emojis.value !== undefined && sections.length === 0 && <p class="soft">{t('composer.noEmoji')}</p>}
      </div>
    </div>
  );
}

interface Section {
  readonly title: string;
  readonly emojis: readonly Shown[];
}

function sectionsOf(
  { custom, unicode }: { readonly custom: readonly ListedEmoji[]; readonly unicode: readonly UnicodeEmoji[] },
  wanted: string,
): readonly Section[] {
  const listed = custom.map((emoji) => ({
    text: `:${emoji.shortcode}:`,
    name: `:${emoji.shortcode}:`,
    image: emoji.static_url,
    words: [foldText(emoji.shortcode)],
    title: emoji.category ?? t('composer.customEmojis'),
  }));
  const characters = unicode.map(({ emoji, name, words, group }) => ({
    text: emoji,
    name,
    words,
    title: groupTitle(group),
  }));
  const all = [...listed, ...characters];
  if (wanted !== '') {
    const folded = foldText(wanted);
    const ranked = all.flatMap((emoji) => {
      const rank = emoji.text === wanted ? 0 : rankEmoji(emoji.words, folded);
      return rank === undefined ? [] : [{ emoji, rank }];
    });
    const found = ranked.toSorted((one, other) => one.rank - other.rank).map(({ emoji }) => emoji);
    return found.length === 0 ? [] : [{ title: t('composer.foundEmojis'), emojis: found.slice(0, 80) }];
  }
  const byText = new Map(all.map((emoji) => [emoji.text, emoji]));
  const recent = recentEmojis().flatMap((text) => byText.get(text) ?? []);
  const groups = Map.groupBy(all, ({ title }) => title);
  return [
    ...(recent.length > 0 ? [{ title: t('composer.recentEmojis'), emojis: recent }] : []),
    ...[...groups].map(([title, emojis]) => ({ title, emojis })),
  ];
}

function groupTitle(group: string): string {
  switch (group) {
    case 'smileys_emotion':
      return t('emojis.smileys');
    case 'people_body':
      return t('emojis.people');
    case 'animals_nature':
      return t('emojis.nature');
    case 'food_drink':
      return t('emojis.food');
    case 'travel_places':
      return t('emojis.travel');
    case 'activities':
      return t('emojis.activities');
    case 'objects':
      return t('emojis.objects');
    case 'flags':
      return t('emojis.flags');
    default:
      return t('emojis.symbols');
  }
}
