import { expect, test } from 'vitest';
import { deleteEmoji, setEmojiDisabled } from '../../server/emojis/manage/index.ts';
import { createTokenAsStaff } from '../../server/oauth/index.ts';
import { addRule, deleteRule, deleteRuleTranslation, editRule, translateRule } from '../../server/site/rules/index.ts';
import { changeSiteSettings } from '../../server/site/index.ts';
import {
  announceTermsOfService,
  discardTermsDraft,
  publishTermsDraft,
  publishTermsOfService,
  saveTermsDraft,
} from '../../server/site/terms/index.ts';
import { createUser } from '../../server/users/sign-up/index.ts';
import { createInvite, expireInvite } from '../../server/users/invites/index.ts';
import { addTestEmoji } from '../emoji-files.ts';
import { startServer, type TestServer } from '../server.ts';

/** Returns the audit log, oldest entry first. */
const entries = ({ app }: TestServer) =>
  app.db
    .selectFrom('audit_log')
    .select(['action', 'staff_id', 'target_label as label', 'before', 'after'])
    .orderBy('id')
    .execute();

test('ADM-06: the audit log has changed settings with their values, and long texts truncated', async () => {
  await using server = await startServer();
  const { app } = server;
  const { id: staff } = await server.user('merle', { role: 'admin' });
  await changeSiteSettings(app, staff, { title: 'Birds', showTrends: true });
  await changeSiteSettings(app, 'system', { title: 'Birds', showTrends: null });
  // Changes nothing, so nothing is recorded.
  await changeSiteSettings(app, 'system', { title: 'Birds' });
  await changeSiteSettings(app, 'system', { privacyPolicy: `<p>${'x'.repeat(5_000)}</p>` });
  expect(await entries(server)).toEqual([
    {
      action: 'site_setting.update',
      staff_id: staff,
      label: 'title, showTrends',
      before: { title: null, showTrends: null },
      after: { title: 'Birds', showTrends: true },
    },
    {
      action: 'site_setting.update',
      staff_id: null,
      label: 'title, showTrends',
      before: { showTrends: true },
      after: { showTrends: null },
    },
    {
      action: 'site_setting.update',
      staff_id: null,
      label: 'privacyPolicy',
      before: { privacyPolicy: null },
      after: { privacyPolicy: `<p>${'x'.repeat(996)}…` },
    },
  ]);
});

test('ADM-06: the audit log has changed rules and their translations', async () => {
  await using server = await startServer();
  const { app } = server;
  const id = await addRule(app, 'system', { text: 'Be kind', hint: 'Always' });
  await editRule(app, 'system', id, { text: 'Be kind!' });
  await editRule(app, 'system', id, { text: 'Be kind!' });
  await translateRule(app, 'system', id, { language: 'de', text: 'Sei nett', hint: '' });
  await deleteRuleTranslation(app, 'system', id, 'de');
  await expect(deleteRuleTranslation(app, 'system', id, 'de')).rejects.toMatchObject({ status: 404 });
  await deleteRule(app, 'system', id);
  const translation = { language: 'de', text: 'Sei nett', hint: '' };
  expect(await entries(server)).toMatchObject([
    { action: 'rule.create', label: 'Be kind', before: null, after: { text: 'Be kind', hint: 'Always', position: 0 } },
    { action: 'rule.update', label: 'Be kind', before: { text: 'Be kind' }, after: { text: 'Be kind!' } },
    { action: 'rule.translate', label: 'Be kind!', before: null, after: translation },
    { action: 'rule.translate', label: 'Be kind!', before: translation, after: null },
    { action: 'rule.delete', label: 'Be kind!', before: { text: 'Be kind!', hint: 'Always' }, after: null },
  ]);
});

