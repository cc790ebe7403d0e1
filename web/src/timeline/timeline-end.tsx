import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { ErrorState } from '../ui/states.tsx';
import type { Timeline } from './timeline.ts';

/** The end of the list. It loads older posts before the reader comes to it. */
export function TimelineEnd({ timeline }: { readonly timeline: Timeline }) {
  const element = useRef<HTMLDivElement>(null);
  const state = timeline.state.value;
  useEffect(() => {
    if (element.current === null || state !== 'ready') return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) void timeline.loadOlder();
      },
      { rootMargin: '2000px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [timeline, state]);
  if (state === 'failed') return <ErrorState error={timeline.error} onRetry={() => void timeline.loadOlder()} />;
  if (timeline.isComplete.value) return <p class="end soft">{t('timeline.end')}</p>;
  return (
    <div class="end" ref={element}>
      <button type="button" class="button quiet" onClick={() => void timeline.loadOlder()}>
        {t('timeline.loadOlder')}
      </button>
    </div>
  );
}
