// Actions of staff on reported posts, with strikes.
export { takeStatusAction, type StatusActionType } from './take-status-action.ts';
