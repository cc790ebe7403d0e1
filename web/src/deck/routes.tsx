import { Route } from 'preact-iso';
import { Deck, Home, HomeOrColumns } from './home-or-columns.tsx';

/** Before the routes of timelines: home may be shown as columns. */
export const columnRoutes = [
  <Route key="/" path="/" component={HomeOrColumns} />,
  <Route key="/home" path="/home" component={Home} />,
  <Route key="/deck" path="/deck" component={Deck} />,
];
