import type { ComponentChildren } from 'preact';
import type { MediaAttachment } from '../../api/entities.ts';
import { loadTexts } from '../../i18n/translate.tsx';
import { openDialog } from '../../ui/open-dialog.tsx';
import { showError } from '../../ui/toasts.tsx';

/** An image in the viewer: an attachment of a post, or the picture of a profile. */
export type ViewedImage = Pick<MediaAttachment, 'id' | 'url' | 'preview_url' | 'remote_url' | 'description'> &
  Partial<Pick<MediaAttachment, 'meta' | 'type'>>;

export interface ViewerOptions {
  /** Renders what is shown below an image, such as its post. */
  readonly renderBelow?: (image: ViewedImage, close: () => void) => ComponentChildren;
  /** Called when the last images are reached. */
  readonly onNearEnd?: () => void;
}

/**
 * Opens the viewer of images, which is loaded when it is needed first. `attachments` is read again with each change of a
 * signal in it, so that more can be added.
 */
export async function openViewer(
  attachments: readonly ViewedImage[] | (() => readonly ViewedImage[]),
  index: number,
  options: ViewerOptions = {},
): Promise<void> {
  try {
    const [{ ImageViewer }] = await Promise.all([import('./image-viewer.tsx'), loadTexts('reading')]);
    openDialog((close) => (
      <ImageViewer
        {...options}
        attachments={typeof attachments === 'function' ? attachments() : attachments}
        initialIndex={index}
        onClose={close}
      />
    ));
  } catch (error) {
    showError(error, () => void openViewer(attachments, index, options));
  }
}
