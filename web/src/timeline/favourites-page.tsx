import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { favouritesSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

/** The posts that the reader favourited. */
export function FavouritesPage() {
  return (
    <>
      <PageHeader title={t('nav.favourites')} />
      <TimelineView source={favouritesSource} empty={<EmptyState title={t('timeline.favouritesEmpty')} />} />
    </>
  );
}
