import type { Client, TestResponse } from '../client.ts';
import type { TestUser } from '../server.ts';

/** A paginated listing of the client API, with functions that add and remove items. */
export interface Listing {
  /** Path of the route, as declared. */
  readonly route: string;
  /** URL of the listing, which may have a query. */
  readonly url: string;
  readonly client: Client;
  /** Adds the newest item and returns its key, or undefined if no more can be added. */
  readonly add: () => Promise<string | undefined>;
  readonly remove: (key: string) => Promise<unknown>;
  // Items are objects of any type, or strings.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly keyOf: (item: any) => string;
  /** Paged by offset, with `max_id` as the only cursor. */
  readonly isByOffset?: true;
}

export const statuses = '/api/v1/statuses';
export const accounts = '/api/v1/accounts';

export async function expectOk(request: Promise<TestResponse>): Promise<TestResponse> {
  const response = await request;
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response;
}

export async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  return (await expectOk(user.post(statuses, { status, ...more }))).json.id as string;
}

export const idOf = (item: { id: string }): string => item.id;

/** A listing of the posts of one author. */
export function postListing(
  route: string,
  {
    author,
    url = route,
    as,
    text = '',
    more,
  }: { author: TestUser; url?: string; as: Client; text?: string; more?: object },
): Listing {
  let count = 0;
  return {
    route,
    url,
    client: as,
    keyOf: idOf,
    add: () => post(author, `${text} number ${(count += 1)}`, { visibility: 'unlisted', ...more }),
    remove: (id) => expectOk(author.delete(`${statuses}/${id}`)),
  };
}

/** A listing that existing members join and leave. The member that left first joins next. */
export function memberListing<Member>(
  route: string,
  options: {
    url?: string;
    as: Client;
    members: readonly Member[];
    nameOf: (member: Member) => string;
    keyOf?: Listing['keyOf'];
    join: (member: Member) => Promise<unknown>;
    leave: (member: Member) => Promise<unknown>;
  },
): Listing {
  const outside = [...options.members];
  const inside = new Map<string, Member>();
  return {
    route,
    url: options.url ?? route,
    client: options.as,
    keyOf: options.keyOf ?? idOf,
    async add() {
      const member = outside.shift();
      if (member === undefined) return undefined;
      await options.join(member);
      inside.set(options.nameOf(member), member);
      return options.nameOf(member);
    },
    async remove(key) {
      const member = inside.get(key);
      if (member === undefined) throw new Error(`${key} is not in ${route}`);
      inside.delete(key);
      outside.push(member);
      await options.leave(member);
    },
  };
}
