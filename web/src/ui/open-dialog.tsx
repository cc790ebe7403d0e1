import { signal } from '@preact/signals';
import { Fragment, type ComponentChildren } from 'preact';

/** Renders a dialog. `close` removes it. */
type RenderDialog = (close: () => void) => ComponentChildren;

interface OpenDialog {
  readonly id: number;
  readonly render: RenderDialog;
}

const dialogs = signal<readonly OpenDialog[]>([]);
let lastId = 0;

/** Opens a dialog above the page: `openDialog((close) => <ReportDialog account={account} onClose={close} />)`. */
export function openDialog(render: RenderDialog): void {
  dialogs.value = [...dialogs.value, { id: (lastId += 1), render }];
}

function closeDialog(id: number): void {
  dialogs.value = dialogs.value.filter((dialog) => dialog.id !== id);
}

/** The dialogs of `openDialog`. */
export function OpenDialogs() {
  return (
    <>
      {dialogs.value.map(({ id, render }) => (
        <Fragment key={id}>{render(() => closeDialog(id))}</Fragment>
      ))}
    </>
  );
}
