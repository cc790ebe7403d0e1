import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { Poll } from '../../web/src/api/entities.ts';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer } from './web-server.ts';

const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
const options = ['Redwing', 'Fieldfare'];

describeWithServer('reading polls', (server) => {
  test('a reader votes and sees the results', async () => {
    const [ada, ben] = [await server.createUser('ada'), await server.createUser('ben')];
    const { id } = await ada.rest.v1.statuses.create({ status: 'Which bird?', poll: { options, expiresIn: 3_600 } });
    const page = await server.openClient(ben, `/@ada/${id}`, { size: 'phone' });
    const shown = card(page, 'Which bird?');
    await shown.getByRole('radio', { name: 'Fieldfare' }).check();
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'Vote' }).click();
    await shown.getByRole('listitem').filter({ hasText: 'Fieldfare' }).getByText('100%').waitFor();
    await shown.getByText('1 person voted').waitFor();
    expect(await shown.getByRole('radio').count()).toBe(0);
    const { poll } = await ada.rest.v1.statuses.$select(id).fetch();
    expect(poll?.options.map(({ votesCount }) => votesCount)).toEqual([0, 1]);
  });

  test('a poll that ends while it is shown has its results in place of the form', async () => {
    const [cleo, dan] = [await server.createUser('cleo'), await server.createUser('dan')];
    const { id } = await cleo.rest.v1.statuses.create({ status: 'Which tree?', poll: { options, expiresIn: 300 } });
    const page = await server.openClient(dan, '/');
    await page.clock.install();
    // The clock of the server cannot be set.
    let hasEnded = false;
    await page.route('**/api/v1/polls/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...((await response.json()) as Poll), expired: hasEnded } });
    });
    await page.goto(`${server.url}/@cleo/${id}`);
    const shown = card(page, 'Which tree?');
    await shown.getByRole('button', { name: 'Vote' }).waitFor();
    hasEnded = true;
    await page.clock.fastForward('10:00');
    await shown.getByText('Closed').waitFor();
    expect(await shown.getByRole('button', { name: 'Vote' }).count()).toBe(0);
    await shown.getByRole('listitem').filter({ hasText: 'Redwing' }).waitFor();
    await expectAccessible(page);
  });
});
