import { request } from '../../api/client.ts';
import type { Tag } from '../../api/entities.ts';
import { t } from '../../i18n/translate.tsx';
import { setFields } from '../../store/changes.ts';
import { showError } from '../../ui/toasts.tsx';
import { useChanges } from '../../ui/use-changes.ts';
import { useLoaded } from '../../ui/use-loaded.tsx';
import { TagChart } from './tag-chart.tsx';
import './tag-header.css';

const verbs = { following: ['follow', 'unfollow'], featuring: ['feature', 'unfeature'] } as const;

/** What the page of a hashtag says about it: how it is used, whether the reader follows and features it. */
export function TagHeader({ name }: { readonly name: string }) {
  const path = `/api/v1/tags/${encodeURIComponent(name)}`;
  // The posts below say why nothing can be loaded.
  const tag = useLoaded<Tag>(path);
  const changes = useChanges(tag);
  const set = (flag: 'following' | 'featuring', isSet: boolean): void =>
    void changes.make(
      path,
      setFields<Tag>(
        { [flag]: isSet },
        {
          send: () => request<Tag>('POST', `${path}/${verbs[flag][isSet ? 0 : 1]}`),
          onError: (error) => showError(error, () => set(flag, isSet)),
        },
      ),
    );
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
          onClick={() => set('following', !following)}
        >
          {following ? t('hashtag.following') : t('hashtag.follow')}
        </button>
        <button
          type="button"
          class="button quiet"
          aria-pressed={featuring}
          disabled={tag.value === undefined}
          onClick={() => set('featuring', !featuring)}
        >
          {featuring ? t('hashtag.featured') : t('hashtag.feature')}
        </button>
      </div>
    </div>
  );
}
