import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Status } from '../../api/entities.ts';
import { request } from '../../api/client.ts';
import { NotLoaded, useLoaded } from '../../ui/use-loaded.tsx';
import { prepareArticle } from './prepare-article.ts';
import './article-text.css';

interface ArticleTextProps {
  readonly status: Status;
  /** Receives the HTML of the article. */
  readonly html: Signal<string>;
  readonly hasImages: boolean;
}

/** The whole text of a remote article. Lists of posts do not contain it, so it is loaded. */
export function ArticleText({ status, html, hasImages }: ArticleTextProps) {
  // An edit loads it again.
  const loaded = useLoaded(`${status.id} ${status.edited_at}`, (signal) =>
    request<Status>('GET', `/api/v1/statuses/${status.id}`, { signal }),
  );
  const text = useRef<HTMLDivElement>(null);
  const article = loaded.value?.fieldfare?.article;
  useEffect(() => void (html.value = article ?? ''), [article]);
  const prepared = useMemo(() => article && prepareArticle(article, status, hasImages), [article, status, hasImages]);
  useEffect(() => {
    const element = text.current;
    element?.addEventListener('click', followAnchor);
    return () => element?.removeEventListener('click', followAnchor);
  }, [prepared === undefined]);
  if (prepared === undefined) return <NotLoaded of={loaded} count={1} />;
  // Sanitized by the server.
  return <div class="status-content article-text" ref={text} dangerouslySetInnerHTML={{ __html: prepared }} />;
}

/** Leads to a footnote and back within the article, which another card may show as well. */
function followAnchor(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link === null || !(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const target = event.currentTarget.querySelector<HTMLElement>(
    `[id="${CSS.escape(link.getAttribute('href')?.slice(1) ?? '')}"]`,
  );
  if (target === null) return;
  target.tabIndex = -1;
  target.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
}
