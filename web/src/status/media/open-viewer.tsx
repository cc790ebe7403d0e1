import type { MediaAttachment } from '../../api/entities.ts';
import { loadTexts } from '../../i18n/translate.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError } from '../../ui/toasts.tsx';

/** Opens the viewer of images, which is loaded when it is needed first. */
export async function openViewer(attachments: readonly MediaAttachment[], index: number): Promise<void> {
  try {
    const [{ ImageViewer }] = await Promise.all([import('./image-viewer.tsx'), loadTexts('reading')]);
    openDialog((close) => <ImageViewer attachments={attachments} initialIndex={index} onClose={close} />);
  } catch (error) {
    showError(error, () => void openViewer(attachments, index));
  }
}
