// Statuses: what people post, who may see it, and what others do with it (reply, reblog, favourite, bookmark, pin).
export {
  mentionsAdded,
  mentionsLeftOpen,
  statusDeleted,
  statusFavourited,
  statusPinned,
  statusPosted,
  statusReblogged,
  statusUnfavourited,
  statusUnpinned,
  statusUnreblogged,
} from './events.ts';
export { keepVisible, requireVisibleOriginal, requireVisibleStatus } from './keep-visible.ts';
export { mostCharacters, type Post, postStatus } from './post-status.ts';
export { type Beholder, presentStatus, presentStatuses } from './present-statuses.ts';
export { routes } from './routes.ts';
export { Context, Status } from './schema.ts';
export { statusBodies, type StatusBody } from './status-bodies.ts';
export type { Visibility } from './tables.ts';
export { reblogUri, statusUri, statusUrl } from './urls.ts';
export { canSee, isShown, narrower, type ShownFacts, type SightFacts, type Surface } from './visibility.ts';
