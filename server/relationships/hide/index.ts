// Blocks, mutes and blocked domains.
export { blockAccount, unblockAccount } from './block-account.ts';
export { blockDomain, unblockDomain } from './block-domain.ts';
export { muteAccount, unmuteAccount } from './mute-account.ts';
