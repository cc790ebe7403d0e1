import { signal } from '@preact/signals';
import { ApiError, ExplainedError, OfflineError } from '../api/client.ts';
import { t } from '../i18n/translate.tsx';
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

/** The messages of `showToast`. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`toast ${kind}`}>
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
      ))}
    </div>
  );
}
