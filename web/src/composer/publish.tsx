import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { settings } from '../session/settings.ts';
import { storeStatuses } from '../store/statuses.ts';
import { Dialog } from '../ui/dialog.tsx';
import { openDialog } from '../ui/open-dialog.tsx';
import { showToast } from '../ui/toasts.tsx';
import type { Composition } from './composition.ts';
import { openMediaDialog } from './media-list.tsx';
import { announcePublished } from './published.ts';

/**
 * Publishes what was composed, unless its author wants to describe files first. Without a connection, it is published
 * later. Returns the page that shows it;
 * undefined if it was not sent. Throws the errors of `Composition.send`.
 */
export async function publish(composition: Composition, openPage: (path: string) => void): Promise<string | undefined> {
  if (!(await confirmDescriptions(composition))) return undefined;
  const { editedId, inReplyToId } = composition.content.peek();
  const created = await composition.send();
  if (created === 'queued') {
    showToast(t('composer.queued'));
    const { parent } = composition;
    return parent === undefined ? '/' : `/@${parent.account.acct}/${parent.id}`;
  }
  const statuses = created.filter((one): one is Status => 'account' in one);
  if (statuses.length === 0) {
    showToast(t('composer.scheduled'), { action: { label: t('composer.open'), run: () => openPage('/scheduled') } });
    return '/scheduled';
  }
  storeStatuses(statuses);
  if (editedId === undefined) announcePublished(statuses);
  const [first] = statuses;
  if (first === undefined) return '/';
  const path = `/@${first.account.acct}/${first.id}`;
  if (first.held_for_review === true) showToast(t('composer.held'));
  else if (inReplyToId === undefined || editedId !== undefined)
    showToast(editedId === undefined ? t('composer.published') : t('composer.saved'), {
      action: { label: t('composer.open'), run: () => openPage(path) },
    });
  else showToast(t('composer.replied'), { action: { label: t('composer.open'), run: () => openPage(path) } });
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
