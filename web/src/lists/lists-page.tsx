import pencil from '@phosphor-icons/core/regular/pencil-simple.svg?raw';
import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import trash from '@phosphor-icons/core/regular/trash.svg?raw';
import users from '@phosphor-icons/core/regular/users.svg?raw';
import type { List } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/states.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { openListForm } from './list-form.tsx';
import { deleteList, lists, loadLists } from './lists.ts';
import '../ui/account-row.css';
import '../ui/rows.css';

/** The reader's lists. */
export function ListsPage() {
  const loading = useLoaded('lists', loadLists);
  const all = lists.value;
  return (
    <>
      <PageHeader
        title={t('lists.title')}
        actions={
          <button type="button" class="button" onClick={() => openListForm()}>
            <Icon svg={plus} />
            {t('lists.new')}
          </button>
        }
      />
      {all === undefined ? (
        <NotLoaded of={loading} count={3} />
      ) : all.length === 0 ? (
        <EmptyState title={t('lists.empty')}>
          <p>{t('lists.emptyHint')}</p>
        </EmptyState>
      ) : (
        <ul class="rows" aria-label={t('lists.title')}>
          {all.map((list) => (
            <li key={list.id}>
              <ListRow list={list} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ListRow({ list }: { readonly list: List }) {
  const { id, title } = list;
  return (
    <div class="account-row simple">
      <a class="account-row-name" href={`/lists/${id}`}>
        <strong class="one-line" dir="auto">
          {title}
        </strong>
        {list.exclusive && <span class="one-line soft small">{t('lists.exclusiveMark')}</span>}
      </a>
      <div class="account-row-actions">
        <a
          class="icon-button"
          href={`/lists/${id}/members`}
          aria-label={t('lists.membersOf', { title })}
          title={t('lists.members')}
        >
          <Icon svg={users} />
        </a>
        <button
          type="button"
          class="icon-button"
          aria-label={t('lists.editTitle', { title })}
          title={t('lists.edit')}
          onClick={() => openListForm(list)}
        >
          <Icon svg={pencil} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('lists.deleteTitle', { title })}
          title={t('lists.delete')}
          onClick={() => void deleteList(list)}
        >
          <Icon svg={trash} />
        </button>
      </div>
    </div>
  );
}
