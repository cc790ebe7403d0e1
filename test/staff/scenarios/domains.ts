import { allowDomain, blockDomain } from '../../../server/site/domains/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffScenarios } from '../staff-scenario.ts';

const blocks = '/api/v1/admin/domain_blocks';
const allows = '/api/v1/admin/domain_allows';

const blockPath = async ({ app }: TestServer) =>
  `${blocks}/${(await blockDomain(app, 'system', { domain: 'bad.example' })).id}`;
const allowPath = async ({ app }: TestServer) => `${allows}/${(await allowDomain(app, 'system', 'good.example')).id}`;

export const domainScenarios: StaffScenarios = {
  'GET /api/v1/admin/domain_blocks': async () => ({ path: blocks }),
  'GET /api/v1/admin/domain_blocks/:id': async (server) => ({ path: await blockPath(server) }),
  'POST /api/v1/admin/domain_blocks': async () => ({ path: blocks, body: { domain: 'bad.example' } }),
  'PUT /api/v1/admin/domain_blocks/:id': async (server) => ({
    path: await blockPath(server),
    body: { severity: 'suspend' },
  }),
  'DELETE /api/v1/admin/domain_blocks/:id': async (server) => ({ path: await blockPath(server) }),
  'GET /api/v1/admin/domain_allows': async () => ({ path: allows }),
  'GET /api/v1/admin/domain_allows/:id': async (server) => ({ path: await allowPath(server) }),
  'POST /api/v1/admin/domain_allows': async () => ({ path: allows, body: { domain: 'good.example' } }),
  'GET /api/v1/fieldfare/admin/domain_blocks/export': async () => ({
    path: '/api/v1/fieldfare/admin/domain_blocks/export',
  }),
  'POST /api/v1/fieldfare/admin/domain_blocks/import': async () => ({
    path: '/api/v1/fieldfare/admin/domain_blocks/import',
    body: { csv: 'bad.example' },
  }),
  'GET /api/v1/fieldfare/admin/domain_allows/export': async () => ({
    path: '/api/v1/fieldfare/admin/domain_allows/export',
  }),
  'POST /api/v1/fieldfare/admin/domain_allows/import': async () => ({
    path: '/api/v1/fieldfare/admin/domain_allows/import',
    body: { csv: 'good.example' },
  }),
  'DELETE /api/v1/admin/domain_allows/:id': async (server) => ({ path: await allowPath(server) }),
};
