import type { WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeWithServer } from './web-server.ts';

describeWithServer('liveness of streams', (server) => {
  test('STR-01: the client connects again if nothing answers, shows what it missed, and keeps a connection that answers', async () => {
    const [ann, ben] = [await server.createUser('ann'), await server.createUser('ben')];
    const { id } = await ben.rest.v1.accounts.verifyCredentials();
    await ann.rest.v1.accounts.$select(id).follow();
    await ben.rest.v1.statuses.create({ status: 'Before the tunnel' });
    const page = await server.openClient(ann, '/explore');
    await page.clock.install();
    const sockets: string[][] = [];
    await page.routeWebSocket(/\/api\/v1\/streaming/, (socket) => {
      const sent: string[] = [];
      const number = sockets.push(sent);
      // The first connection swallows everything, as a network does that a phone has left.
      const onward = number > 1 ? socket.connectToServer() : undefined;
      socket.onMessage((message) => {
        sent.push(String(message));
        onward?.send(message);
      });
    });
    await page.goto(server.url);
    await page.getByText('Before the tunnel').waitFor();
    await expect.poll(() => sockets[0]?.length).toBeGreaterThan(0);
    await ben.rest.v1.statuses.create({ status: 'In the tunnel' });
    await page.clock.fastForward(31_000);
    await expect.poll(() => sockets[0]).toContain('{"type":"ping"}');
    expect(sockets).toHaveLength(1);
    await page.clock.fastForward(11_000);
    await page.clock.fastForward(3_000);
    await page.getByRole('button', { name: /1 new post/ }).click();
    await page.getByText('In the tunnel').waitFor();

    await page.clock.fastForward(31_000);
    await expect.poll(() => sockets[1]).toContain('{"type":"ping"}');
    // The answer of the server keeps the connection: a later post arrives on it.
    await ben.rest.v1.statuses.create({ status: 'After the tunnel' });
    await page.getByRole('button', { name: /1 new post/ }).waitFor();
    await page.clock.fastForward(11_000);
    await page.clock.fastForward(3_000);
    await page.getByRole('button', { name: /1 new post/ }).click();
    expect(sockets).toHaveLength(2);
  });

  test('a missed post is collected in its place although the first request for it failed', async () => {
    const [cleo, dora] = [await server.createUser('cleo'), await server.createUser('dora')];
    const { id } = await dora.rest.v1.accounts.verifyCredentials();
    await cleo.rest.v1.accounts.$select(id).follow();
    await dora.rest.v1.statuses.create({ status: 'Before the tunnel' });
    const page = await server.openClient(cleo, '/explore');
    await page.clock.install();
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/api\/v1\/streaming/, (socket) => {
      sockets.push(socket);
      socket.connectToServer();
    });
    const failures: string[] = [];
    await page.route(/\/timelines\/home\?.*since_id=/, async (route) => {
      if (failures.push(route.request().url()) > 1) await route.continue();
      else await route.fulfill({ status: 503, json: { error: 'Busy' } });
    });
    await page.goto(server.url);
    await page.getByText('Before the tunnel').waitFor();
    await expect.poll(() => sockets).toHaveLength(1);
    await page.clock.fastForward(6_000);
    failures.length = 0;
    await sockets[0]?.close();
    await dora.rest.v1.statuses.create({ status: 'In the tunnel' });
    await page.clock.fastForward(3_000);
    // On a busy machine it is repeated before this looks.
    await expect.poll(() => failures.length).toBeGreaterThan(0);
    // The server may still be subscribing the client: those that it misses are collected as well.
    const later: string[] = [];
    const hasArrived = async (): Promise<boolean> => {
      const status = `After the tunnel, ${later.length}`;
      await dora.rest.v1.statuses.create({ status });
      later.unshift(status);
      return (await page.getByRole('button', { name: /new post/ }).count()) > 0;
    };
    await expect.poll(hasArrived, { interval: 1_000 }).toBe(true);
    await page.clock.fastForward(6_000);
    await page.getByRole('button', { name: `${later.length + 1} new posts` }).click();
    const posts = page.getByText(/^(Before|In|After) the tunnel/);
    await expect.poll(() => posts.allTextContents()).toEqual([...later, 'In the tunnel', 'Before the tunnel']);
  });
});
