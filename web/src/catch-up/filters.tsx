import { t } from '../i18n/translate.tsx';
import { accountOf } from '../store/statuses.ts';
import { nameOf } from '../ui/display-name.tsx';
import '../ui/filter-bar.css';
import { isOfKind, kinds, measureLength, type HomeRow, type Kind } from './group-posts.ts';
import { changeView, viewOf } from './view.ts';

interface FiltersProps {
  readonly rows: readonly HomeRow[];
  readonly viewKey: string;
}

/** Chooses which posts are shown, and in which order. Kinds of which there are none are left out. */
export function Filters({ rows, viewKey }: FiltersProps) {
  const view = viewOf(viewKey).value;
  const counts = kinds.map((kind) => [kind, measureLength(rows.filter((row) => isOfKind(row, kind))).count] as const);
  return (
    <>
      <div class="filter-bar" role="group" aria-label={t('catchUp.kinds')}>
        {counts
          .filter(([kind, count]) => count > 0 || kind === view.kind)
          .map(([kind, count]) => (
            <button
              key={kind}
              type="button"
              aria-pressed={kind === view.kind}
              onClick={() => changeView(viewKey, { kind })}
            >
              <span>{labelOf(kind)}</span> <span class="catch-up-count">{count}</span>
            </button>
          ))}
      </div>
      <div class="catch-up-selects">
        <PersonSelect rows={rows} viewKey={viewKey} />
        <select
          aria-label={t('catchUp.sort')}
          value={view.sort}
          onChange={({ currentTarget: { value } }) =>
            changeView(viewKey, { sort: value === 'rarity' ? 'rarity' : 'time' })
          }
        >
          <option value="time">{t('catchUp.sort_time')}</option>
          <option value="rarity">{t('catchUp.sort_rarity')}</option>
        </select>
      </div>
    </>
  );
}

function labelOf(kind: Kind): string {
  switch (kind) {
    case 'all':
      return t('catchUp.kind_all');
    case 'posts':
      return t('catchUp.kind_posts');
    case 'replies':
      return t('catchUp.kind_replies');
    case 'boosts':
      return t('catchUp.kind_boosts');
    case 'media':
      return t('catchUp.kind_media');
  }
}

function PersonSelect({ rows, viewKey }: FiltersProps) {
  const { person = '' } = viewOf(viewKey).value;
  const people = [...Map.groupBy(rows, ({ byId }) => byId)]
    .map(([id, own]) => {
      const account = accountOf(id).value;
      return { id, name: account === undefined ? id : nameOf(account), count: measureLength(own).count };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <select
      aria-label={t('catchUp.person')}
      value={person}
      onChange={({ currentTarget: { value } }) => changeView(viewKey, { person: value === '' ? undefined : value })}
    >
      <option value="">{t('catchUp.everybody')}</option>
      {people.map(({ id, name, count }) => (
        <option key={id} value={id}>
          {t('catchUp.personOption', { name, count })}
        </option>
      ))}
    </select>
  );
}
