import { t } from '../i18n/translate.tsx';
import { openPath } from '../navigate.ts';
import type { Composed } from './composed.ts';
import { deleteLocalCopy, storeLocalCopy } from './local-copies.ts';
import { openComposer } from './open-composer.tsx';
import { slotOf } from './start-composing.ts';

/** See `reopenComposer`. */
export async function reopen(key: string, composed: object, withdraw: () => Promise<boolean>): Promise<boolean> {
  const start = { redraft: key };
  const slot = slotOf(start);
  // Stored first, so that the text is in one place at least.
  storeLocalCopy(slot, composed as Composed);
  const isWithdrawn = await withdraw();
  if (!isWithdrawn) deleteLocalCopy(slot);
  else if (!openComposer(start, t('nav.publish'))) openPath(`/publish?redraft=${key}`);
  return isWithdrawn;
}
