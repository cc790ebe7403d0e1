import { Type } from 'typebox';
import type { App } from '../../platform/app.ts';
import type { Route } from '../../platform/http/routes.ts';
import type { AccountId } from '../../platform/ids.ts';
import { idSchema } from '../../platform/id-schema.ts';

const namePath = '/users/:username';

/**
 * Returns these routes, and each route of a local actor (`/users/name…`) a second time at the address with the id of the
 * account (`/ap/users/1…`). Mastodon gives such addresses to accounts, which keep them when their server moves.
 */
export const withNumericPaths = (routes: readonly Route[]): readonly Route[] =>
  routes.flatMap((route) => (route.path.startsWith(namePath) ? [route, atNumericPath(route)] : route));

function atNumericPath({ path, options, ...route }: Route): Route {
  const { username: _, ...otherParams } = options.params?.properties ?? {};
  return {
    ...route,
    path: path.replace(namePath, '/ap/users/:account_id'),
    options: {
      ...options,
      params: Type.Object({ account_id: idSchema<'account'>(), ...otherParams }),
      async handle(received) {
        const { account_id: id, ...params } = received.params as { readonly account_id: AccountId };
        const username = await findLocalUsername(received.app, id);
        return options.handle({ ...received, params: { ...params, username } });
      },
    },
  };
}

/** Returns the name of the local account with this id; an empty text, which is no name, if there is none. */
export async function findLocalUsername({ db }: App, id: AccountId): Promise<string> {
  const row = await db
    .selectFrom('accounts')
    .select('username')
    .where('id', '=', id)
    .where('domain', 'is', null)
    .executeTakeFirst();
  return row?.username ?? '';
}
