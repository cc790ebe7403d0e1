import { computed, signal } from '@preact/signals';
import { request } from '../api/client.ts';
import type { FieldfareAdminCounts } from '../api/entities.ts';
import { can, type Permission } from '../session/permissions.ts';
import { repeatWhileVisible } from '../session/repeat-while-visible.ts';

/** How much waits for staff, as far as the role may see it; undefined until it was loaded. */
export const staffCounts = signal<FieldfareAdminCounts | undefined>(undefined);

/** How many things wait for a decision of the signed-in member of the staff. */
export const waitingCount = computed(() => (staffCounts.value === undefined ? 0 : sumOfDecisions(staffCounts.value)));

/** Returns how many things somebody has to decide about. Deliveries to other servers are tried again without anybody. */
export function sumOfDecisions({ failing_hosts: _hosts, ...decisions }: FieldfareAdminCounts): number {
  return Object.values(decisions).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

const intervalMs = 60_000;

/** The server counts for those who have one of them. */
const permissions: readonly Permission[] = [
  'manage_reports',
  'manage_users',
  'manage_appeals',
  'manage_taxonomies',
  'view_devops',
  'manage_federation',
];

/** Loads the counts again, after a decision. */
export async function refreshStaffCounts(): Promise<void> {
  if (!can(...permissions)) return;
  try {
    staffCounts.value = await request<FieldfareAdminCounts>('GET', '/api/v1/fieldfare/admin/counts');
  } catch {
    // The old counts stay.
  }
}

/** Keeps the counts up to date while the client of a member of the staff runs. */
export function followStaffCounts(): void {
  if (can(...permissions)) repeatWhileVisible(() => void refreshStaffCounts(), intervalMs);
}
