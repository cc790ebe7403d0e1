import { formatCount, t } from '../../i18n/translate.tsx';
import { staffCounts } from '../../unread/index.ts';
import { sectionGroups } from '../frame/sections.ts';
import './tiles.css';

/** How much waits in each section that the role may see, as links to it. */
export function Tiles() {
  const tiles = sectionGroups()
    .flatMap(({ sections }) => sections)
    .flatMap(({ path, waiting }) => (waiting === undefined ? [] : [{ path, ...waiting }]));
  if (tiles.length === 0) return null;
  const counts = staffCounts.value;
  return (
    <ul class="tiles" aria-label={t('desk.title')} aria-busy={counts === undefined}>
      {tiles.map(({ path, count, label, query = '' }) => {
        const number = counts?.[count] ?? undefined;
        return (
          <li key={count}>
            <a href={`${path}${query}`} class={number !== undefined && number > 0 ? 'tile waiting' : 'tile'}>
              <strong>{number === undefined ? '–' : formatCount(number)}</strong> <span>{label}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
