import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { settings } from '../session/settings.ts';
import { Icon } from '../ui/icon.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { setPageTitle } from '../ui/window-title.ts';
import { AddColumnDialog } from './add-column-dialog.tsx';
import { shownColumns } from './change-columns.ts';
import { addColumn, type NewColumn } from './column-actions.ts';
import { ColumnView } from './column-view.tsx';
import './columns.css';

const addAndShow = (added: NewColumn): void =>
  void addColumn(added).then(() =>
    document.querySelector('.columns > section:last-of-type')?.scrollIntoView({ inline: 'end' }),
  );

/** Timelines side by side, for wide windows. */
export function ColumnsPage() {
  useEffect(() => setPageTitle(t('deck.title')), []);
  const columns = shownColumns(settings.value.columns);
  return (
    <div class="columns">
      <h1 class="visually-hidden">{t('deck.title')}</h1>
      {columns.map((column) => (
        <ColumnView key={column.id} column={column} />
      ))}
      <div class="column-add">
        <button
          type="button"
          class="button quiet"
          onClick={() =>
            openDialog((close) => <AddColumnDialog columns={columns} onAdd={addAndShow} onClose={close} />)
          }
        >
          <Icon svg={plus} />
          {t('deck.add')}
        </button>
      </div>
    </div>
  );
}
