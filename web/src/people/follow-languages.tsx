import { useSignal } from '@preact/signals';
import type { Account, Language } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { nameOf } from '../ui/display-name.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { loadLanguages, nameOfLanguage } from './languages.ts';
import { followAccount } from './relationship-actions.ts';
import '../ui/choices.css';

interface LanguagesProps {
  readonly account: Account;
  readonly chosen: readonly string[];
  readonly onClose: () => void;
}

/** Opens the choice of the languages in which the reader wants to see the posts of a followed account. */
export function openFollowLanguages(account: Account, chosen: readonly string[]): void {
  openDialog((close) => <FollowLanguages account={account} chosen={chosen} onClose={close} />);
}

function FollowLanguages({ account, chosen, onClose }: LanguagesProps) {
  const all = useLoaded<readonly Language[]>('languages', loadLanguages);
  const codes = useSignal<ReadonlySet<string>>(new Set(chosen));
  const search = useSignal('');
  const shown = (all.value ?? []).filter((one) => matches(one, search.value, codes.value));
  return (
    <Dialog
      title={t('people.languagesTitle', { name: nameOf(account) })}
      size="small"
      onClose={onClose}
      actions={
        <button
          type="button"
          class="button"
          onClick={() => {
            void followAccount(account, { languages: [...codes.value] });
            onClose();
          }}
        >
          {t('people.save')}
        </button>
      }
    >
      <p class="soft">{t('people.languagesHint')}</p>
      <input
        type="search"
        value={search.value}
        aria-label={t('people.searchLanguages')}
        placeholder={t('people.searchLanguages')}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      {all.error !== undefined && <NotLoaded of={all} />}
      <div class="choices scrolling">
        {shown.map((language) => (
          <label key={language.code} class="choice">
            <input
              type="checkbox"
              checked={codes.value.has(language.code)}
              onChange={() => (codes.value = codes.value.symmetricDifference(new Set([language.code])))}
            />
            <span>{nameOfLanguage(language)}</span>
          </label>
        ))}
      </div>
    </Dialog>
  );
}

function matches(language: Language, search: string, chosen: ReadonlySet<string>): boolean {
  if (search.trim() === '') return true;
  const text = search.trim().toLowerCase();
  return (
    chosen.has(language.code) ||
    [language.code, language.name, nameOfLanguage(language)].some((one) => one.toLowerCase().includes(text))
  );
}