test('ADM-06: the audit log has the terms of service that staff draft, publish and announce', async () => {
  await using server = await startServer();
  const { app } = server;
  await saveTermsDraft(app, 'system', { content: '<p>One</p>' });
  await discardTermsDraft(app, 'system');
  await saveTermsDraft(app, 'system', { content: '<p>Two</p>', effectiveDate: '2999-01-01' });
  const day = await publishTermsDraft(app, 'system');
  await publishTermsOfService(app, 'system', { content: '<p>Three</p>', effectiveDate: day });
  await announceTermsOfService(app, 'system', day);
  const prefix = 'terms_of_service';
  expect(await entries(server)).toMatchObject([
    { action: `${prefix}.draft`, label: 'draft', before: null, after: { content: '<p>One</p>', effectiveDate: null } },
    { action: `${prefix}.discard`, label: 'draft', before: { content: '<p>One</p>' }, after: null },
    { action: `${prefix}.draft`, label: 'draft', before: null, after: { content: '<p>Two</p>', effectiveDate: day } },
    { action: `${prefix}.publish`, label: day, before: null, after: { content: '<p>Two</p>', changelog: '' } },
    { action: `${prefix}.publish`, label: day, before: { content: '<p>Two</p>' }, after: { content: '<p>Three</p>' } },
    { action: `${prefix}.announce`, label: day, before: { announced: false }, after: { announced: true } },
  ]);
});

test('ADM-06: the audit log has changed emojis', async () => {
  await using server = await startServer();
  const { app } = server;
  await addTestEmoji(server, 'bird', undefined, { category: 'Animals' });
  await addTestEmoji(server, 'bird', undefined, { category: 'Birds', replace: true });
  await setEmojiDisabled(app, 'system', { shortcode: 'bird', disabled: true });
  await setEmojiDisabled(app, 'system', { shortcode: 'bird', disabled: true });
  await setEmojiDisabled(app, 'system', { shortcode: 'bird', disabled: false });
  await deleteEmoji(app, 'system', { shortcode: 'bird' });
  const label = ':bird:';
  expect(await entries(server)).toMatchObject([
    { action: 'custom_emoji.create', label, before: null, after: { category: 'Animals', visible_in_picker: true } },
    { action: 'custom_emoji.replace', label, before: { category: 'Animals' }, after: { category: 'Birds' } },
    { action: 'custom_emoji.disable', label, before: { disabled: false }, after: { disabled: true } },
    { action: 'custom_emoji.enable', label, before: { disabled: true }, after: { disabled: false } },
    { action: 'custom_emoji.delete', label, before: { category: 'Birds' }, after: null },
  ]);
});

test('ADM-06: the audit log has invites, users and tokens that staff create, without their secrets', async () => {
  await using server = await startServer();
  const { app } = server;
  const { userId, accountId } = await createUser(app, {
    createdBy: 'system',
    username: 'alice',
    email: 'alice@mail.test',
    password: 'correct horse battery',
    confirmed: true,
    approved: true,
  });
  const token = await createTokenAsStaff(app, 'system', { userId, applicationId: null, scopes: ['read'] });
  const code = await createInvite(app, 'system', { username: 'alice', maxUses: 2, comment: 'Choir' });
  expect(await expireInvite(app, 'system', code)).toBe(true);
  expect(await expireInvite(app, 'system', code)).toBe(false);
  const log = await entries(server);
  const now = server.clock.now().toISOString();
  expect(log).toMatchObject([
    { action: 'user.create', label: 'alice', after: { role: 'user', confirmed: true, approved: true } },
    { action: 'user.create_token', label: 'alice', after: { scopes: ['read'] } },
    { action: 'invite.create', label: 'alice', after: { max_uses: 2, expires_at: null, comment: 'Choir' } },
    { action: 'invite.expire', label: 'alice', before: { expires_at: null }, after: { expires_at: now } },
  ]);
  for (const secret of [token, code, 'correct horse battery', 'alice@mail.test']) {
    expect(JSON.stringify(log)).not.toContain(secret);
  }
  const rows = await app.db.selectFrom('audit_log').select('target_id').where('action', '=', 'user.create').execute();
  expect(rows).toEqual([{ target_id: accountId }]);
});
