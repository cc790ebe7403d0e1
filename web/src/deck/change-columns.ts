import type { Column } from '../session/settings.ts';
import { changeSettings } from '../store/change-settings.ts';
import { showError } from '../ui/toasts.tsx';
import { firstColumns, inOrder } from './columns.ts';

type ChangeOfColumns = (columns: readonly Column[]) => readonly Column[];

/** Returns the columns in their order; the first ones if the user has chosen none. */
export const shownColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.length === 0 ? firstColumns : inOrder(columns);

/** Changes the columns, which are also the tabs of home, on all devices. A failure is shown, and undoes the change. */
export const changeColumns = (change: ChangeOfColumns): Promise<void> =>
  changeSettings(
    ({ columns }) => ({ columns: change(shownColumns(columns)) }),
    (error) => showError(error, () => void changeColumns(change)),
  );
