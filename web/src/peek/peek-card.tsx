import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { hasLayers } from '../ui/layers.ts';
import { useHint } from '../ui/use-layer.ts';
import type { Peek } from './load-peek.ts';
import { PeekContent } from './peek-content.tsx';
import './peek.css';

/** How long the pointer may be beside the link and the preview, on its way from one to the other. */
const leftMs = 250;

interface PeekCardProps {
  readonly peek: Peek;
  readonly title: string;
  /** What the pointer rests on. */
  readonly link: HTMLAnchorElement;
  readonly onClose: () => void;
}

/**
 * A preview beside the link on which the pointer rests. It is no layer of the history, because the reader did not ask for it:
 * it disappears with Escape, when the pointer leaves it, and when the page scrolls or changes.
 */
export function PeekCard({ peek, title, link, onClose }: PeekCardProps) {
  const hint = useHint(link);
  const { url } = useLocation();
  const openedAt = useRef(url);
  useEffect(() => (hint.ref.current === null ? undefined : closeWhenLeft(hint.ref.current, link, onClose)), []);
  useEffect(() => {
    if (url !== openedAt.current) onClose();
  }, [url]);
  return (
    <div {...hint} class="peek" role="dialog" aria-label={title}>
      <PeekContent peek={peek} />
    </div>
  );
}

/** Calls `close` when the reader leaves a preview and its link. Returns the function that stops it. */
function closeWhenLeft(card: HTMLElement, link: HTMLElement, close: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isInside = (target: EventTarget | null): boolean =>
    target instanceof Node && (card.contains(target) || link.contains(target));
  const leave = (): void => {
    // A menu of the preview is open.
    timer ??= setTimeout(() => (hasLayers() ? (timer = undefined) : close()), leftMs);
  };
  const stay = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  document.addEventListener('pointermove', ({ target }) => (isInside(target) ? stay() : leave()), { signal });
  document.documentElement.addEventListener('pointerleave', leave, { signal });
  const closeOutside = ({ target }: Event): void => {
    if (!(target instanceof Node && card.contains(target))) close();
  };
  document.addEventListener('scroll', closeOutside, { capture: true, signal });
  document.addEventListener('pointerdown', closeOutside, { signal });
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || hasLayers()) return;
      event.preventDefault();
      close();
    },
    { signal },
  );
  return () => {
    stay();
    controller.abort();
  };
}
