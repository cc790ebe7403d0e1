import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';
import { ErrorState } from './states.tsx';
import './states.css';

interface LoadMoreProps {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error?: unknown;
  readonly onLoad: () => void;
}

/** The end of a list with more pages: the next one is loaded when this comes into view, or by its button. */
export function LoadMore({ state, error, onLoad }: LoadMoreProps) {
  const element = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  useEffect(() => {
    if (state !== 'ready' || element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && load.current(),
      {
        rootMargin: '600px',
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [state]);
  if (state === 'failed') return <ErrorState error={error} onRetry={onLoad} />;
  return (
    <div ref={element} class="load-more">
      <button type="button" class="button quiet" disabled={state === 'loading'} onClick={onLoad}>
        {state === 'loading' ? t('app.loading') : t('app.showMore')}
      </button>
    </div>
  );
}
