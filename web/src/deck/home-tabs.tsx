import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { loadTexts, t } from '../i18n/translate.tsx';
import type { Column } from '../session/settings.ts';
import { ArrangeTabs, ContinueReading, HomePosts, homeSource, TimelineView, timelineOf } from '../timeline/index.ts';
import { TranslateTimeline } from '../timeline/translation/index.ts';
import { EmptyState } from '../ui/states.tsx';
import { followSwipesBetween } from '../ui/swipe-between.ts';
import { NotLoaded, useLoaded } from '../ui/use-loaded.tsx';
import { setPageTitle } from '../ui/window-title.ts';
import { timelineSourceOf, titleOf } from './column-sources.ts';
import { MissingSource } from './missing-source.tsx';
import { shownTabId } from './shown-tab.ts';
import { TabStrip } from './tab-strip.tsx';
import './home-tabs.css';

/** Loads what shows the tabs that are no timelines. */
async function loadOtherTab() {
  const texts = (['preferences', 'discovery', 'reading'] as const).map(loadTexts);
  const [{ OtherTab }] = await Promise.all([import('./other-tab.tsx'), ...texts]);
  return OtherTab;
}

function LazyTab({ source, title }: { readonly source: string; readonly title: string }) {
  const loaded = useLoaded('other-tab', loadOtherTab);
  const OtherTab = loaded.value;
  return OtherTab === undefined ? <NotLoaded of={loaded} /> : <OtherTab source={source} title={title} />;
}

/** From which side the shown tab comes. */
const cameFrom = signal<'start' | 'end' | undefined>(undefined);

/** Home with tabs: the same sources as the columns of wide windows. */
export function HomeTabs({ tabs }: { readonly tabs: readonly Column[] }) {
  const shown = tabs.find(({ id }) => id === shownTabId.value) ?? tabs.find(({ source }) => source === 'home');
  const title = shown === undefined ? t('nav.home') : titleOf(shown);
  useEffect(() => setPageTitle(title), [title]);
  useFollowed(tabs);
  if (shown === undefined) return null;
  const shownSource = timelineSourceOf(shown.source);
  const index = tabs.indexOf(shown);
  const select = (id: string): void => {
    const next = tabs.findIndex((tab) => tab.id === id);
    if (next === index) scrollTo({ top: 0 });
    else if (next >= 0) {
      cameFrom.value = next < index ? 'start' : 'end';
      shownTabId.value = id;
    }
  };
  return (
    <>
      <header class="page-header home-header">
        <h1 class="visually-hidden">{title}</h1>
        <TabStrip tabs={tabs} shown={shown} onSelect={select} />
        {shownSource !== undefined && <TranslateTimeline source={shownSource} />}
        {shown.source === 'home' && <ContinueReading source={homeSource} />}
        <ArrangeTabs />
      </header>
      <div class="home-tabs">
        <Panel
          key={shown.id}
          tab={shown}
          title={title}
          before={tabs[index - 1]?.id}
          after={tabs[index + 1]?.id}
          onSelect={select}
        />
      </div>
    </>
  );
}

/** Receives the new posts of all tabs, so that they show which ones have some. Not the busiest ones, which always do. */
function useFollowed(tabs: readonly Column[]): void {
  useEffect(() => {
    const sources = tabs.flatMap(({ source }) => timelineSourceOf(source) ?? []);
    const quiet = sources.filter(({ key }) => key !== 'public' && key !== 'public:remote');
    const releases = quiet.map((source) => timelineOf(source).follow());
    return () => {
      for (const release of releases) release();
    };
  }, [tabs.map(({ source }) => source).join(' ')]);
}

interface PanelProps {
  readonly tab: Column;
  readonly title: string;
  /** The ids of its neighbours. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly onSelect: (id: string) => void;
}

/** The content of a tab. A finger pushes it aside to the next one. */
function Panel({ tab, title, before, after, onSelect }: PanelProps) {
  const element = useRef<HTMLDivElement>(null);
  const neighbours = useRef({ before, after, onSelect });
  neighbours.current = { before, after, onSelect };
  const source = timelineSourceOf(tab.source);
  useLayoutEffect(() => {
    const isInPlace = source !== undefined && timelineOf(source).position !== undefined;
    if (!isInPlace && cameFrom.peek() !== undefined) scrollTo({ top: 0 });
    if (element.current === null) return undefined;
    const find = (step: -1 | 1): string | undefined => neighbours.current[step === 1 ? 'after' : 'before'];
    return followSwipesBetween(element.current, {
      has: (step) => find(step) !== undefined,
      turn: (step) => neighbours.current.onSelect(find(step) ?? ''),
    });
  }, []);
  return (
    <div
      ref={element}
      class="home-tab"
      id="home-tab"
      role="tabpanel"
      aria-label={title}
      data-swipes
      data-source={tab.source}
      data-from={cameFrom.peek()}
    >
      {tab.source === 'home' ? (
        <HomePosts />
      ) : source === undefined ? (
        <LazyTab source={tab.source} title={title} />
      ) : (
        <TimelineView
          source={source}
          empty={<EmptyState title={t('tabs.empty')} />}
          missing={<MissingSource column={tab} />}
        />
      )}
    </div>
  );
}
