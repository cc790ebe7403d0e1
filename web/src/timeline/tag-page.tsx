import { TagHeader } from './tags/tag-header.tsx';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { tagSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';

/** The posts with a hashtag. */
export function TagPage({ name = '' }: { readonly name?: string }) {
  return (
    <>
      <PageHeader title={`#${name}`} hasBack />
      <TagHeader name={name} />
      <TimelineView source={tagSource(name)} empty={<EmptyState title={t('timeline.tagEmpty')} />} />
    </>
  );
}
