import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { withQuery } from '../api/client.ts';
import type { Draft, Tag, TrendsLink } from '../api/entities.ts';
import { onPublished } from '../composer/index.ts';
import { recentPeople, TagLink } from '../timeline/tags/index.ts';
import { t } from '../i18n/translate.tsx';
import { SuggestionRow, useSuggestions } from '../people/index.ts';
import { SearchBox } from '../search/index.ts';
import { instance, me } from '../session/session.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { isRemoved } from '../ui/remove-later.ts';
import { useLoaded } from '../ui/use-loaded.tsx';
import './aside.css';

const shown = 4;
const shownPeople = 3;
const shownDrafts = 3;
/** More than are shown, so that dismissed ones are replaced. */
const loadedPeople = 12;

/** Who has written fewer posts than this may not know the rules of the server. */
const fewPosts = 5;
const isNewHere = (): boolean => me.value.statuses_count < fewPosts;

/**
 * What wide windows show beside the page: search, what the reader has begun to write, the rules for those who are new, trends
 * and suggested people, and the pages about the server.
 */
export function Aside() {
  const { path } = useLocation();
  const isExploring = path.startsWith('/explore') || path === '/search';
  return (
    <div class="aside-content">
      {!isExploring && <SearchBox />}
      <Drafts path={path} />
      {isNewHere() && <Rules />}
      {!isExploring && (
        <>
          <Trends />
          <Links />
          <People />
        </>
      )}
      <SiteLinks />
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

/** The newest drafts. They are loaded again when the reader leaves a page, because drafts are written on some of them. */
function Drafts({ path }: { readonly path: string }) {
  const loaded = useLoaded<readonly Draft[]>(withQuery('/api/v1/fieldfare/drafts', { limit: shownDrafts }));
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) void loaded.load();
    isFirst.current = false;
  }, [path]);
  useEffect(() => onPublished(() => void loaded.load()), [loaded]);
  const drafts = (loaded.value ?? []).filter(({ id }) => !isRemoved(`/api/v1/fieldfare/drafts/${id}`));
  if (drafts.length === 0 || path === '/drafts' || path === '/publish') return null;
  return (
    <Section title={t('aside.drafts')} more="/drafts">
      {drafts.map(({ id, posts, updated_at: updatedAt }) => (
        <a key={id} class="aside-link" href={`/publish?draft=${id}`}>
          <strong class="one-line" dir="auto">
            {posts.map(({ text }) => text).find((text) => text !== undefined && text.trim() !== '') ??
              t('aside.noText')}
          </strong>
          <span class="soft small">
            <RelativeTime time={updatedAt} />
          </span>
        </a>
      ))}
    </Section>
  );
}

function Rules() {
  const rules = instance.value?.rules ?? [];
  if (rules.length === 0) return null;
  return (
    <Section title={t('aside.rules')} more="/about">
      <ol class="aside-rules small">
        {rules.slice(0, shown).map(({ id, text }) => (
          <li key={id} dir="auto">
            {text}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The pages about the server, which every page of it must lead to. */
function SiteLinks() {
  const { terms_of_service: terms = null } = instance.value?.configuration.urls ?? {};
  const links = [
    { path: '/about', label: t('aside.about') },
    { path: '/privacy-policy', label: t('aside.privacy') },
    ...(terms === null ? [] : [{ path: '/terms-of-service', label: t('aside.terms') }]),
  ];
  return (
    <p class="aside-site small">
      {links.map(({ path, label }) => (
        <a key={path} class="soft" href={path}>
          {label}
        </a>
      ))}
    </p>
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
