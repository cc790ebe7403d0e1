import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Group } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';

/** Opens the form for the profile and the rules of a group. */
export function openGroupForm(group: Group, onSaved: (group: Group) => void): void {
  openDialog((close) => (
    <FormDialog<Group>
      title={t('groups.edit')}
      action={t('people.save')}
      save={(form) => request('PATCH', `/api/v1/fieldfare/groups/${group.id}`, { body: toBody(form) })}
      onSaved={onSaved}
      onClose={close}
    >
      <Fields group={group} />
    </FormDialog>
  ));
}

/** Images that were not chosen are left out, so that they stay. */
function toBody(form: HTMLFormElement): FormData {
  const body = new FormData(form);
  for (const name of ['avatar', 'header']) {
    const file = body.get(name);
    if (!(file instanceof File) || file.size === 0) body.delete(name);
  }
  return body;
}

function Fields({ group: { account, note, rules } }: { readonly group: Group }) {
  const id = useId();
  return (
    <>
      <div class="field">
        <label for={`${id}-name`}>{t('groups.name')}</label>
        <input
          id={`${id}-name`}
          name="display_name"
          type="text"
          dir="auto"
          maxLength={40}
          defaultValue={account.display_name}
        />
      </div>
      <div class="field">
        <label for={`${id}-note`}>{t('groups.note')}</label>
        <textarea id={`${id}-note`} name="note" dir="auto" rows={4} defaultValue={note} />
      </div>
      <div class="field">
        <label for={`${id}-rules`}>{t('groups.rules')}</label>
        <textarea
          id={`${id}-rules`}
          name="rules"
          dir="auto"
          rows={4}
          maxLength={5000}
          defaultValue={rules}
          aria-describedby={`${id}-hint`}
        />
        <small id={`${id}-hint`}>{t('groups.rulesHint')}</small>
      </div>
      <div class="field">
        <label for={`${id}-avatar`}>{t('groups.avatar')}</label>
        <input id={`${id}-avatar`} name="avatar" type="file" accept="image/*" />
      </div>
      <div class="field">
        <label for={`${id}-header`}>{t('groups.header')}</label>
        <input id={`${id}-header`} name="header" type="file" accept="image/*" />
      </div>
    </>
  );
}
