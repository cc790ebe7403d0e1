import type { OutgoingRequest } from '../../server/platform/outgoing/outgoing.ts';
import { storeRemoteAccount } from '../../server/accounts/remote/index.ts';
import { transaction } from '../../server/platform/write/transaction.ts';
import { newId } from '../../server/platform/ids.ts';
import { followAccount } from '../../server/relationships/follow/index.ts';
import { changeSiteSettings } from '../../server/site/index.ts';
import { updateUserSettings } from '../../server/users/settings/index.ts';
import type { Network } from '../network.ts';
import { PushClient } from '../push-client.ts';
import type { TestUser } from '../server.ts';
import { giveRole } from '../staff/staff-roles.ts';
import { TestEventSource, TestSocket } from '../streams.ts';
import { webhooksPath } from '../webhook-receiver.ts';
import { writable } from '../writable.ts';
import type { Scene, Viewers } from './scene.ts';

/**
 * Which posts of alice a channel sends while she is silenced. `followers`: all, because its reader follows her; `none`: no
 * posts; `never`: no posts, in any state.
 */
export type ChannelReach = 'followers' | 'none' | 'never';

/** A way by which new posts of alice are sent. */
export interface Channel {
  readonly name: string;
  readonly reach: ChannelReach;
  /** Which of the posts it sends: the public or the direct one. */
  readonly kind: 'public' | 'direct';
  /** Only while alice may sign in. */
  readonly needsUser?: boolean;
  /** Returns what was sent since the last call. Everything that is due was done before. */
  readonly take: () => Promise<string>;
}

type Name = keyof Viewers & ('bob' | 'stranger' | 'blocker' | 'muter');
const names = ['bob', 'stranger', 'blocker', 'muter'] as const satisfies readonly Name[];

/** Streams of the viewers. alice mentions all of them in each public post. bob follows her. */
const streamReaches: Readonly<Record<string, Readonly<Record<Name, ChannelReach>>>> = {
  public: { bob: 'none', stranger: 'none', blocker: 'never', muter: 'never' },
  hashtag: { bob: 'none', stranger: 'none', blocker: 'never', muter: 'never' },
  // With notifications.
  user: { bob: 'followers', stranger: 'none', blocker: 'never', muter: 'never' },
  list: { bob: 'followers', stranger: 'never', blocker: 'never', muter: 'never' },
  'user:notification': { bob: 'followers', stranger: 'none', blocker: 'never', muter: 'never' },
  direct: { bob: 'followers', stranger: 'never', blocker: 'never', muter: 'never' },
};

const parametersOf = (stream: string, { ids }: Scene): Record<string, string> => ({
  ...(stream === 'list' && { list: ids['list'] ?? '' }),
  ...(stream.startsWith('hashtag') && { tag: 'birds' }),
});

const kindOf = (stream: string): Channel['kind'] => (stream === 'direct' ? 'direct' : 'public');

function eventsPath(stream: string, scene: Scene): string {
  const query = new URLSearchParams(parametersOf(stream, scene));
  if (stream.endsWith(':media')) query.set('only_media', 'true');
  return `/${stream.replace(/:media$/, '').replace(':', '/')}?${query.toString()}`;
}

/** Opens all streams of the viewers, by WebSocket and by server-sent events. */
export async function openStreams(scene: Scene, origin: 'local' | 'remote'): Promise<Channel[]> {
  const publicStreams = [`public:${origin}`, 'public:media', `public:${origin}:media`];
  const ofOrigin = Object.fromEntries(publicStreams.map((stream) => [stream, streamReaches['public']]));
  const ofLocal = origin === 'local' && { 'hashtag:local': streamReaches['hashtag'] };
  const reaches = { ...streamReaches, ...ofOrigin, ...ofLocal };
  const channels: Channel[] = [];
  for (const name of names) {
    const user = scene.viewers[name];
    const own = Object.entries(reaches).flatMap(([stream, reach]) =>
      reach === undefined || (stream === 'list' && name !== 'bob') ? [] : [{ stream, reach: reach[name] }],
    );
    channels.push(...(await openSocket(scene, user, name, own)));
    for (const { stream, reach } of own) {
      const source = await TestEventSource.open(scene.server, user, eventsPath(stream, scene));
      channels.push({
        name: `events of ${stream} (${name})`,
        reach,
        kind: kindOf(stream),
        take: async () => (await source.take()).map(({ payload }) => payload).join('\n'),
      });
    }
  }
  return channels;
}

