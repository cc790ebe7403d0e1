import { request } from '../api/client.ts';
import type { MediaAttachment, Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { storeStatus } from '../store/statuses.ts';
import { openDialog } from '../ui/open-dialog.tsx';
import { showError, showToast } from '../ui/toasts.tsx';
import { composedMedia, type MediaChanges } from './composed.ts';
import { MediaDialog } from './media-dialog.tsx';
import { descriptionRequest } from './post-request.ts';
import { editedContent } from './start-composing.ts';

/** Asks for the description of a file of a published post, and stores it. */
export function describePosted(statusId: string, attachment: MediaAttachment): void {
  openDialog((close) => (
    <MediaDialog
      media={composedMedia(attachment, true)}
      onClose={close}
      onSave={(description) => void store(statusId, attachment.id, description)}
    />
  ));
}

async function store(statusId: string, mediaId: string, description: MediaChanges): Promise<void> {
  try {
    // As it is now: another device may have changed the post while the description was written.
    const composed = await editedContent(statusId);
    const { path, body } = descriptionRequest(composed, mediaId, description);
    storeStatus(await request<Status>('PUT', path, { body }));
    showToast(t('composer.saved'));
  } catch (error) {
    showError(error, () => void store(statusId, mediaId, description));
  }
}
