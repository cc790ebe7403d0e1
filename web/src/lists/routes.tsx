import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ListsPage = lazyPage(() => import('./lists-page.tsx').then((module) => module.ListsPage), 'people');
const ListMembersPage = lazyPage(
  () => import('./list-members-page.tsx').then((module) => module.ListMembersPage),
  'people',
);

export const listRoutes = [
  <Route key="/lists" path="/lists" component={ListsPage} />,
  <Route key="/lists/members" path="/lists/:id/members" component={ListMembersPage} />,
];
