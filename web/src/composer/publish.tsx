import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { settings } from '../session/settings.ts';
import { storeStatuses } from '../store/statuses.ts';
import { Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { showToast } from '../ui/toasts.tsx';
import type { Composition } from './composition.ts';
import { openMediaDialog } from './media-list.tsx';
import { announcePublished } from './published.ts';
import { showPublished } from './show-published.ts';

/**
 * Publishes what was composed, at once or by the outbox, unless its author wants to describe files first. Returns the page
 * that shows it; undefined if it was not sent. Throws the errors of `Composition.send`.
 */
export async function publish(composition: Composition): Promise<string | undefined> {
  if (!(await confirmDescriptions(composition))) return undefined;
  const { editedId, inReplyToId } = composition.content.peek();
  const created = await composition.send();
  if (created === 'queued') {
    const { parent } = composition;
    return parent === undefined ? '/' : `/@${parent.account.acct}/${parent.id}`;
  }
  const statuses = created.filter((one): one is Status => 'account' in one);
  const [first] = statuses;
  if (first === undefined) {
    showToast(t('composer.scheduled'), { action: { label: t('composer.open'), run: () => openPath('/scheduled') } });
    return '/scheduled';
  }
  storeStatuses(statuses);
  if (editedId === undefined) announcePublished(statuses);
  const path = showPublished(first, editedId !== undefined);
  return inReplyToId === undefined && editedId === undefined ? '/' : path;
}

/** Reminds of missing descriptions if the settings want it. Resolves to whether to post now. */
function confirmDescriptions(composition: Composition): Promise<boolean> {
  const bare = composition.content
    .peek()
    .posts.flatMap(({ media }) => media)
    .find(({ description }) => description === '');
  if (bare === undefined || !settings.peek().composer.remindOfAltText) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  openDialog((close) => {
    const answer = (isPosted: boolean): void => {
      close();
      resolve(isPosted);
    };
    return (
      <Dialog
        title={t('upload.remindTitle')}
        size="small"
        onClose={() => answer(false)}
        actions={
          <>
            <button type="button" class="button quiet" onClick={() => answer(true)}>
              {t('upload.postAnyway')}
            </button>
            <button
              type="button"
              class="button"
              onClick={() => {
                answer(false);
                openMediaDialog(composition, bare);
              }}
            >
              {t('media.addDescription')}
            </button>
          </>
        }
      >
        <p>{t('upload.remindText')}</p>
      </Dialog>
    );
  });
  return promise;
}
