import { useId } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Group } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { openPath } from '../../navigate.ts';
import { can } from '../../session/permissions.ts';
import { reloadModeratedGroups } from '../../status/index.ts';
import { nameOf } from '../../ui/display-name.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from '../loaded.tsx';
import { PreferenceFrame } from '../preference-frame.tsx';

/** The groups that the reader moderates. */
export function GroupsPage() {
  return (
    <PreferenceFrame
      title={t('groups.title')}
      intro={t('groups.intro')}
      actions={
        can('create_groups') && (
          <button type="button" class="button" onClick={openCreateForm}>
            {t('groups.new')}
          </button>
        )
      }
    >
      <Loaded<readonly Group[]> path="/api/v1/fieldfare/groups">
        {(groups) =>
          groups.length === 0 ? (
            <EmptyState title={t('groups.none')}>
              <p>{t('groups.noneHint')}</p>
            </EmptyState>
          ) : (
            <ul class="row-list filters">
              {groups.map((group) => (
                <Row key={group.id} group={group} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </PreferenceFrame>
  );
}

function Row({ group }: { readonly group: Group }) {
  const { id, account, moderators, waiting_posts_count: waiting, follow_requests_count: requests } = group;
  const news = [
    ...(moderators.length === 0 ? [t('groups.unmoderated')] : []),
    ...(waiting === null || waiting === 0 ? [] : [t('groups.waitingCount', { count: waiting })]),
    ...(requests === null || requests === 0 ? [] : [t('groups.requestCount', { count: requests })]),
  ];
  return (
    <li>
      <a class="filter-link" href={`/preferences/groups/${id}`}>
        <strong dir="auto">{nameOf(account)}</strong>
        <small class="soft">
          <bdi>@{account.acct}</bdi>
        </small>
        {news.length > 0 && <small>{news.join(' · ')}</small>}
      </a>
    </li>
  );
}

function openCreateForm(): void {
  openDialog((close) => (
    <FormDialog<Group>
      title={t('groups.new')}
      action={t('groups.create')}
      save={(form) => request('POST', '/api/v1/fieldfare/groups', { body: Object.fromEntries(new FormData(form)) })}
      onSaved={({ id }) => {
        reloadModeratedGroups();
        openPath(`/preferences/groups/${id}`);
      }}
      onClose={close}
    >
      <CreateFields />
    </FormDialog>
  ));
}

function CreateFields() {
  const id = useId();
  return (
    <>
      <div class="field">
        <label for={`${id}-username`}>{t('groups.username')}</label>
        <input
          id={`${id}-username`}
          name="username"
          type="text"
          dir="ltr"
          required
          pattern="\s*[A-Za-z0-9_]+\s*"
          maxLength={30}
          autoComplete="off"
          autoCapitalize="none"
          aria-describedby={`${id}-hint`}
        />
        <small id={`${id}-hint`}>{t('groups.usernameHint')}</small>
      </div>
      <div class="field">
        <label for={`${id}-name`}>{t('groups.name')}</label>
        <input id={`${id}-name`} name="display_name" type="text" dir="auto" maxLength={40} />
      </div>
      <div class="field">
        <label for={`${id}-note`}>{t('groups.note')}</label>
        <textarea id={`${id}-note`} name="note" dir="auto" rows={3} />
      </div>
    </>
  );
}
