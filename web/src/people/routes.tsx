import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const FollowRequestsPage = lazyPage(
  () => import('./follow-requests-page.tsx').then((module) => module.FollowRequestsPage),
  'people',
);
const FollowedTagsPage = lazyPage(
  () => import('./followed-tags-page.tsx').then((module) => module.FollowedTagsPage),
  'people',
);
const BlocksPage = lazyPage(() => import('./blocks-page.tsx').then((module) => module.BlocksPage), 'people');
const MutesPage = lazyPage(() => import('./mutes-page.tsx').then((module) => module.MutesPage), 'people');
const DomainBlocksPage = lazyPage(
  () => import('./domain-blocks-page.tsx').then((module) => module.DomainBlocksPage),
  'people',
);
export const peopleRoutes = [
  <Route key="/follow_requests" path="/follow_requests" component={FollowRequestsPage} />,
  <Route key="/followed_tags" path="/followed_tags" component={FollowedTagsPage} />,
  <Route key="/blocks" path="/blocks" component={BlocksPage} />,
  <Route key="/mutes" path="/mutes" component={MutesPage} />,
  <Route key="/domain_blocks" path="/domain_blocks" component={DomainBlocksPage} />,
];
