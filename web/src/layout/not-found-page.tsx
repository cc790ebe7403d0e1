import { t } from '../i18n/translate.tsx';
import { EmptyState } from '../ui/states.tsx';
import { PageHeader } from './page-header.tsx';

/** Shown for addresses without a page. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title={t('app.notFound')} hasBack />
      <EmptyState title={t('app.notFound')}>
        <a class="button" href="/">
          {t('nav.home')}
        </a>
      </EmptyState>
    </>
  );
}
