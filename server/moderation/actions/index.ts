// What staff do about accounts and posts, each with a strike that its user can appeal.
export { actionTypes, takeAction, type AccountAction, type ActionType } from './take-action.ts';
