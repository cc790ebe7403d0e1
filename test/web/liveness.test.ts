import { afterEach, expect, test } from 'vitest';
import { describeWithServer } from './web-server.ts';

describeWithServer('a WebSocket that is dead but open', (server) => {
  afterEach(() => server.closeWindows());

  test('STR-01: the client connects again if nothing answers, shows what it missed, and keeps a connection that answers', async () => {
    const [ann, ben] = [await server.createUser('ann'), await server.createUser('ben')];
    const { id } = await ben.rest.v1.accounts.verifyCredentials();
    await ann.rest.v1.accounts.$select(id).follow();
    await ben.rest.v1.statuses.create({ status: 'Before the tunnel' });
    const page = await server.openClient(ann, '/explore', { hasServiceWorker: false });
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
});
