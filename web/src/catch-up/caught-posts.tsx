import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { accountOf } from '../store/statuses.ts';
import { followChanges } from '../timeline/index.ts';
import { formatMoment } from '../ui/relative-time.tsx';
import { ErrorState } from '../ui/states.tsx';
import { type CatchUp, catchUpOf } from './catch-up.ts';
import { CaughtRows } from './caught-rows.tsx';
import { End } from './end.tsx';
import { Filters } from './filters.tsx';
import { groupByPerson, isOfKind, measureLength, sortByRarity } from './group-posts.ts';
import { viewOf } from './view.ts';
import './catch-up.css';

interface CaughtPostsProps {
  readonly since: number;
  readonly until: string;
}

/** What home has since a time, up to one of its posts. */
export function CaughtPosts({ since, until }: CaughtPostsProps) {
  const catchUp = catchUpOf(since, until);
  useEffect(() => {
    followChanges();
    if (catchUp.timeline.state.peek() === 'empty') void catchUp.load();
    return catchUp.timeline.follow();
  }, [catchUp]);
  const { items, state } = catchUp.timeline;
  if (items.value.length === 0 && state.value === 'failed')
    return <ErrorState error={catchUp.timeline.error} onRetry={() => void catchUp.load()} />;
  return catchUp.isLoading.value || state.value === 'empty' ? (
    <Progress catchUp={catchUp} />
  ) : (
    <Loaded catchUp={catchUp} viewKey={`${since}:${until}`} />
  );
}

/** How far the posts are loaded. The reader may look at those that are. */
function Progress({ catchUp }: { readonly catchUp: CatchUp }) {
  const count = catchUp.rows.value.length;
  return (
    <div class="catch-up-progress">
      <label>
        <span>{count === 0 ? t('app.loading') : t('catchUp.loaded', { count })}</span>
        <progress value={catchUp.progress.value} max={1} />
      </label>
      <button type="button" class="button quiet" disabled={count === 0} onClick={() => catchUp.stop()}>
        {t('catchUp.stop')}
      </button>
    </div>
  );
}

const dayMs = 86_400_000;

/** Returns how many posts an account usually publishes a day. */
function usualRateOf(accountId: string): number {
  const account = accountOf(accountId).peek();
  if (account === undefined) return 0;
  return account.statuses_count / Math.max(1, (Date.now() - Date.parse(account.created_at)) / dayMs);
}

function Loaded({ catchUp, viewKey }: { readonly catchUp: CatchUp; readonly viewKey: string }) {
  const view = viewOf(viewKey);
  // Only what these depend on, so that folding groups nothing again.
  const kind = useComputed(() => view.value.kind);
  const person = useComputed(() => view.value.person);
  const sort = useComputed(() => view.value.sort);
  const shown = useComputed(() =>
    catchUp.rows.value.filter(
      (row) => isOfKind(row, kind.value) && (person.value === undefined || row.byId === person.value),
    ),
  );
  const groups = useComputed(() => {
    const byTime = groupByPerson(shown.value);
    const days = Math.max(1, (Date.now() - catchUp.since) / dayMs);
    return sort.value === 'time' ? byTime : sortByRarity(byTime, usualRateOf, days);
  });
  const { count, minutes } = measureLength(shown.value);
  const time = formatMoment(catchUp.since);
  return (
    <>
      <div class="catch-up-length">
        <p>
          <strong>{count === 0 ? t('catchUp.nothing') : t('catchUp.posts', { count })}</strong>
          {count > 0 && <span>{t('catchUp.minutes', { count: minutes })}</span>}
        </p>
        <p class="soft small">
          <span>{t('catchUp.since', { time })}</span> <a href="/catch-up">{t('catchUp.change')}</a>
        </p>
      </div>
      {catchUp.rows.value.length > 0 && <Filters rows={catchUp.rows.value} viewKey={viewKey} />}
      <CaughtRows groups={groups.value} viewKey={viewKey} />
      <End catchUp={catchUp} />
    </>
  );
}
