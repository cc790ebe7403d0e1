import { findAccountByUri } from '../../accounts/find/index.ts';
import { resolveAccount } from '../../federation/index.ts';
import type { App } from '../../platform/app.ts';
import type { AccountId } from '../../platform/ids.ts';
import { StoredFetchBudget, withFetchBudget } from '../../platform/outgoing/fetch-budget.ts';
import { askProvider, isPaused, ProviderCallError } from '../calls/call-provider.ts';
import type { ProviderRow } from '../tables.ts';

/** Addresses that are used of one answer. */
export const maxAddresses = 20;
const maxAddressLength = 2_048;

/** Asks providers for addresses of accounts. One that fails, or is left alone after failures, has none. */
export async function askForAccounts(
  app: App,
  providers: readonly ProviderRow[],
  path: string,
): Promise<ReadonlyMap<ProviderRow, readonly string[]>> {
  const answers = await Promise.all(
    providers.map(async (provider): Promise<[ProviderRow, readonly string[]]> => {
      if (isPaused(app, provider)) return [provider, []];
      try {
        return [provider, await askProvider(app, provider, { path }, parseAddresses)];
      } catch (error) {
        if (error instanceof ProviderCallError) return [provider, []];
        throw error;
      }
    }),
  );
  return new Map(answers);
}

function parseAddresses(json: unknown): string[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const isAddress = (item: unknown): item is string =>
    typeof item === 'string' && item.length <= maxAddressLength && /^https?:\/\//i.test(item) && URL.canParse(item);
  return [...new Set(json.filter(isAddress))].slice(0, maxAddresses);
}

/** Accounts at addresses. */
export interface ResolvedAddresses {
  /** In the order of the addresses. */
  readonly ids: readonly AccountId[];
  /** How many were not stored before. */
  readonly newCount: number;
}

/** Returns the accounts at these addresses. Fetches the unknown ones from their origins, within one fetch budget. */
export async function resolveAddresses(root: App, addresses: readonly string[]): Promise<ResolvedAddresses> {
  const app = withFetchBudget(root, new StoredFetchBudget(root));
  const found = await Promise.all(
    addresses.map(async (uri) => {
      const known = await findAccountByUri(app, uri);
      return { isNew: known === undefined, id: known?.id ?? (await resolveAccount(app, uri)) };
    }),
  );
  return {
    ids: [...new Set(found.flatMap(({ id }) => id ?? []))],
    newCount: found.filter(({ id, isNew }) => isNew && id !== undefined).length,
  };
}
