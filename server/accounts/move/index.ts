// Moves of accounts to another account, and aliases.
export { addAlias, markMoved, removeAlias, setMoveTarget, unmarkMoved } from './move-account.ts';
export { findLastMoveDate } from './moves.ts';
