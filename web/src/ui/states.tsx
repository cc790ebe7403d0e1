import type { ComponentChildren } from 'preact';
import { t } from '../i18n/translate.tsx';
import { describeError } from './toasts.tsx';
import './states.css';

/** Shown in place of an empty list: what would be here, and what to do next. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Shown in place of what could not be loaded, with a button to try again. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <div class="state" role="alert">
      <p>{describeError(error)}</p>
      {onRetry !== undefined && (
        <button type="button" class="button quiet" onClick={onRetry}>
          {t('app.tryAgain')}
        </button>
      )}
    </div>
  );
}

/** Shown while a list loads: grey posts of about the right height, so that little moves. */
export function LoadingPosts({ count = 6 }: { readonly count?: number }) {
  return (
    <div class="loading" role="status" aria-label={t('app.loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} class="loading-post" />
      ))}
    </div>
  );
}
