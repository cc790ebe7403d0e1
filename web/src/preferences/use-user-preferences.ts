import type { UserPreferences } from '../api/entities.ts';
import type { Load } from '../ui/load.ts';
import { usePatch } from '../ui/use-changes.ts';
import { useLoaded } from '../ui/use-loaded.tsx';

const path = '/api/v1/fieldfare/preferences';

/** Loads the preferences that the server keeps for all apps, with the function that changes them. */
export function useUserPreferences(): readonly [Load<UserPreferences>, ReturnType<typeof usePatch<UserPreferences>>] {
  const preferences = useLoaded<UserPreferences>(path);
  return [preferences, usePatch(path, preferences)];
}
