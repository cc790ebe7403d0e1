import { PushClient } from '../../push-client.ts';
import { form, type TestUser } from '../../server.ts';
import { mastodonIos, signInFor } from '../registered-apps.ts';
import type { Scene } from './scene.ts';

/** A part of a response that clients decode as one entity. */
export interface Answer {
  readonly entity: string;
  /** Where it was found: the request, and the path in its response. */
  readonly source: string;
  readonly value: unknown;
}

type Json = Record<string, unknown>;

/** What Alice reads. `[]` after an entity: the response is a list of them. */
const reads: readonly (readonly [entity: string, path: string])[] = [
  ['CredentialAccount', '/api/v1/accounts/verify_credentials'],
  ['Account[]', '/api/v1/accounts/:bob/followers'],
  ['Account[]', '/api/v1/accounts/:bob/following'],
  ['Account[]', '/api/v1/follow_requests'],
  ['Account[]', '/api/v1/directory?local=true'],
  ['Account', '/api/v1/accounts/:bob'],
  ['Relationship[]', '/api/v1/accounts/relationships?id[]=:bob&id[]=:carol'],
  ['FamiliarFollowers[]', '/api/v1/accounts/familiar_followers?id[]=:bob'],
  ['FeaturedTag[]', '/api/v1/accounts/:bob/featured_tags'],
  ['Status[]', '/api/v1/timelines/home?limit=40'],
  ['Status[]', '/api/v1/timelines/public?limit=40'],
  ['Status[]', '/api/v1/accounts/:bob/statuses?limit=40'],
  ['Status[]', '/api/v1/accounts/:alice/statuses?limit=40'],
  ['Status[]', '/api/v1/trends/statuses'],
  ['TrendingTag[]', '/api/v1/trends/tags'],
  ['TrendingLink[]', '/api/v1/trends/links'],
  ['Tag', '/api/v1/tags/birds'],
  ['Notification[]', '/api/v1/notifications?limit=80&include_filtered=true'],
  ['GroupedNotifications', '/api/v2/notifications?limit=80&include_filtered=true'],
  ['GroupedNotifications', '/api/v2/notifications?limit=80&expand_accounts=partial_avatars'],
  ['NotificationPolicy', '/api/v2/notifications/policy'],
  ['NotificationPolicyV1', '/api/v1/notifications/policy'],
  ['NotificationRequest[]', '/api/v1/notifications/requests'],
  ['Conversation[]', '/api/v1/conversations'],
  ['ScheduledStatus[]', '/api/v1/scheduled_statuses'],
  ['List[]', '/api/v1/lists'],
  ['Filter[]', '/api/v2/filters'],
  ['FilterV1[]', '/api/v1/filters'],
  ['Markers', '/api/v1/markers?timeline[]=home&timeline[]=notifications'],
  ['Preferences', '/api/v1/preferences'],
  ['Announcement[]', '/api/v1/announcements'],
  ['Suggestion[]', '/api/v2/suggestions'],
  ['SearchResults', '/api/v2/search?q=bird'],
  ['CustomEmoji[]', '/api/v1/custom_emojis'],
  ['Instance', '/api/v2/instance'],
  ['InstanceV1', '/api/v1/instance'],
  ['Rule[]', '/api/v1/instance/rules'],
  ['ExtendedDescription', '/api/v1/instance/extended_description'],
  ['PrivacyPolicy', '/api/v1/instance/privacy_policy'],
  ['TermsOfService', '/api/v1/instance/terms_of_service'],
  ['Collections', '/api/v1/accounts/:bob/collections'],
  ['Profile', '/api/v1/profile'],
];

/** Returns the answers to everything that Alice reads and does. */
export async function collectAnswers(scene: Scene): Promise<Answer[]> {
  const { alice, bob, carol } = scene;
  await prepare(scene);
  const answers: Answer[] = [];
  const ids: Record<string, string> = { alice: alice.id, bob: bob.id, carol: carol.id };
  for (const [entity, declared] of reads) {
    const path = declared.replaceAll(/:(alice|bob|carol)\b/g, (_match, name: string) => ids[name] ?? '');
    answers.push(...toAnswers(entity, path, await expectOk(alice, 'get', path)));
  }
  return [...answers, ...(await readStatuses(scene)), ...(await act(scene))];
}

function toAnswers(entity: string, source: string, value: unknown): Answer[] {
  if (!entity.endsWith('[]')) return [{ entity, source, value }];
  const name = entity.slice(0, -2);
  return (value as unknown[]).map((item, index) => ({ entity: name, source: `${source}[${index}]`, value: item }));
}

