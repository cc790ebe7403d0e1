import { TagHeader } from './tags/tag-header.tsx';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { MediaTimeline } from './media/media-timeline.tsx';
import { MediaToggle } from './media/media-toggle.tsx';
import { mediaSourceOf, showsMedia } from './media/media-view.ts';
import { tagSource } from './sources.ts';
import { TimelineView } from './timeline-view.tsx';
import { TranslateTimeline } from './translation/translate-timeline.tsx';

/** The posts with a hashtag. */
export function TagPage({ name = '' }: { readonly name?: string }) {
  const source = tagSource(name);
  return (
    <>
      <PageHeader
        title={`#${name}`}
        hasBack
        actions={
          <>
            {!showsMedia(source) && <TranslateTimeline source={source} />}
            <MediaToggle source={source} />
          </>
        }
      />
      <TagHeader name={name} />
      {showsMedia(source) ? (
        <MediaTimeline source={mediaSourceOf(source)} />
      ) : (
        <TimelineView source={source} empty={<EmptyState title={t('timeline.tagEmpty')} />} />
      )}
    </>
  );
}
