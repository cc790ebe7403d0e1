import plus from '@phosphor-icons/core/regular/plus.svg?raw';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { settings, type Column } from '../session/settings.ts';
import { changeSettings } from '../store/change-settings.ts';
import { Icon } from '../ui/icon.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError, showToast } from '../ui/toasts.tsx';
import { setPageTitle } from '../ui/window-title.ts';
import { AddColumnDialog } from './add-column-dialog.tsx';
import { ColumnView, type ColumnActions } from './column-view.tsx';
import { changeColumn, inOrder, moveColumn, neighbourOf } from './columns.ts';
import './columns.css';

/** The columns of somebody who has not chosen any. */
const firstColumns: readonly Column[] = [
  { id: 'home', source: 'home', isPinned: false },
  { id: 'local', source: 'public:local', isPinned: false },
];

const shownColumns = (): readonly Column[] =>
  settings.value.columns.length === 0 ? firstColumns : inOrder(settings.value.columns);

const store = (columns: readonly Column[]): Promise<void> =>
  changeSettings({ columns }, (error) => showError(error, () => void store(columns)));

const actions: ColumnActions = {
  move(id, step) {
    const target = neighbourOf(shownColumns(), id, step);
    if (target === undefined) return;
    void store(moveColumn(shownColumns(), id, target.id));
    // The moved element keeps the focus.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-column="${CSS.escape(id)}"] .column-grip`)?.focus(),
    );
  },
  moveTo: (id, targetId) => void store(moveColumn(shownColumns(), id, targetId)),
  change: (id, changes) => void store(changeColumn(shownColumns(), id, changes)),
  remove(column) {
    const before = shownColumns();
    void store(before.filter(({ id }) => id !== column.id));
    showToast(t('deck.removed'), { action: { label: t('deck.undo'), run: () => void store(before) } });
  },
};

function addColumn(added: Pick<Column, 'source' | 'label'>): void {
  void store([...shownColumns(), { ...added, id: crypto.randomUUID(), isPinned: false }]).then(() =>
    document.querySelector('.columns > section:last-of-type')?.scrollIntoView({ inline: 'end' }),
  );
}

/** Timelines side by side, for wide windows. */
export function ColumnsPage() {
  useEffect(() => setPageTitle(t('deck.title')), []);
  return (
    <div class="columns">
      <h1 class="visually-hidden">{t('deck.title')}</h1>
      {shownColumns().map((column) => (
        <ColumnView key={column.id} column={column} actions={actions} />
      ))}
      <div class="column-add">
        <button
          type="button"
          class="button quiet"
          onClick={() =>
            openDialog((close) => <AddColumnDialog columns={shownColumns()} onAdd={addColumn} onClose={close} />)
          }
        >
          <Icon svg={plus} />
          {t('deck.add')}
        </button>
      </div>
    </div>
  );
}
