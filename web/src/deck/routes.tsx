import { Route } from 'preact-iso';
import { Deck, HomeOrColumns } from './home-or-columns.tsx';

/** Before the routes of timelines: home may be shown as columns. */
export const columnRoutes = [
  <Route key="/" path="/" component={HomeOrColumns} />,
  <Route key="/deck" path="/deck" component={Deck} />,
];
