import { createCanonicalEmailBlock, createEmailDomainBlock } from '../../../server/users/email-blocks/index.ts';
import { createIpBlock } from '../../../server/users/ip-blocks/index.ts';
import { createUsernameBlock } from '../../../server/users/username-blocks/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const ipBlocks = '/api/v1/admin/ip_blocks';
const domainBlocks = '/api/v1/admin/email_domain_blocks';
const canonicalBlocks = '/api/v1/admin/canonical_email_blocks';
const usernameBlocks = '/api/v1/fieldfare/admin/username_blocks';

async function ipBlockPath({ app }: TestServer): Promise<string> {
  const { id } = await createIpBlock(app, 'system', { ip: '192.0.2.0/24', severity: 'sign_up_block' });
  return `${ipBlocks}/${id}`;
}

const domainBlockPath = async ({ app }: TestServer): Promise<string> =>
  `${domainBlocks}/${await createEmailDomainBlock(app, 'system', { domain: 'spam.test' })}`;

const canonicalBlockPath = async ({ app }: TestServer): Promise<string> =>
  `${canonicalBlocks}/${(await createCanonicalEmailBlock(app, 'system', { email: 'a@spam.test' })).id}`;

const usernameBlockPath = async ({ app }: TestServer): Promise<string> =>
  `${usernameBlocks}/${(await createUsernameBlock(app, 'system', { username: 'cuckoo' })).id}`;

export const blockScenarios: StaffScenarios = {
  [`GET ${ipBlocks}`]: async () => ({ path: ipBlocks }),
  [`GET ${ipBlocks}/:id`]: async (server) => ({ path: await ipBlockPath(server) }),
  [`POST ${ipBlocks}`]: async () => ({ path: ipBlocks, body: { ip: '192.0.2.1', severity: 'no_access' } }),
  [`PUT ${ipBlocks}/:id`]: async (server) => ({ path: await ipBlockPath(server), body: { comment: 'Bots' } }),
  [`DELETE ${ipBlocks}/:id`]: async (server) => ({ path: await ipBlockPath(server) }),
  [`GET ${domainBlocks}`]: async () => ({ path: domainBlocks }),
  [`GET ${domainBlocks}/:id`]: async (server) => ({ path: await domainBlockPath(server) }),
  [`POST ${domainBlocks}`]: async () => ({ path: domainBlocks, body: { domain: 'spam.test' } }),
  [`DELETE ${domainBlocks}/:id`]: async (server) => ({ path: await domainBlockPath(server) }),
  [`GET ${canonicalBlocks}`]: async () => ({ path: canonicalBlocks }),
  [`GET ${canonicalBlocks}/:id`]: async (server) => ({ path: await canonicalBlockPath(server) }),
  [`POST ${canonicalBlocks}/test`]: async () => ({
    path: `${canonicalBlocks}/test`,
    body: { email: 'a@spam.test' },
    changesNothing: true,
  }),
  [`POST ${canonicalBlocks}`]: async () => ({ path: canonicalBlocks, body: { email: 'a@spam.test' } }),
  [`DELETE ${canonicalBlocks}/:id`]: async (server) => ({ path: await canonicalBlockPath(server) }),
  [`GET ${usernameBlocks}`]: async () => ({ path: usernameBlocks }),
  [`GET ${usernameBlocks}/:id`]: async (server) => ({ path: await usernameBlockPath(server) }),
  [`POST ${usernameBlocks}`]: async () => ({ path: usernameBlocks, body: { username: 'cuckoo' } }),
  [`PUT ${usernameBlocks}/:id`]: async (server) => ({
    path: await usernameBlockPath(server),
    body: { comparison: 'contains' },
  }),
  [`DELETE ${usernameBlocks}/:id`]: async (server) => ({ path: await usernameBlockPath(server) }),
};
