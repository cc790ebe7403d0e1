import { Route } from 'preact-iso';
import { lazyPage } from '../lazy-page.ts';

const ConversationsPage = lazyPage(
  () => import('./conversations-page.tsx').then((module) => module.ConversationsPage),
  'discovery',
);

export const conversationRoutes = [<Route key="/conversations" path="/conversations" component={ConversationsPage} />];
