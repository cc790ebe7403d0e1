import { loadTexts } from '../i18n/translate.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import type { ComposerStart } from './start-composing.ts';

/** Windows in which the composer opens above the page instead of as a page. */
const wide = '(width >= 44rem)';

/** Opens the composer in a dialog on wide windows. Returns whether it did: phones follow the link to /publish. */
export function openComposer(start: ComposerStart, title: string): boolean {
  if (!matchMedia(wide).matches) return false;
  void openComposerDialog(start, title);
  return true;
}

async function openComposerDialog(start: ComposerStart, title: string): Promise<void> {
  const [{ ComposerDialog }] = await Promise.all([import('./composer-dialog.tsx'), loadTexts('composer')]);
  openDialog((close) => <ComposerDialog start={start} title={title} onClose={close} />);
}

/** Handles a click on a link to /publish: opens the dialog instead where there is room for it. */
export function openComposerInstead(event: MouseEvent, start: ComposerStart, title: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  if (!openComposer(start, title)) return;
  event.preventDefault();
  // The router follows every link that it receives a click of.
  event.stopPropagation();
}
