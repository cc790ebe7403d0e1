import { request } from '../api/client.ts';
import type { Account, Relationship } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { storeRelationship } from '../store/relationships.ts';
import { confirm } from '../ui/confirm.tsx';
import { showError, showToast } from '../ui/toasts.tsx';

/** Mutes an account after a question. Its posts disappear from the timelines at once. */
export async function muteAuthor(account: Account): Promise<void> {
  const name = `@${account.acct}`;
  const question = {
    title: t('status.muteTitle', { name }),
    text: t('status.muteText'),
    action: t('status.muteAction'),
  };
  if (await confirm(question)) await change(account, 'mute', t('status.muted', { name }));
}

/** Blocks an account after a question. Its posts disappear from the timelines at once. */
export async function blockAuthor(account: Account): Promise<void> {
  const name = `@${account.acct}`;
  const question = {
    title: t('status.blockTitle', { name }),
    text: t('status.blockText'),
    action: t('status.blockAction'),
  };
  if (await confirm(question)) await change(account, 'block', t('status.blocked', { name }));
}

async function change(account: Account, action: 'mute' | 'block', message: string): Promise<void> {
  try {
    storeRelationship(await request<Relationship>('POST', `/api/v1/accounts/${account.id}/${action}`));
    showToast(message);
  } catch (error) {
    showError(error, () => void change(account, action, message));
  }
}
