import { notFound } from '../../platform/http/http-errors.ts';
import { HttpResponse } from '../../platform/http/http-response.ts';
import type { Route } from '../../platform/http/routes.ts';
import { findPermittedSession, pageRoute } from '../page-routes.ts';
import { findClientBuild } from './client-files.ts';
import { renderShell } from './shell.ts';

/** Declares a path that only the web client has. Visitors sign in first and return. Without a client it answers 404. */
const clientRoute = (path: string, summary: string): Route =>
  pageRoute('GET', path, {
    summary,
    async handle({ visitor }) {
      const build = findClientBuild(visitor.app);
      if (build === undefined) throw notFound('http.notFound');
      const session = findPermittedSession(visitor);
      if (session instanceof HttpResponse) return session;
      return renderShell(visitor, { session, build, simplePage: '/?view=page' });
    },
  });

/** The paths of the web client that no page has. */
export const clientRoutes: readonly Route[] = [
  clientRoute('/home', 'Show the home timeline in the web client'),
  clientRoute('/notifications', 'Show the notifications in the web client'),
  clientRoute('/notifications/approvals', 'Show what waits for the approval of the user in the web client'),
  clientRoute('/notifications/requests', 'Show notification requests in the web client'),
  clientRoute('/notifications/requests/:id', 'Show a notification request in the web client'),
  clientRoute('/search', 'Show the search in the web client'),
  clientRoute('/catch-up', 'Show what is new in home since a time in the web client'),
  clientRoute('/conversations', 'List direct conversations in the web client'),
  clientRoute('/conversations/:id', 'Show a direct conversation in the web client'),
  clientRoute('/bookmarks', 'Show the bookmarks in the web client'),
  clientRoute('/bookmarks/:id', 'Show the bookmarks of a folder in the web client'),
  clientRoute('/favourites', 'Show the favourites in the web client'),
  clientRoute('/lists', 'Show the lists in the web client'),
  clientRoute('/lists/:id', 'Show the timeline of a list in the web client'),
  clientRoute('/lists/:id/members', 'Show the members of a list in the web client'),
  clientRoute('/links', 'Show the posts about a link in the web client'),
  clientRoute('/followed_tags', 'Show the followed hashtags in the web client'),
  clientRoute('/follow_requests', 'Show follow requests in the web client'),
  clientRoute('/blocks', 'Show the blocked accounts in the web client'),
  clientRoute('/mutes', 'Show the muted accounts in the web client'),
  clientRoute('/domain_blocks', 'Show the blocked domains in the web client'),
  clientRoute('/directory', 'Show the profile directory in the web client'),
  clientRoute('/publish', 'Show the form for a post in the web client'),
  clientRoute('/drafts', 'Show the drafts in the web client'),
  clientRoute('/scheduled', 'Show the scheduled posts in the web client'),
  clientRoute('/announcements', 'Show the announcements in the web client'),
  clientRoute('/deck', 'Show the columns of the web client'),
  clientRoute('/preferences', 'Show the settings in the web client'),
  clientRoute('/preferences/:page', 'Show a page of the settings in the web client'),
  clientRoute('/preferences/:page/:id', 'Show one item of the settings in the web client'),
  clientRoute('/moderation', 'Show the moderation in the web client'),
  clientRoute('/moderation/:page', 'Show a page of the moderation in the web client'),
  clientRoute('/moderation/:page/:id', 'Show one item of the moderation in the web client'),
  clientRoute('/@:username/followers', 'Show the followers of a profile in the web client'),
  clientRoute('/@:username/following', 'Show the accounts that a profile follows in the web client'),
  clientRoute('/@:username/featured', 'Show what a profile features in the web client'),
  clientRoute('/@:username/:id/favourites', 'Show who favourited a post in the web client'),
  clientRoute('/@:username/:id/reblogs', 'Show who boosted a post in the web client'),
  clientRoute('/@:username/:id/quotes', 'Show the quotes of a post in the web client'),
  clientRoute('/@:username/:id/read', 'Show a thread of one author as one text in the web client'),
  clientRoute('/@:username/:id/history', 'Show the versions of a post in the web client'),
];
