import type { MediaAttachment } from '../../api/entities.ts';
import { loadTexts } from '../../i18n/translate.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError } from '../../ui/toasts.tsx';

/** An image in the viewer: an attachment of a post, or the picture of a profile. */
export type ViewedImage = Pick<MediaAttachment, 'id' | 'url' | 'preview_url' | 'remote_url' | 'description'> &
  Partial<Pick<MediaAttachment, 'meta'>>;

/** Opens the viewer of images, which is loaded when it is needed first. */
export async function openViewer(attachments: readonly ViewedImage[], index: number): Promise<void> {
  try {
    const [{ ImageViewer }] = await Promise.all([import('./image-viewer.tsx'), loadTexts('reading')]);
    openDialog((close) => <ImageViewer attachments={attachments} initialIndex={index} onClose={close} />);
  } catch (error) {
    showError(error, () => void openViewer(attachments, index));
  }
}