async function expectOk(user: TestUser, method: 'get' | 'post' | 'delete', path: string, body?: object) {
  const response = await user.call(method.toUpperCase() as 'GET', path, body);
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.json as Json;
}

/** Creates what only its owner sees. */
async function prepare({ alice, bob, server }: Scene): Promise<void> {
  const list = await expectOk(alice, 'post', '/api/v1/lists', { title: 'Birders', replies_policy: 'list' });
  await expectOk(alice, 'post', `/api/v1/lists/${String(list['id'])}/accounts`, { account_ids: [bob.id] });
  await expectOk(bob, 'post', '/api/v1/featured_tags', { name: 'birds' });
  const [newest] = (await alice.get('/api/v1/timelines/home')).json;
  await expectOk(alice, 'post', '/api/v1/markers', { home: { last_read_id: newest.id } });
  await server.drain();
}

/** The thread, history, source and translation of statuses. */
async function readStatuses({ alice, bob, server }: Scene): Promise<Answer[]> {
  const found: Answer[] = [];
  const read = async (entity: string, path: string) =>
    found.push(...toAnswers(entity, path, await expectOk(alice, 'get', path)));
  const statuses = (await bob.get(`/api/v1/accounts/${bob.id}/statuses?limit=40`)).json as {
    id: string;
    content: string;
  }[];
  const find = (text: string) => statuses.find(({ content }) => content.includes(text))?.id;
  await read('Context', `/api/v1/statuses/${find('Hello')}/context`);
  await read('StatusEdit[]', `/api/v1/statuses/${find('After')}/history`);
  // Alice does not see the remote post, because she blocks its domain.
  const known = '/api/v1/timelines/public?remote=true';
  found.push(...toAnswers('Status[]', known, await expectOk(bob, 'get', known)));
  const warned = '/api/v1/notifications?types[]=moderation_warning';
  found.push(...toAnswers('Notification[]', warned, await expectOk(bob, 'get', warned)));
  const [own] = (await alice.get(`/api/v1/accounts/${alice.id}/statuses?exclude_reblogs=true`)).json;
  await read('StatusSource', `/api/v1/statuses/${own.id}/source`);
  const german = (await expectOk(bob, 'post', '/api/v1/statuses', { status: 'Guten Tag', language: 'de' }))['id'];
  await server.drain();
  const path = `/api/v1/statuses/${String(german)}/translate`;
  found.push({ entity: 'Translation', source: path, value: await expectOk(alice, 'post', path, { lang: 'en' }) });
  return found;
}

/** The answers to apps that register, sign in, subscribe, upload, report and delete. */
async function act({ alice, bob, server }: Scene): Promise<Answer[]> {
  const found: Answer[] = [];
  const add = (entity: string, source: string, value: unknown) => found.push({ entity, source, value });
  const redirectUri = 'app://back';
  const app = await server.anonymous.post('/api/v1/apps', { client_name: 'App', redirect_uris: redirectUri });
  add('Application', 'POST /api/v1/apps', app.json);
  const { client_id, client_secret } = app.json;
  const relationships = `/api/v1/accounts/relationships?id[]=${bob.id}`;
  const [relationship] = (await (await signInFor(server, alice, mastodonIos)).get(relationships)).json as unknown[];
  add('RelationshipForIos', `GET ${relationships}`, relationship);
  const grant = { client_id, client_secret, redirect_uri: redirectUri, grant_type: 'client_credentials' };
  add('Token', 'POST /oauth/token', (await server.anonymous.post('/oauth/token', form(grant))).json);
  const client = await PushClient.create('https://push.test/alice');
  const types = ['follow', 'favourite', 'reblog', 'mention', 'poll', 'status', 'quote'];
  const alerts = Object.fromEntries(types.map((type) => [type, true]));
  add('PushSubscription', 'POST /api/v1/push/subscription', (await client.subscribe(alice, { alerts })).json);
  const report = { account_id: bob.id, category: 'other' };
  add('Report', 'POST /api/v1/reports', await expectOk(alice, 'post', '/api/v1/reports', report));
  const { id } = await expectOk(alice, 'post', '/api/v1/statuses', { status: 'Redraft me', language: 'en' });
  const path = `/api/v1/statuses/${String(id)}`;
  add('DeletedStatus', `DELETE ${path}`, await expectOk(alice, 'delete', path));
  return found;
}
