import { expect, test } from 'vitest';
import { HttpError } from '../../server/platform/http/http-errors.ts';
import { postStatus } from '../../server/statuses/post/index.ts';
import { storeRemoteStatus } from '../../server/statuses/remote/index.ts';
import { Network } from '../network.ts';
import { openDeliveries, openStreams, type Channel } from './channels.ts';
import { remotePhoto, storePhoto } from './photos.ts';
import { createScene, remoteProfile, type Scene } from './scene.ts';
import { localStates, remoteStates, type Effect, type State } from './states.ts';

type Word = Readonly<Record<Channel['kind'], string>>;

/**
 * Posts publicly with a photo and directly to the viewers as alice, with these words. It is stored even if she may not post, as if it
 * had been sent just before.
 */
async function postAsAlice(scene: Scene, local: boolean, words: Word): Promise<void> {
  const { server, alice, viewers } = scene;
  const mentioned = [viewers.bob, viewers.stranger, viewers.blocker, viewers.muter];
  const handles = mentioned.map(({ username }) => `@${username}`).join(' ');
  try {
    if (local) {
      const mediaIds = [await storePhoto(server, alice.id)];
      const text = `${words.public} ${handles} #birds`;
      await postStatus(server.app, alice.id, { text, mediaIds, visibility: 'public' });
      await postStatus(server.app, alice.id, { text: `${words.direct} @bob`, visibility: 'direct' });
      return;
    }
    const post = (text: string, visibility: 'direct' | 'public', mentions: { accountId: typeof alice.id }[]) =>
      storeRemoteStatus(server.app, {
        uri: `${remoteProfile.uri}/statuses/${text}`,
        accountId: alice.id,
        content: `<p>${text}</p>`,
        visibility,
        ...(visibility === 'public' && { tags: ['birds'], attachments: [remotePhoto] }),
        mentions,
        publishedAt: server.clock.now(),
      });
    await post(
      words.public,
      'public',
      mentioned.map(({ id: accountId }) => ({ accountId })),
    );
    await post(words.direct, 'direct', [{ accountId: viewers.bob.id }]);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

const isExpected = (state: string, effect: Effect, { reach, needsUser }: Channel): boolean =>
  reach !== 'never' &&
  !(needsUser === true && state === 'disabled') &&
  (effect === 'visible' || (effect === 'silenced' && reach === 'followers'));

test.for([
  ['local', true, localStates],
  ['remote', false, remoteStates],
] as const)(
  'ACC-14: each stream and job that sends content treats a %s account by its state, and as before afterwards',
  async ([origin, local, states]) => {
    await using network = new Network();
    const server = await network.start('fieldfare.test');
    // The server of the remote alice accepts what it is sent, and serves no documents.
    network.addHost(remoteProfile.domain, (_url, { method }) => ({ status: method === 'POST' ? 202 : 503 }));
    const scene = await createScene(server, { local });
    const channels = [...(await openDeliveries(network, scene, local)), ...(await openStreams(scene, origin))];
    let count = 0;
    /** Returns the names of the channels that send new posts of alice. */
    const listSending = async (): Promise<string[]> => {
      count += 1;
      const words: Word = { public: `wagtail${count}`, direct: `whisper${count}` };
      await postAsAlice(scene, local, words);
      await server.drain();
      // Mails collect the posts of five minutes.
      server.clock.advance(301);
      await server.drain();
      const sending: string[] = [];
      for (const channel of channels) {
        const text = await channel.take();
        if (text === '*' || text.includes(words[channel.kind])) sending.push(channel.name);
      }
      return sending;
    };
    const wrong: string[] = [];
    const check = async (state: string, effect: Effect): Promise<void> => {
      const sending = new Set(await listSending());
      for (const channel of channels)
        if (sending.has(channel.name) !== isExpected(state, effect, channel))
          wrong.push(`${state}: ${channel.name} ${sending.has(channel.name) ? 'sends' : 'is silent'}`);
    };
    await check('before', 'visible');
    for (const [state, { effect, enter, leave }] of Object.entries<State>(states)) {
      if (leave === undefined) continue;
      await enter(scene);
      await server.drain();
      await check(state, effect);
      await leave(scene);
      await server.drain();
      await check(`after ${state}`, 'visible');
    }
    expect(wrong).toEqual([]);
  },
);
