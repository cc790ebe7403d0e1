import type { Route } from '../../platform/http/routes.ts';
import { pageRoute } from '../page-routes.ts';
import { redirectTo } from '../render/layout.ts';

/** Declares the former address of a page that the web client replaces, for bookmarks and documents of others. */
const replacedRoute = (path: string, clientPath: string, summary: string): Route =>
  pageRoute('GET', path, { summary, handle: ({ visitor }) => redirectTo(visitor, clientPath) });

export const replacedRoutes: readonly Route[] = [
  replacedRoute('/settings/approvals', '/notifications/approvals', 'Redirect to the approvals in the web client'),
  replacedRoute('/settings/blocks', '/blocks', 'Redirect to the blocked accounts in the web client'),
  replacedRoute('/settings/filters', '/preferences/filters', 'Redirect to the filters in the web client'),
  replacedRoute(
    '/settings/interactions',
    '/preferences/posting',
    'Redirect to the defaults of posts in the web client',
  ),
  replacedRoute('/settings/posting', '/preferences/posting', 'Redirect to the defaults of posts in the web client'),
  replacedRoute('/settings/privacy', '/preferences/privacy', 'Redirect to the privacy settings in the web client'),
  replacedRoute('/settings/profile', '/preferences/profile', 'Redirect to the profile editor of the web client'),
];
