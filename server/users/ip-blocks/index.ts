// IP addresses and networks that staff block, for sign-ups or altogether.
export { createIpBlock, deleteIpBlock, updateIpBlock } from './change-ip-blocks.ts';
export { isWideNetwork } from './parse-ip-block.ts';
export { findIpBlockId, listIpBlocks } from './find-ip-blocks.ts';
export { isAccessDenied, passesIpBlocks } from './ip-policy.ts';
export type { IpBlockSeverity } from './tables.ts';
