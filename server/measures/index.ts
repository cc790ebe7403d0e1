// Measures for the dashboard of staff: counts by day, which schedules keep, and the routes that add them up.
import type { Schedule } from '../platform/work/run-schedules.ts';
import { rankAccounts } from './count/rank-accounts.ts';
import { measureSizes } from './count/measure-sizes.ts';
import { recountPast, recountToday } from './count/recount.ts';

export { defaultDimensionLimit } from './limits.ts';
export { parseCohortRange, parseRange, type DayRange } from './range.ts';
export { routes } from './routes.ts';

export const schedules: readonly Schedule[] = [recountToday, recountPast, rankAccounts, measureSizes];
