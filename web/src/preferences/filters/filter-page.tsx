import { request } from '../../api/client.ts';
import type { Filter, Status } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { openPath } from '../../navigate.ts';
import { confirm } from '../../ui/confirm.tsx';
import { showError } from '../../ui/toasts.tsx';
import { Section } from '../controls.tsx';
import { Loaded } from '../loaded.tsx';
import { PreferenceFrame } from '../preference-frame.tsx';
import { FilterEditor } from './filter-editor.tsx';

/** The form for a filter: a new one, or that with the id. */
export function FilterPage({ id = 'new' }: { readonly id?: string }) {
  const leave = (): void => openPath('/preferences/filters');
  if (id === 'new')
    return (
      <PreferenceFrame title={t('filterSettings.new')}>
        <FilterEditor onSaved={leave} />
      </PreferenceFrame>
    );
  return (
    <PreferenceFrame title={t('filterSettings.edit')}>
      <Loaded<Filter> path={`/api/v2/filters/${id}`}>
        {(filter, set) => (
          <>
            <FilterEditor key={filter.id} filter={filter} onSaved={leave} />
            <Posts filter={filter} set={set} />
            <button type="button" class="button quiet filter-delete" onClick={() => void remove(filter, leave)}>
              {t('filterSettings.delete')}
            </button>
          </>
        )}
      </Loaded>
    </PreferenceFrame>
  );
}

async function remove({ id, title }: Filter, leave: () => void): Promise<void> {
  const question = { title: t('filterSettings.deleteTitle', { title }), text: t('filterSettings.deleteText') };
  if (!(await confirm({ ...question, action: t('filterSettings.delete') }))) return;
  try {
    await request('DELETE', `/api/v2/filters/${id}`);
    leave();
  } catch (error) {
    showError(error);
  }
}

/** The single posts in a filter. */
function Posts({ filter, set }: { readonly filter: Filter; readonly set: (filter: Filter) => void }) {
  if (filter.statuses.length === 0) return null;
  const removePost = async (id: string): Promise<void> => {
    set({ ...filter, statuses: filter.statuses.filter((one) => one.id !== id) });
    try {
      await request('DELETE', `/api/v2/filters/statuses/${id}`);
    } catch (error) {
      set(filter);
      showError(error, () => void removePost(id));
    }
  };
  return (
    <Section title={t('filterSettings.singlePosts')} hint={t('filterSettings.singlePostsHint')}>
      <ul class="row-list">
        {filter.statuses.map(({ id, status_id: statusId }) => (
          <li key={id}>
            <Loaded<Status> path={`/api/v1/statuses/${statusId}`}>
              {(status) => (
                <a class="filter-link" href={`/@${status.account.acct}/${status.id}`}>
                  <strong dir="ltr">@{status.account.acct}</strong>
                  <small class="soft filter-excerpt" dir="auto">
                    {textOf(status.content)}
                  </small>
                </a>
              )}
            </Loaded>
            <button type="button" class="button quiet" onClick={() => void removePost(id)}>
              {t('filterSettings.removePost')}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const textOf = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent;
