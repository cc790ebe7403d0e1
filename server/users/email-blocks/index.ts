// E-mail addresses and domains that staff block for sign-ups.
export { createCanonicalEmailBlock, deleteCanonicalEmailBlock, listCanonicalEmailBlocks } from './canonical-blocks.ts';
export { createEmailDomainBlock, deleteEmailDomainBlock } from './change-domain-blocks.ts';
export { checkEmail } from './find-email-blocks.ts';
export { listEmailDomainBlocks } from './list-domain-blocks.ts';
export { findMailHosts } from './mail-hosts.ts';
