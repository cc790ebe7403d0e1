import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible } from './accessibility.ts';
import { describeWithServer, type WebUser } from './web-server.ts';

/** A small image, as a file input takes it. */
async function imageFile(name: string, background: string) {
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 4, background } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

describeWithServer('custom emojis of a server', (server) => {
  let staff: WebUser;

  beforeAll(async () => {
    staff = await server.createUser('merle', 'owner');
  });

  const emojisOnServer = () =>
    staff.send<Record<string, unknown>[]>('GET', '/api/v1/fieldfare/admin/custom_emojis?origin=local');
  const changeSelected = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Change selected' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  test('staff add several images at once, and repair what was refused', async () => {
    const page = await server.openClient(staff, '/moderation/emojis', { size: 'phone', colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Add emojis' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add emojis' });
    await dialog
      .getByLabel('Images')
      .setInputFiles([
        await imageFile('red bird@2x.png', '#c02020'),
        await imageFile('tree.png', '#208020'),
        await imageFile('a.png', '#2020c0'),
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') },
        { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
      ]);
    const shortcode = (file: string) => dialog.getByRole('textbox', { name: `Shortcode for ${file}` });
    await shortcode('red bird@2x.png').waitFor();
    expect(await shortcode('red bird@2x.png').inputValue()).toBe('red_bird_2x');
    await dialog.getByText('A shortcode has 2 to 128 letters').waitFor();
    await dialog.getByText('The file is not a PNG, GIF or WebP image.').waitFor();
    await expectAccessible(page);
    await shortcode('red bird@2x.png').fill('tree');
    await expect.poll(() => dialog.getByText('Another image here has the same shortcode.').count()).toBe(2);
    await shortcode('red bird@2x.png').fill('bird');
    await dialog.getByRole('textbox', { name: 'Category' }).fill('Nature');
    await dialog.getByRole('button', { name: 'Add emojis: 5' }).click();
    await page.getByText('Emojis added: 2').waitFor();
    await page.getByText('Images not added: 3').waitFor();
    await dialog.getByText('Validation failed: Image').waitFor();
    expect(await shortcode('tree.png').count()).toBe(0);

    await shortcode('a.png').fill('bird');
    await dialog.getByRole('button', { name: 'Leave out notes.txt' }).click();
    await dialog.getByRole('button', { name: 'Leave out broken.png' }).click();
    await dialog.getByRole('button', { name: 'Add emojis: 1' }).click();
    await dialog.getByText('There is already an emoji :bird:').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Images that were not added: 1. They are not kept.').waitFor();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Cancel' }).click();
    await shortcode('a.png').fill('sky');
    await dialog.getByRole('button', { name: 'Add emojis: 1' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const name of [':bird:', ':tree:', ':sky:']) await row(page, name).getByText('Nature').waitFor();
    expect((await emojisOnServer()).map((emoji) => emoji['shortcode']).toSorted()).toEqual(['bird', 'sky', 'tree']);
  });

  test('staff drop an image on the dialog', async () => {
    const page = await server.openClient(staff, '/moderation/emojis');
    await page.getByRole('button', { name: 'Add emojis' }).click();
    const { buffer } = await imageFile('egg.png', '#f0f0d0');
    const transfer = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'egg.png', { type: 'image/png' }));
        return data;
      },
      [...buffer],
    );
    const dialog = page.getByRole('dialog', { name: 'Add emojis' });
    await dialog.locator('form').dispatchEvent('drop', { dataTransfer: transfer });
    await dialog.getByRole('checkbox', { name: 'Show in the picker' }).uncheck();
    await dialog.getByRole('button', { name: 'Add emojis: 1' }).click();
    await row(page, ':egg:').getByText('Not in the picker').waitFor();
  });

  test('staff change and delete selected emojis together', async () => {
    const page = await server.openClient(staff, '/moderation/emojis');
    await page.getByRole('checkbox', { name: 'Select :bird:' }).check();
    await page.getByRole('checkbox', { name: 'Select :sky:' }).check();
    await page.getByText('Selected: 2').waitFor();
    await expectAccessible(page);
    await changeSelected(page, 'Change category');
    const dialog = page.getByRole('dialog', { name: 'Change category' });
    await dialog.getByRole('textbox', { name: 'Category' }).fill('Air');
    await dialog.getByRole('button', { name: 'Change category' }).click();
    await page.getByText('Emojis changed: 2').waitFor();
    for (const name of [':bird:', ':sky:']) await row(page, name).getByText('Air').waitFor();
    await row(page, ':tree:').getByText('Nature').waitFor();
    await page.getByText('Selected: 2').waitFor({ state: 'detached' });

    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByText('Selected: 4').waitFor();
    await page.getByRole('checkbox', { name: 'Select :tree:' }).uncheck();
    await changeSelected(page, 'Hide from the picker');
    await row(page, ':bird:').getByText('Not in the picker').waitFor();
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await changeSelected(page, 'Disable');
    await row(page, ':tree:').getByText('Disabled').waitFor();
    await page.getByRole('checkbox', { name: 'Select :tree:' }).check();
    await changeSelected(page, 'Enable');
    await row(page, ':tree:').getByText('Disabled').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select :egg:' }).check();
    await page.getByRole('checkbox', { name: 'Select :sky:' }).check();
    await changeSelected(page, 'Delete emojis');
    await page.getByText('Emojis to delete: 2.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete emojis' }).click();
    await row(page, ':egg:').waitFor({ state: 'detached' });
    expect((await emojisOnServer()).map(({ shortcode, category }) => [shortcode, category]).toSorted()).toEqual([
      ['bird', 'Air'],
      ['tree', 'Nature'],
    ]);
  });

  test('staff copy emojis of other servers together, and see which were left out', async () => {
    await server.sql(
      `insert into custom_emojis (id, shortcode, domain, remote_url, created_at, updated_at)
       values (11, 'bird', 'far.example', 'https://far.example/bird.png', now(), now()),
         (12, 'cloud', 'far.example', 'https://far.example/cloud.png', now(), now()),
         (13, 'cloud', 'other.example', 'https://other.example/cloud.png', now(), now())`,
    );
    const page = await server.openClient(staff, '/moderation/emojis?origin=remote');
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('button', { name: 'Change selected' }).click();
    const items = page.getByRole('menuitem');
    await expect.poll(() => items.allInnerTexts()).toEqual(['Copy to this server', 'Disable']);
    await page.keyboard.press('Escape');
    await changeSelected(page, 'Copy to this server');
    const dialog = page.getByRole('dialog', { name: 'Copy to this server' });
    await dialog.getByRole('textbox', { name: 'Category' }).fill('Far');
    await dialog.getByRole('button', { name: 'Copy to this server' }).click();
    await page.getByText('Emojis being copied: 1').waitFor();
    await page.getByText('Emojis not changed: 2').waitFor();
    await row(page, ':bird:').getByText('There is already an emoji :bird:').waitFor();
    await page.getByText('There is already an emoji :cloud:').waitFor();
    await page.getByText('Selected: 2').waitFor();
    const log = await staff.send('GET', '/api/v1/fieldfare/admin/audit_log');
    expect(JSON.stringify(log)).toContain(':cloud:@');
  });
});
