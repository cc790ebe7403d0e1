import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { withQuery } from '../api/client.ts';
import type { Tag, TrendsLink } from '../api/entities.ts';
import { recentPeople, TagLink } from '../timeline/tags/index.ts';
import { t } from '../i18n/translate.tsx';
import { SuggestionRow, useSuggestions } from '../people/index.ts';
import { SearchBox } from '../search/index.ts';
import { useLoaded } from '../ui/use-loaded.tsx';
import './aside.css';

const shown = 4;
const shownPeople = 3;
/** More than are shown, so that dismissed ones are replaced. */
const loadedPeople = 12;

/** What wide windows show beside the page: search, trends and suggested people. */
export function Aside() {
  const { path } = useLocation();
  const isExploring = path.startsWith('/explore') || path === '/search';
  return (
    <div class="aside-content">
      {!isExploring && (
        <>
          <SearchBox />
          <Trends />
          <Links />
          <People />
        </>
      )}
    </div>
  );
}

/** Loads a list for the aside, which shows nothing if that fails. */
const useShortList = <Item,>(path: string): readonly Item[] =>
  useLoaded<readonly Item[]>(withQuery(path, { limit: shown })).value ?? [];

interface SectionProps {
  readonly title: string;
  readonly more: string;
  readonly children: ComponentChildren;
}

function Section({ title, more, children }: SectionProps) {
  return (
    <section class="aside-section" aria-label={title}>
      <h2>
        <a href={more}>{title}</a>
      </h2>
      {children}
    </section>
  );
}

function Trends() {
  const tags = useShortList<Tag>('/api/v1/trends/tags');
  if (tags.length === 0) return null;
  return (
    <Section title={t('explore.trendingTags')} more="/explore/tags">
      {tags.map((tag) => (
        <TagLink key={tag.name} tag={tag} />
      ))}
    </Section>
  );
}

function Links() {
  const links = useShortList<TrendsLink>('/api/v1/trends/links');
  if (links.length === 0) return null;
  return (
    <Section title={t('explore.trendingLinks')} more="/explore/links">
      {links.map((link) => (
        <a key={link.url} class="aside-link" href={`/links?url=${encodeURIComponent(link.url)}`}>
          <strong dir="auto">{link.title}</strong>
          <span class="soft small">{t('explore.talk', { count: recentPeople(link.history) })}</span>
        </a>
      ))}
    </Section>
  );
}

function People() {
  const { loaded, dismiss } = useSuggestions(loadedPeople);
  const list = loaded.value ?? [];
  const people = list.slice(0, shownPeople);
  if (people.length === 0) return null;
  return (
    <Section title={t('explore.suggested')} more="/explore/people">
      {people.map((suggestion) => (
        <SuggestionRow key={suggestion.account.id} suggestion={suggestion} onDismiss={() => dismiss(suggestion)} />
      ))}
    </Section>
  );
}
