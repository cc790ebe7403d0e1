import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { quotesSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

/** The posts that quote a post: /@name/id/quotes. */
export function QuotesPage({ id = '' }: { readonly id?: string }) {
  return (
    <>
      <PageHeader title={t('timeline.quotes')} hasBack />
      <TimelineView source={quotesSource(id)} empty={<EmptyState title={t('timeline.quotesEmpty')} />} />
    </>
  );
}
