import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import { showToast } from '../ui/toasts.tsx';

/** Says that a post is published, or that moderators review it first. Returns the page that shows it. */
export function showPublished(status: Status, isEdit = false): string {
  const path = `/@${status.account.acct}/${status.id}`;
  const action = { label: t('composer.open'), run: () => openPath(path) };
  if (status.held_for_review === true) showToast(t('composer.held'));
  else if (isEdit) showToast(t('composer.saved'), { action });
  else showToast(t(status.in_reply_to_id === null ? 'composer.published' : 'composer.replied'), { action });
  return path;
}
