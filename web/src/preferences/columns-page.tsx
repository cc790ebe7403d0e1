import down from '@phosphor-icons/core/regular/arrow-down.svg?raw';
import grip from '@phosphor-icons/core/regular/dots-six-vertical.svg?raw';
import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import up from '@phosphor-icons/core/regular/arrow-up.svg?raw';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { useEffect, useRef } from 'preact/hooks';
import {
  AddColumnDialog,
  addColumn,
  neighbourOf,
  placeColumn,
  removeColumn,
  shownColumns,
  stepColumn,
  titleOf,
} from '../deck/index.ts';
import { t } from '../i18n/translate.tsx';
import { settings, type Column } from '../session/settings.ts';
import { followRowDrags } from '../ui/drag-rows.ts';
import { Icon } from '../ui/icon.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { Toggle } from './controls.tsx';
import { PreferenceFrame } from './preference-frame.tsx';
import { saveSettings } from './save.ts';
import './columns-page.css';

/** The tabs of home, which are the columns of wide windows: added, ordered and removed. */
export function ColumnsPage() {
  const { columns: stored, appearance } = settings.value;
  const { useColumns: hasColumns } = appearance;
  const columns = shownColumns(stored);
  const list = useRef<HTMLOListElement>(null);
  const shown = useRef(columns);
  shown.current = columns;
  useEffect(() => {
    if (list.current === null) return undefined;
    return followRowDrags(list.current, (from, to) => {
      const [moved, target] = [shown.current[from], shown.current[to]];
      if (moved !== undefined && target !== undefined) placeColumn(moved.id, target.id);
    });
  }, []);
  return (
    <PreferenceFrame title={t('preferences.columns')} intro={t('deck.arrangeIntro')}>
      <ol ref={list} class="column-rows" aria-label={t('preferences.columns')}>
        {columns.map((column) => (
          <ColumnRow key={column.id} column={column} columns={columns} />
        ))}
      </ol>
      <button
        type="button"
        class="button"
        onClick={() =>
          openDialog((close) => (
            <AddColumnDialog columns={columns} onAdd={(added) => void addColumn(added)} onClose={close} />
          ))
        }
      >
        <Icon svg={plus} />
        {t('deck.addSource')}
      </button>
      <Toggle
        label={t('appearanceSettings.columns')}
        hint={t('appearanceSettings.columnsHint')}
        isOn={hasColumns}
        onChange={(isOn) => void saveSettings('appearance', { useColumns: isOn })}
      />
    </PreferenceFrame>
  );
}

interface ColumnRowProps {
  readonly column: Column;
  readonly columns: readonly Column[];
}

function ColumnRow({ column, columns }: ColumnRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const title = titleOf(column);
  const canMove = (step: -1 | 1): boolean => neighbourOf(columns, column.id, step) !== undefined;
  const move = (step: -1 | 1): void =>
    stepColumn(column.id, step, () => row.current?.querySelector<HTMLElement>(`[data-step="${step}"]:not(:disabled)`));
  return (
    <li ref={row} class="column-row">
      <span class="column-handle" data-handle title={t('deck.dragHint')}>
        <Icon svg={grip} />
      </span>
      <span class="column-name">
        <bdi>{title}</bdi>
        {column.source === 'composer' && <small>{t('deck.onlyColumn')}</small>}
      </span>
      <button
        type="button"
        class="icon-button"
        data-step="-1"
        disabled={!canMove(-1)}
        aria-label={t('deck.moveUp', { title })}
        onClick={() => move(-1)}
      >
        <Icon svg={up} />
      </button>
      <button
        type="button"
        class="icon-button"
        data-step="1"
        disabled={!canMove(1)}
        aria-label={t('deck.moveDown', { title })}
        onClick={() => move(1)}
      >
        <Icon svg={down} />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={t('deck.removeOf', { title })}
        onClick={() => removeColumn(column)}
      >
        <Icon svg={x} />
      </button>
    </li>
  );
}
