// The columns of wide windows, which are also the tabs of home: what others arrange.
export { AddColumnDialog } from './add-column-dialog.tsx';
export { shownColumns } from './change-columns.ts';
export { addColumn, placeColumn, removeColumn, stepColumn } from './column-actions.ts';
export { neighbourOf } from './columns.ts';
export { titleOf } from './column-sources.ts';
