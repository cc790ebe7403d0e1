import translate from '@phosphor-icons/core/regular/translate.svg?raw';
import { useSignal } from '@preact/signals';
import { locale, t } from '../i18n/translate.tsx';
import { instance, me } from '../session/session.ts';
import { Icon } from '../ui/icon.tsx';
import type { Composition } from './composition.ts';
import { guessLanguage } from './guess-language.ts';
import { closePopovers, Popover } from './popover.tsx';

const codes =
  'af ar be bg bn ca cs cy da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk ml ms nb nl nn pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh'.split(
    ' ',
  );

/** Returns the name of a language in the language of the client. */
export function nameLanguage(code: string): string {
  return new Intl.DisplayNames([locale.value], { type: 'language' }).of(code) ?? code;
}

/** The choice of the language of a post, with a search. */
export function LanguagePicker({ composition }: { readonly composition: Composition }) {
  const { language } = composition.content.value;
  const name = language === '' ? t('composer.detectLanguage') : nameLanguage(language);
  return (
    <Popover
      label={t('composer.languageIs', { language: name })}
      buttonClass="chip"
      button={
        <>
          <Icon svg={translate} />
          <span>{name}</span>
        </>
      }
    >
      {() => (
        <LanguageList
          chosen={language}
          onChoose={(code) => {
            composition.change({ language: code });
            closePopovers();
          }}
        />
      )}
    </Popover>
  );
}

function LanguageList({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (code: string) => void }) {
  const search = useSignal('');
  const preferred = [chosen, me.value.source.language ?? '', ...(instance.value?.languages ?? []), locale.value];
  const wanted = search.value.trim().toLowerCase();
  const all = [...new Set([...preferred, ...codes])].filter((code) => code !== '');
  const found = all.filter((code) => code.startsWith(wanted) || nameLanguage(code).toLowerCase().includes(wanted));
  return (
    <>
      <input
        type="search"
        aria-label={t('composer.searchLanguage')}
        placeholder={t('composer.searchLanguage')}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0] !== undefined) onChoose(found[0]);
        }}
      />
      <div class="language-list">
        {wanted === '' && (
          <Language label={t('composer.detectLanguage')} isChosen={chosen === ''} onChoose={() => onChoose('')} />
        )}
        {found.map((code) => (
          <Language key={code} label={nameLanguage(code)} isChosen={code === chosen} onChoose={() => onChoose(code)} />
        ))}
      </div>
    </>
  );
}

interface LanguageProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Language({ label, isChosen, onChoose }: LanguageProps) {
  return (
    <button type="button" class="menu-item" aria-pressed={isChosen} onClick={onChoose}>
      {label}
    </button>
  );
}

/** Asks whether the text is in another language than the chosen one. */
export function LanguageHint({ composition }: { readonly composition: Composition }) {
  const { language, posts } = composition.content.value;
  if (language === '') return null;
  const guessed = guessLanguage(posts.map(({ text }) => text).join(' '));
  if (guessed === undefined || guessed === language.split('-', 1)[0]) return null;
  return (
    <p class="language-hint small soft">
      {t('composer.looksLike', { language: nameLanguage(guessed) })}{' '}
      <button type="button" class="link" onClick={() => composition.change({ language: guessed })}>
        {t('composer.changeLanguage', { language: nameLanguage(guessed) })}
      </button>
    </p>
  );
}
