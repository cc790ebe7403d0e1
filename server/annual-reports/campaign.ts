import type { App } from '../platform/app.ts';
import { siteSettings } from '../site/index.ts';

/** The campaign runs from this day of December to its end, UTC. */
const firstDay = 10;
const december = 11;

/** Returns the year for which users can have a report now; undefined outside the campaign, or if staff disabled reports. */
export async function currentCampaign(app: App): Promise<number | undefined> {
  const now = app.clock.now();
  if (now.getUTCMonth() !== december || now.getUTCDate() < firstDay) return undefined;
  return (await siteSettings(app)).annualReports ? now.getUTCFullYear() : undefined;
}

/** Returns the year in a path; undefined if it is none. */
export const parseYear = (text: string): number | undefined => (/^\d{4}$/.test(text) ? Number(text) : undefined);
