import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { CancelButton, Dialog } from './dialog.tsx';
import { describeError } from './toasts.tsx';
import { useSingleRun } from './use-single-run.ts';

interface FormDialogProps<Saved> {
  readonly title: string;
  /** Of the button that saves. */
  readonly action: string;
  /** Saves what is filled in. If it rejects, the form stays open and says why. */
  readonly save: (form: HTMLFormElement) => Promise<Saved>;
  /** Called when it is saved and the dialog is closed. */
  readonly onSaved: ((saved: Saved) => void) | undefined;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog, which closes when it is saved. */
export function FormDialog<Saved>({ title, action, save, onSaved, onClose, children }: FormDialogProps<Saved>) {
  const formId = useId();
  const problem = useSignal('');
  const [submit, isSaving] = useSingleRun(async (form: HTMLFormElement) => {
    try {
      const saved = await save(form);
      onClose();
      onSaved?.(saved);
    } catch (error) {
      problem.value = describeError(error);
    }
  });
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <button type="submit" class="button" form={formId} disabled={isSaving}>
            {action}
          </button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {children}
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </form>
    </Dialog>
  );
}
