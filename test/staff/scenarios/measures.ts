import type { StaffScenarios } from '../staff-scenario.ts';

const range = { start_at: '2026-01-01', end_at: '2026-01-31' };
const read = (path: string, body: object) => async () => ({ path, body: { ...range, ...body }, changesNothing: true });

export const measureScenarios: StaffScenarios = {
  'POST /api/v1/admin/measures': read('/api/v1/admin/measures', { keys: ['new_users'] }),
  'POST /api/v1/admin/dimensions': read('/api/v1/admin/dimensions', { keys: ['servers'] }),
  'POST /api/v1/admin/retention': read('/api/v1/admin/retention', { frequency: 'day' }),
};
