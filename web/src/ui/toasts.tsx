import { signal } from '@preact/signals';
import { ApiError, ExplainedError, OfflineError } from '../api/client.ts';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import x from '@phosphor-icons/core/regular/x.svg?raw';
import { t } from '../i18n/translate.tsx';
import { Icon } from './icon.tsx';
import { undoOffers } from './undo.ts';
import './toasts.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'info' | 'error';
  /** A button: "Undo", "Try again". */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;
const shownMs = 8_000;

/** Shows a short message at the bottom of the page for some seconds. Screen readers read it aloud. */
export function showToast(text: string, options: { kind?: Toast['kind']; action?: Toast['action'] } = {}): void {
  const toast: Toast = { id: (lastId += 1), text, kind: options.kind ?? 'info', action: options.action };
  toasts.value = [...toasts.value.slice(-2), toast];
  setTimeout(() => closeToast(toast.id), shownMs);
}

/**
 * Shows why something failed, with a button to repeat it if given. Shows nothing if the session is the reason: the notice
 * about it says so already.
 */
export function showError(error: unknown, retry?: () => void): void {
  if (error instanceof ApiError && error.isAboutSession) return;
  const action = retry === undefined ? undefined : { label: t('app.tryAgain'), run: retry };
  showToast(describeError(error), { kind: 'error', action });
}

/** Returns what went wrong, in words for people. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 429) return t('app.tooManyRequests');
    return error.status >= 500 ? t('app.serverError') : error.message;
  }
  if (error instanceof ExplainedError) return error.message;
  return error instanceof OfflineError ? t('app.offline') : t('app.unexpectedError');
}

function closeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The places for messages: the page, and the dialogs above it, which make it inert. The last one has them. */
const places = signal<readonly object[]>([]);

/** The messages of `showToast`, and what the reader can undo. */
export function Toasts() {
  const place = useMemo(() => ({}), []);
  useEffect(() => {
    places.value = [...places.peek(), place];
    return () => (places.value = places.peek().filter((one) => one !== place));
  }, [place]);
  const isLast = places.value.at(-1) === place;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {isLast && toasts.value.map((toast) => <Message key={toast.id} toast={toast} />)}
      {isLast && <Undo />}
    </div>
  );
}

function Message({ toast: { id, text, kind, action } }: { readonly toast: Toast }) {
  return (
    <div class={`toast ${kind}`}>
      <span>{text}</span>
      {action !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            closeToast(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}

/** What the reader did last, with a button to undo it. Its time stands still while the pointer or the focus is on it. */
function Undo() {
  const offer = undoOffers.shown.value;
  const element = useRef<HTMLDivElement>(null);
  const focusedBefore = useRef<EventTarget | null>(null);
  if (offer === undefined) return null;
  const endBy = (end: () => void) => (): void => {
    const hadFocus = element.current?.contains(document.activeElement) === true;
    end();
    if (!hadFocus) return;
    const before = focusedBefore.current;
    const isThere = before instanceof HTMLElement && before.isConnected;
    (isThere ? before : document.querySelector<HTMLElement>('#content'))?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={element}
      class="toast undo"
      onPointerEnter={() => undoOffers.pause()}
      onPointerLeave={() => undoOffers.resume()}
      onFocusIn={({ relatedTarget }) => {
        undoOffers.pause();
        if (element.current?.contains(relatedTarget as Node | null) !== true) focusedBefore.current = relatedTarget;
      }}
      onFocusOut={() => undoOffers.resume()}
    >
      <span>{offer.text}</span>
      <button type="button" class="link" onClick={endBy(() => undoOffers.undo())}>
        {t('undo.undo')}
      </button>
      <button
        type="button"
        class={offer.finish === undefined ? 'icon-button' : 'link'}
        aria-label={offer.finish === undefined ? t('app.close') : undefined}
        onClick={endBy(() => void undoOffers.settle())}
      >
        {offer.finish ?? <Icon svg={x} />}
      </button>
    </div>
  );
}
