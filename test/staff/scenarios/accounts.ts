import type { StaffScenarios } from '../staff-scenario.ts';

export const accountScenarios: StaffScenarios = {
  'GET /api/v1/admin/accounts/:id': async (server) => ({
    path: `/api/v1/admin/accounts/${(await server.user('subject')).id}`,
  }),
};
