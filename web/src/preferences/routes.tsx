import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const part = 'preferences';
const IndexPage = lazyPage(() => import('./index-page.tsx').then((module) => module.IndexPage), part);
const AppearancePage = lazyPage(() => import('./appearance-page.tsx').then((module) => module.AppearancePage), part);
const ColumnsPage = lazyPage(() => import('./columns-page.tsx').then((module) => module.ColumnsPage), part);
const PostingPage = lazyPage(() => import('./posting-page.tsx').then((module) => module.PostingPage), part);
const ReadingPage = lazyPage(() => import('./reading-page.tsx').then((module) => module.ReadingPage), part);
const PrivacyPage = lazyPage(() => import('./privacy-page.tsx').then((module) => module.PrivacyPage), part);
const LanguagePage = lazyPage(() => import('./language-page.tsx').then((module) => module.LanguagePage), part);
const TagsPage = lazyPage(() => import('./featured-tags-page.tsx').then((module) => module.FeaturedTagsPage), part);
const FiltersPage = lazyPage(() => import('./filters/filters-page.tsx').then((module) => module.FiltersPage), part);
const FilterPage = lazyPage(() => import('./filters/filter-page.tsx').then((module) => module.FilterPage), part);
const GroupsPage = lazyPage(
  () => import('./groups/groups-page.tsx').then((module) => module.GroupsPage),
  part,
  'groups',
);
const GroupPage = lazyPage(
  () => import('./groups/group-page.tsx').then((module) => module.GroupPage),
  part,
  'groups',
  'people',
);
const AppsPage = lazyPage(() => import('./apps-page.tsx').then((module) => module.AppsPage), part);
const DataPage = lazyPage(() => import('./data/data-page.tsx').then((module) => module.DataPage), part);
const NotificationsPage = lazyPage(
  () => import('./notifications-page.tsx').then((module) => module.NotificationsPage),
  part,
  'discovery',
);
const SecurityPage = lazyPage(() => import('./security-page.tsx').then((module) => module.SecurityPage), part);

export const preferenceRoutes = [
  <Route key="/preferences" path="/preferences" component={IndexPage} />,
  <Route key="/preferences/appearance" path="/preferences/appearance" component={AppearancePage} />,
  <Route key="/preferences/columns" path="/preferences/columns" component={ColumnsPage} />,
  <Route key="/preferences/posting" path="/preferences/posting" component={PostingPage} />,
  <Route key="/preferences/reading" path="/preferences/reading" component={ReadingPage} />,
  <Route key="/preferences/privacy" path="/preferences/privacy" component={PrivacyPage} />,
  <Route key="/preferences/language" path="/preferences/language" component={LanguagePage} />,
  <Route key="/preferences/hashtags" path="/preferences/hashtags" component={TagsPage} />,
  <Route key="/preferences/filters" path="/preferences/filters" component={FiltersPage} />,
  <Route key="/preferences/filter" path="/preferences/filters/:id" component={FilterPage} />,
  <Route key="/preferences/groups" path="/preferences/groups" component={GroupsPage} />,
  <Route key="/preferences/group" path="/preferences/groups/:id" component={GroupPage} />,
  <Route key="/preferences/apps" path="/preferences/apps" component={AppsPage} />,
  <Route key="/preferences/data" path="/preferences/data" component={DataPage} />,
  <Route key="/preferences/notifications" path="/preferences/notifications" component={NotificationsPage} />,
  <Route key="/preferences/security" path="/preferences/security" component={SecurityPage} />,
];
