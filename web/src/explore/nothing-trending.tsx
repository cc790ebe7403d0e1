import { t } from '../i18n/translate.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Shown where nothing is trending: why, and the way to the live feeds. */
export function NothingTrending({ title }: { readonly title: string }) {
  return (
    <EmptyState title={title}>
      <p>{t('explore.emptyHint')}</p>
      <a class="button" href="/public">
        {t('nav.live')}
      </a>
    </EmptyState>
  );
}
