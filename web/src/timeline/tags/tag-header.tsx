import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { request } from '../../api/client.ts';
import type { Tag } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { showError } from '../../ui/toasts.tsx';
import { TagChart } from './tag-chart.tsx';
import './tag-header.css';

/** What the page of a hashtag says about it: how it is used, whether the reader follows and features it. */
export function TagHeader({ name }: { readonly name: string }) {
  const tag = useSignal<Tag | undefined>(undefined);
  const path = `/api/v1/tags/${encodeURIComponent(name)}`;
  useEffect(() => {
    tag.value = undefined;
    const load = async (): Promise<void> => {
      tag.value = await request<Tag>('GET', path);
    };
    // The posts below say why nothing can be loaded.
    load().catch(() => undefined);
  }, [path]);
  const toggle = async (
    flag: 'following' | 'featuring',
    verbs: readonly [set: string, unset: string],
  ): Promise<void> => {
    const before = tag.peek();
    if (before === undefined) return;
    const isSet = before[flag] === true;
    tag.value = { ...before, [flag]: !isSet };
    try {
      tag.value = await request<Tag>('POST', `${path}/${isSet ? verbs[1] : verbs[0]}`);
    } catch (error) {
      tag.value = before;
      showError(error, () => void toggle(flag, verbs));
    }
  };
  const { history, following = false, featuring = false } = tag.value ?? { history: [] };
  const [today] = history;
  return (
    <div class="tag-header">
      <div class="tag-counts">
        <p>{t('hashtag.postsToday', { count: Number(today?.uses ?? 0) })}</p>
        <p class="soft small">{t('hashtag.peopleToday', { count: Number(today?.accounts ?? 0) })}</p>
      </div>
      {history.length > 0 && <TagChart history={history} />}
      <div class="tag-buttons">
        <button
          type="button"
          class={following ? 'button quiet' : 'button'}
          aria-pressed={following}
          disabled={tag.value === undefined}
          onClick={() => void toggle('following', ['follow', 'unfollow'])}
        >
          {following ? t('hashtag.following') : t('hashtag.follow')}
        </button>
        <button
          type="button"
          class="button quiet"
          aria-pressed={featuring}
          disabled={tag.value === undefined}
          onClick={() => void toggle('featuring', ['feature', 'unfeature'])}
        >
          {featuring ? t('hashtag.featured') : t('hashtag.feature')}
        </button>
      </div>
    </div>
  );
}
