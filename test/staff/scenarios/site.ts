import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { setSiteImage } from '../../../server/instance/images/index.ts';
import { addRule, translateRule } from '../../../server/site/rules/index.ts';
import { publishTermsOfService, saveTermsDraft } from '../../../server/site/terms/index.ts';
import type { TestServer } from '../../server.ts';
import type { StaffRequest, StaffScenarios } from '../staff-scenario.ts';

const settings = '/api/v1/fieldfare/admin/settings';
const retention = '/api/v1/fieldfare/admin/retention';
const rules = '/api/v1/fieldfare/admin/rules';
const terms = '/api/v1/fieldfare/admin/terms_of_service';
const images = '/api/v1/fieldfare/admin/site_images';
const texts = '/api/v1/fieldfare/admin/site_texts';
const content = '<p>Be kind.</p>';

const onRule =
  (action = '', body?: StaffRequest['body']) =>
  async ({ app }: TestServer): Promise<StaffRequest> => {
    await addRule(app, 'system', { text: 'No spam' });
    const id = await addRule(app, 'system', { text: 'Be kind' });
    await translateRule(app, 'system', id, { language: 'de', text: 'Sei nett', hint: '' });
    return { path: `${rules}/${id}${action}`, ...(body !== undefined && { body }) };
  };

const onDraft =
  (action = '') =>
  async ({ app }: TestServer): Promise<StaffRequest> => {
    await saveTermsDraft(app, 'system', { content });
    return { path: `${terms}/draft${action}` };
  };

const drawImage = (): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 60, channels: 3, background: '#248' } })
    .png()
    .toBuffer();

export const siteScenarios: StaffScenarios = {
  [`POST ${texts}/preview`]: async () => ({ path: `${texts}/preview`, body: { content }, changesNothing: true }),
  [`GET ${settings}`]: async () => ({ path: settings }),
  [`GET ${retention}`]: async () => ({ path: retention }),
  [`PATCH ${settings}`]: async () => ({ path: settings, body: { title: 'Birds' } }),
  [`GET ${rules}`]: async () => ({ path: rules }),
  [`POST ${rules}`]: async () => ({ path: rules, body: { text: 'Be kind' } }),
  [`PUT ${rules}/:id`]: onRule('', { text: 'Be friendly' }),
  [`POST ${rules}/:id/move`]: onRule('/move', { place: 1 }),
  [`DELETE ${rules}/:id`]: onRule(),
  [`PUT ${rules}/:id/translations/:language`]: onRule('/translations/fr', { text: 'Soyez aimables' }),
  [`DELETE ${rules}/:id/translations/:language`]: onRule('/translations/de'),
  [`GET ${terms}`]: async () => ({ path: terms }),
  [`GET ${terms}/draft`]: onDraft(),
  [`PUT ${terms}/draft`]: async () => ({ path: `${terms}/draft`, body: { content } }),
  [`DELETE ${terms}/draft`]: onDraft(),
  [`POST ${terms}/draft/publish`]: onDraft('/publish'),
  [`POST ${terms}/:date/announce`]: async ({ app }) => ({
    path: `${terms}/${await publishTermsOfService(app, 'system', { content })}/announce`,
  }),
  [`GET ${images}`]: async () => ({ path: images }),
  [`PUT ${images}/:name`]: async () => ({
    path: `${images}/icon`,
    body: { image: `data:image/png;base64,${(await drawImage()).toString('base64')}` },
  }),
  [`DELETE ${images}/:name`]: async ({ app }) => {
    const folder = await mkdtemp(join(tmpdir(), 'site-image-'));
    const path = join(folder, 'icon.png');
    await writeFile(path, await drawImage());
    await setSiteImage(app, 'system', 'icon', { path });
    await rm(folder, { recursive: true });
    return { path: `${images}/icon` };
  },
};
