import { sha256 } from '../../server/federation/signatures/digests.ts';
import { signRequestAsync } from '../../server/federation/signatures/sign-request.ts';
import type { LoadRequest } from '../load.ts';
import type { Network } from './network.ts';

const contentType = 'application/activity+json';

/** Signs activities for the shared inbox of the server at `baseUrl`, so that signing is no part of a measurement. */
export function preSign(
  network: { keyOf(actor: string): Pick<ReturnType<Network['keyOf']>, 'privateKey'> },
  baseUrl: string,
  activities: readonly Record<string, unknown>[],
): Promise<LoadRequest[]> {
  const url = `${baseUrl}/inbox`;
  return Promise.all(
    activities.map(async (activity): Promise<LoadRequest> => {
      const actor = String(activity['actor']);
      const body = JSON.stringify(activity);
      const request = { method: 'POST', url, digest: sha256(body), contentType, now: new Date() } as const;
      const key = { keyId: `${actor}#main-key`, privateKey: network.keyOf(actor).privateKey };
      const headers = await signRequestAsync('cavage', request, key);
      return { method: 'POST', path: '/inbox', body, headers: { ...headers, host: new URL(url).host } };
    }),
  );
}
