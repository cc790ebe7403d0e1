import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ProfilePage = lazyPage(
  () => import('./profile-page.tsx').then((module) => module.ProfilePage),
  'people',
  'reading',
);
const ProfileEditorPage = lazyPage(
  () => import('./editor/profile-editor-page.tsx').then((module) => module.ProfileEditorPage),
  'people',
);

export const profileEditorRoutes = [
  <Route key="/preferences/profile" path="/preferences/profile" component={ProfileEditorPage} />,
];

// `/@name`: after all routes with a fixed first segment.
export const profileRoutes = [
  <Route key="/profile" path="/:handle" component={ProfilePage} tab="posts" />,
  <Route key="/profile/with_replies" path="/:handle/with_replies" component={ProfilePage} tab="replies" />,
  <Route key="/profile/media" path="/:handle/media" component={ProfilePage} tab="media" />,
  <Route key="/profile/featured" path="/:handle/featured" component={ProfilePage} tab="featured" />,
  <Route key="/profile/followers" path="/:handle/followers" component={ProfilePage} tab="followers" />,
  <Route key="/profile/following" path="/:handle/following" component={ProfilePage} tab="following" />,
  <Route key="/profile/collections" path="/:handle/collections" component={ProfilePage} tab="collections" />,
  <Route key="/profile/tagged" path="/:handle/tagged/:tag" component={ProfilePage} tab="tagged" />,
];
