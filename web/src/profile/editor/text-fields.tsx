import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import { useId } from 'preact/hooks';
import { countCharacters, countGraphemes } from '../../../../server/text/count-characters.ts';
import type { Instance } from '../../api/entities.ts';
import { formatCount, t } from '../../i18n/translate.tsx';
import { Icon } from '../../ui/icon.tsx';
import { limitInput } from '../../ui/limit-input.ts';
import type { DraftField, ProfileDraft } from './profile-draft.ts';

interface PartProps {
  readonly draft: ProfileDraft;
  readonly change: (changes: Partial<ProfileDraft>) => void;
  readonly limits: Instance['configuration']['accounts'];
}

/** The name and the text of a profile, with the count of their characters. */
export function NameAndBio({ draft, change, limits }: PartProps) {
  const id = useId();
  return (
    <>
      <div class="field">
        <label for={`${id}name`}>{t('profileEditor.name')}</label>
        <input
          id={`${id}name`}
          type="text"
          dir="auto"
          value={draft.display_name}
          aria-describedby={`${id}name-count`}
          onInput={(event) => change({ display_name: event.currentTarget.value })}
        />
        <Counter
          id={`${id}name-count`}
          count={countGraphemes(draft.display_name)}
          max={limits.max_display_name_length}
        />
      </div>
      <div class="field">
        <label for={`${id}bio`}>{t('profileEditor.bio')}</label>
        <textarea
          id={`${id}bio`}
          rows={5}
          dir="auto"
          value={draft.note}
          aria-describedby={`${id}bio-count`}
          onInput={(event) => change({ note: event.currentTarget.value })}
        />
        <Counter id={`${id}bio-count`} count={countCharacters(draft.note)} max={limits.max_note_length} />
      </div>
    </>
  );
}

function Counter({ id, count, max }: { readonly id: string; readonly count: number; readonly max: number }) {
  return (
    <span id={id} class={count > max ? 'problem small' : 'hint'}>
      {t('profileEditor.counter', { count, max: formatCount(max) })}
    </span>
  );
}

/** The fields of a profile: pairs of a label and a content. */
export function FieldsEditor({ draft, change, limits }: PartProps) {
  const set = (at: number, changes: Partial<DraftField>): void =>
    change({ fields: draft.fields.map((field, index) => (index === at ? { ...field, ...changes } : field)) });
  return (
    <fieldset class="plain profile-fields-editor">
      <legend>{t('profileEditor.fields')}</legend>
      <p class="soft small">{t('profileEditor.fieldsHint')}</p>
      {draft.fields.map((field, index) => (
        <div key={index} class="field-row">
          <input
            type="text"
            dir="auto"
            aria-label={t('profileEditor.fieldLabel', { number: index + 1 })}
            value={field.name}
            onInput={limitInput(limits.profile_field_name_limit, (name) => set(index, { name }))}
          />
          <input
            type="text"
            dir="auto"
            aria-label={t('profileEditor.fieldContent', { number: index + 1 })}
            value={field.value}
            onInput={limitInput(limits.profile_field_value_limit, (value) => set(index, { value }))}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={t('profileEditor.fieldRemove', { number: index + 1 })}
            onClick={() => change({ fields: draft.fields.filter((_, at) => at !== index) })}
          >
            <Icon svg={trash} />
          </button>
        </div>
      ))}
      {draft.fields.length < limits.max_profile_fields && (
        <button
          type="button"
          class="button quiet"
          onClick={() => change({ fields: [...draft.fields, { name: '', value: '' }] })}
        >
          {t('profileEditor.fieldAdd')}
        </button>
      )}
    </fieldset>
  );
}
