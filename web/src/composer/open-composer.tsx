import type { MediaAttachment } from '../api/entities.ts';
import { loadTexts } from '../i18n/translate.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError } from '../ui/toasts.tsx';
import type { ComposerStart } from './composer-props.ts';

/** Windows in which the composer opens above the page instead of as a page. */
const wide = '(width >= 44rem)';

/** Moves the focus to a composer that the page shows. Returns whether there is one. */
type FocusComposer = () => boolean;
let focusShownComposer: FocusComposer | undefined;

/** Declares that the page shows a composer for new posts, until the returned function is called. */
export function setShownComposer(focus: FocusComposer): () => void {
  focusShownComposer = focus;
  return () => {
    if (focusShownComposer === focus) focusShownComposer = undefined;
  };
}

/** Opens the composer in a dialog on wide windows. Returns whether it did: phones follow the link to /publish. */
export function openComposer(start: ComposerStart, title: string): boolean {
  if (!matchMedia(wide).matches) return false;
  if (Object.keys(start).length === 0 && focusShownComposer?.() === true) return true;
  void openComposerDialog(start, title);
  return true;
}

async function openComposerDialog(start: ComposerStart, title: string): Promise<void> {
  const [{ ComposerDialog }] = await Promise.all([import('./composer-dialog.tsx'), loadTexts('composer')]);
  openDialog((close) => <ComposerDialog start={start} title={title} onClose={close} />);
}

/** Opens the dialog that describes a file of a published post of the reader. */
export async function openDescription(statusId: string, attachment: MediaAttachment): Promise<void> {
  try {
    const [{ describePosted }] = await Promise.all([import('./describe-posted.tsx'), loadTexts('composer')]);
    describePosted(statusId, attachment);
  } catch (error) {
    showError(error, () => void openDescription(statusId, attachment));
  }
}

/** Handles a click on a link to /publish: opens the dialog instead where there is room for it. */
export function openComposerInstead(event: MouseEvent, start: ComposerStart, title: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  if (!openComposer(start, title)) return;
  event.preventDefault();
  // The router follows every link that it receives a click of.
  event.stopPropagation();
}

/**
 * Opens the composer with a post that waits to be sent, after `withdraw` removed it from where it waits. No-op if that returns
 * false. `key`: of its request. `composed`: as it was given to be sent.
 */
export async function reopenComposer(
  key: string,
  composed: object,
  withdraw: () => Promise<boolean>,
): Promise<boolean> {
  const { reopen } = await import('./reopen.ts');
  return reopen(key, composed, withdraw);
}
