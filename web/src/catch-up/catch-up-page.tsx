import { useLocation } from 'preact-iso';
import { requestPage } from '../api/client.ts';
import type { Status } from '../api/entities.ts';
import { t } from '../i18n/translate.tsx';
import { PageHeader } from '../layout/index.ts';
import { openPath } from '../navigate.ts';
import { lastSeenBefore, visit } from '../session/visits.ts';
import { homeSource } from '../timeline/index.ts';
import { loadHomeMarker } from '../timeline/markers/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { CaughtPosts } from './caught-posts.tsx';
import { ChoosePeriod } from './choose-period.tsx';
import { addressOf, parseWanted, type Wanted } from './periods.ts';

/** What happened in home since the last visit, or in a chosen time: `/catch-up`. */
export function CatchUpPage() {
  const wanted = parseWanted(useLocation().query);
  return (
    <>
      <PageHeader title={t('nav.catchUp')} hasBack />
      {wanted.kind === 'nothing' ? (
        <ChoosePeriod />
      ) : wanted.kind === 'posts' ? (
        <CaughtPosts key={`${wanted.since}:${wanted.until}`} since={wanted.since} until={wanted.until} />
      ) : (
        <FindPosts key={JSON.stringify(wanted)} wanted={wanted} />
      )}
    </>
  );
}

const hourMs = 3_600_000;
/** For a reader whose last visit is not known. */
const usualHours = 24;

/** Finds the newest post, and replaces the address by that of the posts up to it. */
function FindPosts({ wanted }: { readonly wanted: Exclude<Wanted, { kind: 'posts' | 'nothing' }> }) {
  const found = useLoaded(JSON.stringify(wanted), async (signal) => {
    const [{ items }] = await Promise.all([
      requestPage<Status>(homeSource.path, { query: { limit: 1 }, signal }),
      loadHomeMarker(),
    ]);
    const hours = wanted.kind === 'hours' ? wanted.hours : usualHours;
    const seen = wanted.kind === 'visit' ? lastSeenBefore(visit.peek()) : undefined;
    const until = items[0]?.id;
    if (until !== undefined && !signal.aborted) openPath(addressOf(seen ?? Date.now() - hours * hourMs, until), true);
    return { isEmpty: until === undefined };
  });
  if (found.value?.isEmpty === true) return <EmptyState title={t('timeline.homeEmpty')} />;
  return <NotLoaded of={found} />;
}
