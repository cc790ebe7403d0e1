import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.tsx';

interface GapRowProps {
  /** Loads the posts next to those that the reader comes from. */
  readonly onLoad: (from: 'above' | 'below') => void;
}

/** Says that posts are missing, with a button that loads them. */
export function GapRow({ onLoad }: GapRowProps) {
  const element = useRef<HTMLElement>(null);
  const from = useRef<'above' | 'below'>('above');
  useEffect(() => {
    if (element.current === null) return undefined;
    // Where the row is before it comes into view.
    const observer = new IntersectionObserver(([entry]) => {
      if (entry === undefined) return;
      const { top, bottom } = entry.boundingClientRect;
      if (bottom <= 0) from.current = 'below';
      else if (top >= globalThis.innerHeight) from.current = 'above';
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return (
    <article ref={element} class="gap" aria-label={t('timeline.gap')} tabIndex={-1}>
      <span class="soft small">{t('timeline.gap')}</span>
      <button type="button" class="button quiet" onClick={() => onLoad(from.current)}>
        {t('timeline.gapLoad')}
      </button>
    </article>
  );
}
