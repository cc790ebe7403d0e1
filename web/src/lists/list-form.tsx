import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { saveList } from './lists.ts';
import '../ui/choices.css';

/** Opens the form for a new list or an existing one. */
export function openListForm(list?: List, onSaved?: (list: List) => void): void {
  openDialog((close) => <ListForm list={list} onSaved={onSaved} onClose={close} />);
}

interface ListFormProps {
  readonly list: List | undefined;
  readonly onSaved: ((list: List) => void) | undefined;
  readonly onClose: () => void;
}

function ListForm({ list, onSaved, onClose }: ListFormProps) {
  const titleId = useId();
  const title = useSignal(list?.title ?? '');
  const isExclusive = useSignal(list?.exclusive ?? false);
  const replies = useSignal<List['replies_policy']>(list?.replies_policy ?? 'list');
  const save = (): Promise<List> => {
    const input = { title: title.value.trim(), exclusive: isExclusive.value, replies_policy: replies.value };
    return saveList(input, list?.id);
  };
  return (
    <FormDialog
      title={list === undefined ? t('lists.new') : t('lists.editTitle', { title: list.title })}
      action={list === undefined ? t('lists.create') : t('people.save')}
      save={save}
      onSaved={onSaved}
      onClose={onClose}
    >
      <div class="field">
        <label for={titleId}>{t('lists.name')}</label>
        <input
          id={titleId}
          type="text"
          dir="auto"
          required
          value={title.value}
          onInput={(event) => (title.value = event.currentTarget.value)}
        />
      </div>
      <RepliesPolicy value={replies.value} onChange={(value) => (replies.value = value)} />
      <label class="choice">
        <input
          type="checkbox"
          checked={isExclusive.value}
          onChange={(event) => (isExclusive.value = event.currentTarget.checked)}
        />
        <span>
          {t('lists.exclusive')}
          <small>{t('lists.exclusiveHint')}</small>
        </span>
      </label>
    </FormDialog>
  );
}

interface RepliesPolicyProps {
  readonly value: List['replies_policy'];
  readonly onChange: (value: List['replies_policy']) => void;
}

function RepliesPolicy({ value, onChange }: RepliesPolicyProps) {
  const policies = {
    list: t('lists.repliesToMembers'),
    followed: t('lists.repliesToFollowed'),
    none: t('lists.repliesToNobody'),
  };
  return (
    <fieldset class="plain">
      <legend class="choices-legend">{t('lists.replies')}</legend>
      <div class="choices">
        {(['list', 'followed', 'none'] as const).map((policy) => (
          <label key={policy} class="choice">
            <input type="radio" name="replies" checked={value === policy} onChange={() => onChange(policy)} />
            <span>{policies[policy]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