async function openSocket(
  scene: Scene,
  user: TestUser,
  name: Name,
  streams: readonly { readonly stream: string; readonly reach: ChannelReach }[],
): Promise<Channel[]> {
  const socket = await TestSocket.open(scene.server, user);
  for (const { stream } of streams) await socket.subscribe(stream, parametersOf(stream, scene));
  const waiting = new Map<string, string>();
  return streams.map(({ stream, reach }) => ({
    name: `socket of ${stream} (${name})`,
    reach,
    kind: kindOf(stream),
    async take() {
      for (const event of await socket.take()) {
        const from = event.stream?.[0] ?? '';
        waiting.set(from, `${waiting.get(from) ?? ''}\n${event.payload}`);
      }
      const text = waiting.get(stream) ?? '';
      waiting.delete(stream);
      return text;
    },
  }));
}

/** Records what jobs send to other hosts and by mail. `local`: alice has followers elsewhere and subscribers by mail. */
export async function openDeliveries(network: Network, scene: Scene, local: boolean): Promise<Channel[]> {
  const { server, viewers } = scene;
  const received = new Map<string, string>();
  const receive = (url: URL, { body = '' }: OutgoingRequest) => {
    received.set(url.href, `${received.get(url.href) ?? ''}\n${body.toString()}`);
    return { status: 201 };
  };
  const takeFrom = (url: string) => async (): Promise<string> => {
    const text = received.get(url) ?? '';
    received.delete(url);
    return text;
  };
  for (const host of ['hooks.test', 'push.test', 'reader.test']) network.addHost(host, receive);
  const channels: Channel[] = [];
  for (const [name, reach] of [
    ['bob', 'followers'],
    ['stranger', 'none'],
    ['muter', 'never'],
  ] as const) {
    const user = await server.withScopes(viewers[name], 'read push');
    const push = `https://push.test/${name}`;
    await (await PushClient.create(push)).subscribe(user, { alerts: { mention: true } });
    // It is encrypted, so that any message counts.
    const take = async () => ((await takeFrom(push)()) === '' ? '' : '*');
    channels.push({ name: `push to ${name}`, reach, kind: 'public', take });
    const hook = `https://hooks.test/${name}`;
    await user.post(webhooksPath, { url: hook, events: ['notification.created'] });
    channels.push({ name: `webhook of ${name}`, reach, kind: 'public', take: takeFrom(hook) });
  }
  if (!local) return channels;
  await addReaders(scene);
  return [
    ...channels,
    {
      name: 'delivery to a remote follower',
      reach: 'followers',
      kind: 'public',
      take: takeFrom('https://reader.test/inbox'),
    },
    {
      name: 'mail to a subscriber',
      // Public posts are mailed, and hers are unlisted while she is silenced.
      reach: 'none',
      needsUser: true,
      kind: 'public',
      take: async () =>
        server.outbox
          .splice(0)
          .flatMap(({ to, text }) => (to === 'reader@mail.test' ? text : []))
          .join('\n'),
    },
  ];
}

async function addReaders({ server, alice }: Scene): Promise<void> {
  const uri = 'https://reader.test/users/rita';
  const profile = { uri, username: 'rita', domain: 'reader.test', inboxUrl: 'https://reader.test/inbox' };
  const rita = await transaction(server.app, (tx) => storeRemoteAccount(tx, server.app, profile));
  await followAccount(server.app, rita, alice.id);
  await giveRole(server, alice.id, { permissions: ['manage_email_subscriptions'], position: 1 });
  await changeSiteSettings(server.app, 'system', { emailSubscriptions: true });
  await transaction(server.app, async (tx) => {
    await updateUserSettings(tx, alice.id, { email_subscriptions: true });
    const now = server.clock.now();
    const row = { account_id: alice.id, email: 'reader@mail.test', locale: 'en', failing_since: null } as const;
    await writable(tx.db)
      .insertInto('email_subscriptions')
      .values({ ...row, id: newId(now), confirmation_sent_at: now, confirmed_at: now, created_at: now })
      .execute();
  });
  await server.drain();
}
