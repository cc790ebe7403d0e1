import { request } from '../../api/client.ts';
import type { FieldfareDomainList, FieldfareDomainListChange } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showError, showToast } from '../../ui/toasts.tsx';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import './table.css';
import { postAction, ResourcePage, type Resource } from '../resource/resource-page.tsx';

const path = '/api/v1/fieldfare/admin/domain_lists';

/** Lists of domain blocks of others. What they would change waits as a draft until it is applied. */
export function DomainListsPage() {
  const automatic = { name: 'automatic', label: t('domainLists.automatic'), kind: 'checkbox' } as const;
  const resource: Resource<FieldfareDomainList> = {
    title: t('sections.domainLists'),
    permissions: ['manage_federation'],
    path,
    intro: t('domainLists.intro'),
    empty: t('domainLists.empty'),
    addLabel: t('domainLists.add'),
    fields: [{ name: 'url', label: t('servers.address'), kind: 'text', isRequired: true }, automatic],
    editFields: [automatic],
    toValues: (list) => ({ automatic: list.automatic }),
    nameOf: (list) => list.url,
    render: (list) => (
      <>
        <p class="item-title">
          {list.url} {list.automatic && <span class="tag">{t('domainLists.automaticTag')}</span>}
        </p>
        <p class="small soft">
          {list.fetched_at === null ? t('domainLists.neverFetched') : <RelativeTime time={list.fetched_at} />}
        </p>
        {list.last_error !== null && <p class="problem">{list.last_error}</p>}
      </>
    ),
    actions: (list, items) => [
      {
        label: t('domainLists.changes'),
        onSelect: () => openDialog((close) => <Changes list={list} onClose={close} />),
      },
      postAction(t('domainLists.fetch'), { list: items, path: `${path}/${list.id}/fetch` }),
    ],
    deletion: { label: t('domainLists.remove'), text: () => t('domainLists.removeText') },
  };
  return <ResourcePage resource={resource} />;
}

interface ChangesProps {
  readonly list: FieldfareDomainList;
  readonly onClose: () => void;
}

/** The draft: what applying the list would change. */
function Changes({ list, onClose }: ChangesProps) {
  const changes = useLoaded<readonly FieldfareDomainListChange[]>(`${path}/${list.id}/changes`);
  const apply = async (): Promise<void> => {
    try {
      const { applied } = await request<{ applied: number }>('POST', `${path}/${list.id}/apply`);
      showToast(t('domainImport.done', { count: applied }));
      onClose();
    } catch (problem) {
      showError(problem, () => void apply());
    }
  };
  const except = async ({ domain, change }: FieldfareDomainListChange): Promise<void> => {
    try {
      const method = change === 'except' ? 'DELETE' : 'POST';
      await request(method, `${path}/${list.id}/exceptions`, { body: { domain } });
      await changes.load();
    } catch (problem) {
      showError(problem);
    }
  };
  const { value: rows } = changes;
  return (
    <Dialog
      title={t('domainLists.changes')}
      size="wide"
      onClose={onClose}
      actions={
        <button
          type="button"
          class="button"
          disabled={rows === undefined || rows.length === 0}
          onClick={() => void apply()}
        >
          {t('domainLists.apply')}
        </button>
      }
    >
      {rows === undefined && <NotLoaded of={changes} count={2} />}
      {rows?.length === 0 && <p class="soft">{t('domainLists.noChanges')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t('servers.domain')}</th>
              <th scope="col">{t('domainImport.change')}</th>
              <th scope="col">{t('servers.severity')}</th>
              <th scope="col">{t('moderation.actions')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((change) => (
              <tr key={change.domain}>
                <td>{change.domain}</td>
                <td>{t(`change.${change.change}`)}</td>
                <td>
                  {[change.existing, change.listed]
                    .map((block) => (block === null ? '–' : t(`severity.${block.severity}`)))
                    .join(' → ')}
                </td>
                <td>
                  <button type="button" class="link" onClick={() => void except(change)}>
                    {change.change === 'except' ? t('domainLists.unexcept') : t('domainLists.except')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
