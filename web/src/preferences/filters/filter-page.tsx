import type { Filter, Status } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { openPath } from '../../navigate.ts';
import { isRemoved, removeLater } from '../../ui/remove-later.ts';
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
        {(filter) => (
          <>
            <FilterEditor key={filter.id} filter={filter} onSaved={leave} />
            <Posts filter={filter} />
            <button type="button" class="button quiet filter-delete" onClick={() => remove(filter, leave)}>
              {t('filterSettings.delete')}
            </button>
          </>
        )}
      </Loaded>
    </PreferenceFrame>
  );
}

function remove({ id, title }: Filter, leave: () => void): void {
  void removeLater({ text: t('filterSettings.deleted', { title }), path: `/api/v2/filters/${id}` });
  leave();
}

/** The single posts in a filter. */
function Posts({ filter }: { readonly filter: Filter }) {
  const statuses = filter.statuses.filter(({ id }) => !isRemoved(`/api/v2/filters/statuses/${id}`));
  if (statuses.length === 0) return null;
  return (
    <Section title={t('filterSettings.singlePosts')} hint={t('filterSettings.singlePostsHint')}>
      <ul class="row-list">
        {statuses.map(({ id, status_id: statusId }) => (
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
            <button
              type="button"
              class="button quiet"
              onClick={() =>
                void removeLater({ text: t('filterSettings.postRemoved'), path: `/api/v2/filters/statuses/${id}` })
              }
            >
              {t('filterSettings.removePost')}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const textOf = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent;
