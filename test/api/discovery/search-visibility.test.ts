import { expect, test } from 'vitest';
import { suspendAccount } from '../../../server/moderation/index.ts';
import type { AccountId } from '../../../server/platform/ids.ts';
import { startServer, type TestUser } from '../../server.ts';

const visibilities = ['public', 'unlisted', 'private', 'direct'] as const;
const relations = ['stranger', 'follower', 'blocked', 'blocking', 'muting'] as const;
const links = ['none', 'mentioned', 'favourited', 'bookmarked'] as const;
type Relation = (typeof relations)[number];
type Link = (typeof links)[number];

interface Case {
  readonly id: string;
  readonly visibility: (typeof visibilities)[number];
  readonly link: Link;
}

const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id).toSorted();

async function find(user: TestUser, q: string): Promise<string[]> {
  const { json } = await user.get(`/api/v2/search?type=statuses&limit=40&q=${encodeURIComponent(q)}`);
  return ids(json.statuses);
}

/** What a viewer may find, by the rules and without the index. */
function isExpected(
  { visibility, link }: Case,
  { relation, indexable }: { relation: Relation; indexable: boolean },
): boolean {
  if (relation === 'blocked' || relation === 'blocking' || relation === 'muting') return false;
  const isVisible =
    link === 'mentioned' ||
    visibility === 'public' ||
    visibility === 'unlisted' ||
    (visibility === 'private' && relation === 'follower');
  return isVisible && (link !== 'none' || (indexable && visibility === 'public'));
}

for (const indexable of [true, false]) {
  test(`SRC-02: relations × visibility: search never shows more than a viewer may see, ${indexable ? '' : 'not '}indexable`, async () => {
    await using server = await startServer();
    const author = await server.user('author');
    await author.patch('/api/v1/accounts/update_credentials', { indexable });
    for (const relation of relations) {
      const viewer = await server.user(relation);
      // Followed while it reacts, so that reactions to private posts are possible.
      await viewer.post(`/api/v1/accounts/${author.id}/follow`);
      const cases: Case[] = [];
      for (const visibility of visibilities) {
        for (const link of links) {
          const to = link === 'mentioned' ? `@${relation} ` : '';
          const { json } = await author.post('/api/v1/statuses', {
            status: `${to}heron of ${relation}`,
            visibility,
            language: 'en',
          });
          if (link === 'favourited') await viewer.post(`/api/v1/statuses/${json.id}/favourite`);
          if (link === 'bookmarked') await viewer.post(`/api/v1/statuses/${json.id}/bookmark`);
          cases.push({ id: json.id, visibility, link });
        }
      }
      if (relation === 'blocked') await author.post(`/api/v1/accounts/${viewer.id}/block`);
      if (relation === 'blocking') await viewer.post(`/api/v1/accounts/${author.id}/block`);
      if (relation === 'muting') await viewer.post(`/api/v1/accounts/${author.id}/mute`);
      if (relation === 'stranger') await viewer.post(`/api/v1/accounts/${author.id}/unfollow`);
      await server.drain();
      // A reaction to a post that the viewer may not see was refused.
      const wanted = cases
        .filter((each) => !(each.visibility === 'direct' && each.link !== 'mentioned'))
        .filter((each) => isExpected(each, { relation, indexable }));
      for (const q of [
        `heron ${relation}`,
        `"heron of ${relation}"`,
        `${relation} from:author`,
        `${relation} language:en`,
      ])
        expect(await find(viewer, q), `${relation}: ${q}`).toEqual(ids(wanted));
      expect(await find(viewer, `${relation} in:public`)).toEqual(
        ids(wanted.filter(({ visibility }) => indexable && visibility === 'public')),
      );
      expect(await find(viewer, `${relation} in:library`)).toEqual(ids(wanted.filter(({ link }) => link !== 'none')));
      expect((await find(author, `"heron of ${relation}"`)).length).toBe(cases.length);
      const anonymous = await server.anonymous.get(`/api/v2/search?q=${relation}+heron`);
      expect(anonymous.json.statuses).toEqual([]);
    }
    const late = await server.user('late');
    await suspendAccount(server.app, 'system', { accountId: author.id as AccountId });
    await server.drain();
    expect(await find(late, 'heron')).toEqual([]);
  });
}
