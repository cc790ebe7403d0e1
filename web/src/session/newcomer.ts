import type { CredentialAccount } from '../api/entities.ts';
import type { StoredSettings } from './settings.ts';

/** The API says the day on which an account was created, in UTC. */
const maxAgeMs = 2 * 86_400_000;

/** Whether somebody has a new account without posts, and has not been shown around, on any device. */
export const isNewcomer = (
  { created_at, statuses_count }: Pick<CredentialAccount, 'created_at' | 'statuses_count'>,
  { settings, version }: StoredSettings,
  now: number,
): boolean =>
  version !== undefined && !settings.hasSeenTour && statuses_count === 0 && now - Date.parse(created_at) < maxAgeMs;
