import { Dialog } from '../ui/dialog.tsx';
import { Composer } from './composer.tsx';
import type { ComposerStart } from './composer-props.ts';

interface ComposerDialogProps {
  readonly start: ComposerStart;
  readonly title: string;
  readonly onClose: () => void;
}

/** The composer above the page. What was typed stays when it closes. */
export function ComposerDialog({ start, title, onClose }: ComposerDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Composer start={start} onDone={() => onClose()} />
    </Dialog>
  );
}
