import { t } from '../i18n/translate.tsx';
import type { Column } from '../session/settings.ts';
import {
  bookmarksSource,
  favouritesSource,
  folderSource,
  homeSource,
  listSource,
  publicSource,
  tagSource,
  type TimelineSource,
} from '../timeline/index.ts';

/** Kinds of columns that need nothing else to be named. */
export const fixedKinds = ['home', 'public:local', 'public:remote', 'public', 'bookmarks', 'favourites'] as const;
/** Kinds of columns that show no timeline and need nothing else to be named. */
export const otherKinds = ['notifications', 'conversations', 'composer'] as const;
type OtherKind = (typeof otherKinds)[number];
type FixedKind = (typeof fixedKinds)[number];

/** What a column is, by the part of its source before the colon. */
export type ColumnKind = FixedKind | OtherKind | 'list' | 'tag' | 'account' | 'search' | 'folder';

const fixedSources: Readonly<Record<FixedKind, TimelineSource>> = {
  home: homeSource,
  'public:local': publicSource('local'),
  'public:remote': publicSource('remote'),
  public: publicSource('all'),
  bookmarks: bookmarksSource,
  favourites: favouritesSource,
};

/** Splits the source of a column: `list:5` into `list` and `5`. */
export function parseSource(source: string): { readonly kind: ColumnKind; readonly value: string } {
  if (source in fixedSources || otherKinds.includes(source as OtherKind))
    return { kind: source as ColumnKind, value: '' };
  const colon = source.indexOf(':');
  return { kind: source.slice(0, colon) as ColumnKind, value: source.slice(colon + 1) };
}

/** Returns the hashtags of a column: `art,photo`. */
export function splitTags(text: string): [string, ...string[]] {
  const [first = '', ...others] = new Set(text.split(/[\s,#]+/).filter((name) => name !== ''));
  return [first, ...others];
}

/** Returns the timeline of a column; undefined if it is none. */
export function timelineSourceOf(source: string): TimelineSource | undefined {
  const { kind, value } = parseSource(source);
  switch (kind) {
    case 'list':
      return listSource(value);
    case 'tag':
      return tagSource(...splitTags(value));
    case 'folder':
      return folderSource(value);
    case 'account':
      return {
        key: `account:${value}:posts`,
        path: `/api/v1/accounts/${value}/statuses`,
        query: { exclude_replies: true },
        context: 'account',
      };
    case 'search':
    case 'conversations':
    case 'notifications':
    case 'composer':
      return undefined;
    default:
      return fixedSources[kind];
  }
}

/** Returns the title of a column. Lists and accounts keep their name with the column. */
export function titleOf({ source, label }: Pick<Column, 'source' | 'label'>): string {
  const { kind, value } = parseSource(source);
  switch (kind) {
    case 'home':
      return t('nav.home');
    case 'public:local':
      return t('timeline.local');
    case 'public:remote':
      return t('timeline.remote');
    case 'public':
      return t('timeline.all');
    case 'bookmarks':
      return t('nav.bookmarks');
    case 'favourites':
      return t('nav.favourites');
    case 'conversations':
      return t('nav.conversations');
    case 'notifications':
      return t('nav.notifications');
    case 'composer':
      return t('nav.publish');
    case 'tag':
      return splitTags(value)
        .map((name) => `#${name}`)
        .join(' ');
    case 'folder':
      return label ?? t('nav.bookmarks');
    case 'account':
      return `@${label ?? value}`;
    case 'search':
      return t('tabs.searchOf', { query: value });
    case 'list':
      return label ?? t('nav.lists');
  }
}
