import { CancelButton, Dialog } from './dialog.tsx';
import { openDialog } from './open-dialog.tsx';

interface Question {
  readonly title: string;
  /** What happens. */
  readonly text: string;
  /** The label of the button that does it: "Delete post", never "OK". */
  readonly action: string;
  readonly isDangerous?: boolean;
}

/** Asks before something that cannot be undone. Resolves to whether the user confirmed it. */
export function confirm({ title, text, action, isDangerous = true }: Question): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  openDialog((close) => {
    const answer = (isConfirmed: boolean): void => {
      close();
      resolve(isConfirmed);
    };
    return (
      <Dialog
        title={title}
        size="small"
        onClose={() => answer(false)}
        actions={
          <>
            <CancelButton onClick={() => answer(false)} />
            <button type="button" class={isDangerous ? 'button danger' : 'button'} onClick={() => answer(true)}>
              {action}
            </button>
          </>
        }
      >
        <p>{text}</p>
      </Dialog>
    );
  });
  return promise;
}
