import { useId } from 'preact/hooks';
import { t } from '../../i18n/translate.tsx';
import type { ProfileDraft } from './profile-draft.ts';
import '../../ui/choices.css';

interface FlagFieldsProps {
  readonly draft: ProfileDraft;
  readonly change: (changes: Partial<ProfileDraft>) => void;
}

type Flag = {
  [Name in keyof ProfileDraft]: ProfileDraft[Name] extends boolean ? Name : never;
}[keyof ProfileDraft];

/** Who can find and follow the account, and what its profile shows. */
export function FlagFields({ draft, change }: FlagFieldsProps) {
  const id = useId();
  const flag = (name: Flag, label: string, hint?: string) => (
    <label key={name} class="choice">
      <input
        type="checkbox"
        checked={draft[name]}
        onChange={(event) => change({ [name]: event.currentTarget.checked })}
      />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
  return (
    <>
      <fieldset class="plain">
        <legend>{t('profileEditor.privacy')}</legend>
        {flag('discoverable', t('profileEditor.discoverable'), t('profileEditor.discoverableHint'))}
        {flag('indexable', t('profileEditor.indexable'), t('profileEditor.indexableHint'))}
        {flag('locked', t('profileEditor.locked'), t('profileEditor.lockedHint'))}
        {flag('hide_collections', t('profileEditor.hideCollections'))}
        {flag('bot', t('profileEditor.bot'), t('profileEditor.botHint'))}
      </fieldset>
      <fieldset class="plain">
        <legend>{t('profileEditor.features')}</legend>
        {flag('show_media', t('profileEditor.showMedia'))}
        {flag('show_media_replies', t('profileEditor.showMediaReplies'))}
        {flag('show_featured', t('profileEditor.showFeatured'))}
      </fieldset>
      <div class="field">
        <label for={id}>{t('profileEditor.attribution')}</label>
        <span class="hint">{t('profileEditor.attributionHint')}</span>
        <textarea
          id={id}
          rows={3}
          dir="ltr"
          spellcheck={false}
          autoCapitalize="none"
          value={draft.attribution}
          onInput={(event) => change({ attribution: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
