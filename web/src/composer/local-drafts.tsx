import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { isBlank } from './composed.ts';
import { listLocalCopies, onLocalCopy } from './local-copies.ts';
import { pathOfSlot } from './start-composing.ts';
import '../ui/rows.css';
import './saved-posts.css';

/** Lists what was written in this browser and is not stored on the server, such as without a connection. */
export function LocalDrafts() {
  const copies = useSignal(listLocalCopies());
  useEffect(() => onLocalCopy(() => (copies.value = listLocalCopies())), []);
  const drafts = copies.value.flatMap(({ slot, composed }) => {
    const path = pathOfSlot(slot);
    const isStored = composed.draft !== undefined || composed.posts.every((post) => isBlank(post));
    return path === undefined || isStored ? [] : [{ path, posts: composed.posts }];
  });
  if (drafts.length === 0) return null;
  return (
    <ul class="rows">
      {drafts.map(({ path, posts }) => (
        <li key={path} class="saved-post">
          <a href={path} class="saved-text" dir="auto">
            {posts.map(({ text }) => text).find((text) => text.trim() !== '') ?? t('drafts.noText')}
          </a>
          <p class="soft small saved-facts">{t('drafts.hereOnly')}</p>
          <p class="saved-actions">
            <a class="button quiet" href={path}>
              {t('drafts.continue')}
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
