import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '../../../server/accounts/lifecycle/index.ts';
import { runChecks } from '../../../server/maintenance/index.ts';
import { suspendAccount } from '../../../server/moderation/index.ts';
import { OutgoingError } from '../../../server/platform/outgoing/outgoing.ts';
import { stopController } from '../../../server/platform/work/stop-signal.ts';
import { blockDomain } from '../../../server/site/domains/index.ts';
import { multipart, startServer, walk, type TestServer, type TestUser } from '../../server.ts';
import { importFile, postImports, upload } from './import-posts.ts';
import { boost, collectionOf, createOf, filesOf, oldActor, tarGzOf, zipOf } from './post-import-files.ts';

const png = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#396' } })
    .png()
    .toBuffer();

const setAliases = (server: TestServer, { id }: TestUser, aliases: readonly string[]) =>
  server.db
    .updateTable('accounts')
    .set({ also_known_as: [...aliases] })
    .where('id', '=', id)
    .execute();

const statusesOf = async (reader: Pick<TestUser, 'get'>, { id }: TestUser, query = '') =>
  (await walk(reader as TestUser, `/api/v1/accounts/${id}/statuses?limit=40${query}`)) as {
    id: string;
    content: string;
    [name: string]: unknown;
  }[];

const contentsOf = (statuses: readonly { content: string }[]) =>
  statuses.map(({ content }) => content.replaceAll(/<[^>]*>/g, ''));

describe('an archive of Mastodon', () => {
  test('is checked first, and its posts appear on the profile in the place of their date', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const bird = 'media_attachments/files/000/001/original/bird.png';
    const items = [
      createOf(1, 'first', { summary: 'Birds', sensitive: true, tag: [{ type: 'Hashtag', name: '#Birds' }] }),
      boost,
      createOf(2, 'second', {
        inReplyTo: `${oldActor}/statuses/1`,
        attachment: [{ type: 'Document', url: `/${bird}`, name: 'A bird', focalPoint: [0.5, -0.5] }],
      }),
      createOf(3, 'unlisted', { visibility: 'unlisted', updated: '2020-01-01T00:00:00Z' }),
      createOf(4, 'private', { visibility: 'private' }),
      createOf(5, 'direct', { visibility: 'direct' }),
      createOf(6, 'not mine', { attributedTo: 'https://old.example/users/bob' }),
      createOf(7, 'answer', { inReplyTo: 'https://b.example/unknown' }),
    ];
    const archive = tarGzOf(filesOf(items, { [`/home/mastodon/public/system/${bird}`]: await png() }));
    const uploaded = await upload(alice, archive);
    expect(uploaded.status, uploaded.text).toBe(200);
    expect(uploaded.json).toMatchObject({ state: 'reading', imported_count: 0 });
    await server.drain();
    const path = `${postImports}/${uploaded.json.id}`;
    expect((await alice.get(path)).json).toMatchObject({
      state: 'unconfirmed',
      actor: oldActor,
      own_account: false,
      posts_count: 5,
      direct_count: 1,
      boosts_count: 1,
      invalid_count: 1,
      files_count: 1,
    });
    expect(await statusesOf(alice, alice)).toEqual([]);
    const refused = await alice.post(`${path}/confirm`);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.json.details)).toEqual(['other_account']);
    await setAliases(server, alice, [oldActor]);
    expect((await alice.post(`${path}/confirm`)).json).toMatchObject({ state: 'adding', own_account: true });
    await server.drain();
    expect((await alice.get(path)).json).toMatchObject({
      state: 'finished',
      imported_count: 5,
      known_count: 0,
      missing_files_count: 0,
      finished_at: expect.any(String),
    });

    const today = (await alice.post('/api/v1/statuses', { status: 'today' })).json;
    const statuses = await statusesOf(alice, alice);
    expect(contentsOf(statuses)).toEqual(['today', 'answer', 'private', 'unlisted', 'second', 'first']);
    const [, answer, hidden, unlisted, second, first] = statuses;
    expect(first).toMatchObject({
      created_at: '2019-05-06T00:00:01.000Z',
      visibility: 'public',
      local_only: false,
      imported_from: 'old.example',
      url: 'https://old.example/@alice/1',
      uri: `https://fieldfare.test/users/alice/statuses/${first?.id}`,
      spoiler_text: 'Birds',
      sensitive: true,
      replies_count: 1,
      tags: [{ name: 'birds' }],
      pinned: false,
    });
    expect(second).toMatchObject({
      in_reply_to_id: first?.id,
      media_attachments: [{ type: 'image', description: 'A bird', meta: { focus: { x: 0.5, y: -0.5 } } }],
    });
    expect(unlisted).toMatchObject({ visibility: 'unlisted', edited_at: '2020-01-01T00:00:00.000Z' });
    expect(hidden).toMatchObject({ visibility: 'private' });
    expect(answer).toMatchObject({ in_reply_to_id: null });
    expect(today).not.toHaveProperty('imported_from');
    expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json).toMatchObject({ statuses_count: 1 });
    expect(contentsOf(await statusesOf(alice, alice, '&only_imported=true'))).toHaveLength(5);
    expect(contentsOf(await statusesOf(alice, alice, '&exclude_imported=true'))).toEqual(['today']);
    expect(contentsOf(await statusesOf(alice, alice, '&exclude_replies=true'))).not.toContain('answer');
    expect(contentsOf(await statusesOf(alice, alice, '&only_media=true'))).toEqual(['second']);
    expect(contentsOf(await statusesOf(alice, alice, '&tagged=birds'))).toEqual(['first']);
    const context = (await alice.get(`/api/v1/statuses/${first?.id}/context`)).json;
    expect(contentsOf(context.descendants)).toEqual(['second']);
    const checks = await runChecks(server.app, 'system', { dryRun: true, onProgress: () => {} });
    expect(checks.filter(({ found }) => found > 0)).toEqual([]);
  });

  test('is not added twice, and can be undone and added again', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const archive = tarGzOf(filesOf([createOf(1, 'first'), createOf(2, 'second')]));
    const first = await importFile(server, alice, archive);
    expect(first).toMatchObject({ state: 'finished', imported_count: 2 });
    expect(await importFile(server, alice, archive)).toMatchObject({ imported_count: 0, known_count: 2 });
    expect(await statusesOf(alice, alice)).toHaveLength(2);
    expect((await alice.delete(`${postImports}/${first.id}`)).status).toBe(200);
    await server.drain();
    expect((await alice.get(`${postImports}/${first.id}`)).status).toBe(404);
    expect(await statusesOf(alice, alice)).toEqual([]);
    expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json).toMatchObject({ statuses_count: 0 });
    expect(await importFile(server, alice, archive)).toMatchObject({ imported_count: 2 });
  });

  test('goes on where it was when its process died, without a post twice', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const count = 100;
    const items = Array.from({ length: count }, (_, number) => createOf(number, `post ${number}`));
    const { json } = await upload(alice, tarGzOf(filesOf(items)));
    await server.drain();
    await alice.post(`${postImports}/${json.id}/confirm`, { other_account: true });
    // The second batch fails, as it does when the process dies.
    await server.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin
        if (select count(*) from imported_statuses) > 50 then raise exception 'no'; end if; return null; end $$;
      create trigger refuse after insert on imported_statuses for each statement execute function refuse()`);
    server.expectFailedJobs('account_data.import_posts');
    await server.drain();
    expect((await alice.get(`${postImports}/${json.id}`)).json).toMatchObject({ state: 'adding', imported_count: 40 });
    await server.pool.query('drop trigger refuse on imported_statuses');
    server.clock.advance(3_600);
    await server.drain();
    expect((await alice.get(`${postImports}/${json.id}`)).json).toMatchObject({
      state: 'finished',
      imported_count: count,
      known_count: 0,
    });
    expect(new Set(contentsOf(await statusesOf(alice, alice))).size).toBe(count);
  });

  test('waits for another process when this one stops', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const { json } = await upload(alice, tarGzOf(filesOf([createOf(1, 'first')])));
    await server.drain();
    stopController(server.app).abort();
    await alice.post(`${postImports}/${json.id}/confirm`, { other_account: true });
    await server.drain();
    expect((await alice.get(`${postImports}/${json.id}`)).json).toMatchObject({ state: 'adding', imported_count: 0 });
    const { rows } = await server.pool.query(
      `select run_at > $1 as later from jobs where name = 'account_data.import_posts'`,
      [server.clock.now()],
    );
    expect(rows).toEqual([{ later: true }]);
  });

  test('loses files that are missing, no media, or too many, and keeps its posts', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const image = await png();
    const files: Record<string, Buffer> = { 'media_attachments/text.png': Buffer.from('no image') };
    const attachment = [
      { type: 'Document', url: 'media_attachments/text.png' },
      { type: 'Document', url: 'media_attachments/none.png' },
    ];
    for (let number = 0; number < 5; number += 1) {
      files[`media_attachments/${number}.png`] = image;
      attachment.push({ type: 'Document', url: `media_attachments/${number}.png` });
    }
    const result = await importFile(server, alice, zipOf(filesOf([createOf(1, 'images', { attachment })], files), 8));
    expect(result).toMatchObject({ imported_count: 1, files_count: 7, missing_files_count: 3 });
    expect((await statusesOf(alice, alice))[0]).toMatchObject({
      media_attachments: Array.from({ length: 4 }, () => ({ type: 'image' })),
    });
  });
});

describe('media at addresses', () => {
  const imageOf = (url: string) => ({ type: 'Document', url });

  test('are fetched like media of other servers; those that cannot be had are counted', async () => {
    const requested: string[] = [];
    const image = await png();
    await using server = await startServer({
      outgoing: {
        request: async (url, { receive } = {}) => {
          requested.push(url);
          const body = url.endsWith('.png') ? image : Buffer.from('<html>');
          if (url.includes('dead')) throw new OutgoingError('unreachable', 'connection refused');
          await receive?.(body);
          return { status: 200, headers: {}, body: Buffer.alloc(0), url };
        },
        close: async () => {},
      },
    });
    await blockDomain(server.app, 'system', { domain: 'bad.example', severity: 'noop', rejectMedia: true });
    const alice = await server.user('alice');
    const attachment = [
      imageOf('https://cdn.example/a.png'),
      imageOf('https://bad.example/b.png'),
      imageOf(`https://${server.app.config.webDomain}/c.png`),
      imageOf('https://cdn.example/page'),
      imageOf('ftp://cdn.example/d.png'),
      imageOf('https://cdn.example/e.png'),
    ];
    const dead = Array.from({ length: 7 }, (_, number) =>
      createOf(number + 2, 'dead', { attachment: [imageOf(`https://dead.example/${number}.png`)] }),
    );
    const items = [createOf(1, 'images', { attachment }), ...dead];
    const result = await importFile(server, alice, Buffer.from(JSON.stringify({ orderedItems: items })));
    expect(result).toMatchObject({ imported_count: 8, files_count: 13, missing_files_count: 11 });
    const post = (await statusesOf(alice, alice)).at(-1);
    expect(post).toMatchObject({ media_attachments: [{ type: 'image' }, { type: 'image' }] });
    // A host that fails five times in a row is not asked again.
    expect(requested).toEqual([
      'https://cdn.example/a.png',
      'https://cdn.example/page',
      'https://cdn.example/e.png',
      ...Array.from({ length: 5 }, (_, number) => `https://dead.example/${number}.png`),
    ]);
  });

  test('are left to another process when this one stops while it fetches them', async () => {
    const image = await png();
    let stop: (() => void) | undefined;
    await using server = await startServer({
      outgoing: {
        request: async (url, { receive } = {}) => {
          stop?.();
          await receive?.(image);
          return { status: 200, headers: {}, body: Buffer.alloc(0), url };
        },
        close: async () => {},
      },
    });
    stop = () => stopController(server.app).abort();
    const alice = await server.user('alice');
    const attachment = [imageOf('https://cdn.example/a.png'), imageOf('https://cdn.example/b.png')];
    const file = Buffer.from(JSON.stringify({ orderedItems: [createOf(1, 'images', { attachment })] }));
    const result = await importFile(server, alice, file);
    expect(result).toMatchObject({ state: 'adding', imported_count: 0, missing_files_count: 0 });
    expect(await server.db.selectFrom('media_attachments').select('id').execute()).toEqual([]);
  });
});

describe('other formats', () => {
  test('a zip archive of Pleroma, with direct posts if they are wanted, and its polls closed', async () => {
    await using server = await startServer();
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    const option = (name: string, totalItems: number) => ({ type: 'Note', name, replies: { totalItems } });
    const poll = {
      type: 'Question',
      oneOf: [option('yes', 3), option('no', 1)],
      votersCount: 4,
      endTime: '2999-01-01T00:00:00Z',
    };
    const items = [
      createOf(1, 'direct', { visibility: 'direct' }),
      createOf(2, 'poll', poll),
      createOf(3, 'private', { visibility: 'private' }),
    ];
    const result = await importFile(server, alice, zipOf(filesOf(items), 8), { choices: { direct: true } });
    expect(result).toMatchObject({ state: 'finished', imported_count: 3 });
    const statuses = await statusesOf(alice, alice);
    expect(contentsOf(statuses)).toEqual(['private', 'poll', 'direct']);
    expect(statuses[1]).toMatchObject({
      poll: {
        expired: true,
        votes_count: 4,
        voters_count: 4,
        options: [{ title: 'yes', votes_count: 3 }, { title: 'no' }],
      },
    });
    expect(statuses[2]).toMatchObject({ visibility: 'direct', imported_from: 'old.example' });
    expect(statuses[2]).not.toHaveProperty('pinned');
    expect(contentsOf(await statusesOf(alice, alice, '&exclude_direct=true'))).toEqual(['private', 'poll']);
    expect(contentsOf(await statusesOf(bob, alice))).toEqual(['private', 'poll']);
    expect(contentsOf(await statusesOf(server.anonymous as unknown as TestUser, alice))).toEqual(['poll']);
    expect((await bob.get(`/api/v1/statuses/${statuses[2]?.id}`)).status).toBe(404);
    expect((await alice.get('/api/v1/conversations')).json).toEqual([]);
  });

  test('notes of Misskey, whose server the person names', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const note = (id: string, text: string | null, more: object = {}) => ({
      id,
      text,
      createdAt: '2022-02-03T04:05:06.789Z',
      fileIds: [],
      replyId: null,
      renoteId: null,
      poll: null,
      cw: null,
      visibility: 'public',
      ...more,
    });
    // Newest first: the parent comes after its reply.
    const notes = [
      note('9b', 'reply', { replyId: '9a', createdAt: '2022-02-04T00:00:00.000Z' }),
      note('9a', '$[x2 first]', { visibility: 'home' }),
      note('9c', null, { renoteId: '8a' }),
    ];
    const file = Buffer.from(JSON.stringify(notes));
    const unnamed = await upload(alice, file);
    await server.drain();
    expect((await alice.get(`${postImports}/${unnamed.json.id}`)).json).toMatchObject({
      state: 'failed',
      problem: 'no_origin',
    });
    const wrong = await upload(alice, file, { origin: 'no server' });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.json.details)).toEqual(['origin']);
    const result = await importFile(server, alice, file, { origin: 'mi.example' });
    expect(result).toMatchObject({ actor: null, own_account: false, imported_count: 2, boosts_count: 1 });
    const [reply, first] = await statusesOf(alice, alice);
    expect(first).toMatchObject({
      content: '<p>first</p>',
      visibility: 'unlisted',
      url: 'https://mi.example/notes/9a',
    });
    expect(reply).toMatchObject({ in_reply_to_id: first?.id });
  });

  test('the archive that this server makes, without the posts that are here', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const image = new File([new Uint8Array(await png())], 'bird.png', { type: 'image/png' });
    const { id } = (await alice.post('/api/v2/media', await multipart({ file: image, description: 'A bird' }))).json;
    await alice.post('/api/v1/statuses', { status: 'with a #bird', media_ids: [id] });
    server.clock.advance(1);
    const kept = (await alice.post('/api/v1/statuses', { status: 'kept' })).json;
    await alice.post('/api/v1/fieldfare/archives');
    await server.drain();
    const [archive] = (await alice.get('/api/v1/fieldfare/archives')).json;
    const key = (await server.pool.query('select storage_key from archives where id = $1', [archive.id])).rows[0]
      .storage_key;
    const file = await server.app.storage.get(key);
    const [, posted] = await statusesOf(alice, alice);
    await alice.delete(`/api/v1/statuses/${posted?.id}`);
    const result = await importFile(server, alice, file?.body ?? Buffer.alloc(0), {
      choices: { other_account: undefined },
    });
    expect(result).toMatchObject({
      own_account: true,
      posts_count: 2,
      imported_count: 1,
      known_count: 1,
      missing_files_count: 0,
    });
    const [first, second] = await statusesOf(alice, alice);
    expect([first?.id, second]).toMatchObject([
      kept.id,
      { imported_from: 'fieldfare.test', tags: [{ name: 'bird' }], media_attachments: [{ description: 'A bird' }] },
    ]);
  });
});

describe('hostile files', () => {
  test('what is no archive is refused at once, and a damaged one when it is read', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    for (const file of [Buffer.from('text'), Buffer.from('GIF89a')]) {
      const refused = await upload(alice, file);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.json.details)).toEqual(['file']);
    }
    expect((await alice.post(postImports)).json.details).toHaveProperty('file');
    const files = filesOf([createOf(1, 'first')]);
    const problems: [Buffer, string][] = [
      [tarGzOf(files).subarray(0, 200), 'damaged'],
      [zipOf(files, 8).subarray(0, 300), 'damaged'],
      [Buffer.from('[{"id":'), 'damaged'],
      [zipOf({ 'bird.png': await png() }, 0), 'no_posts'],
      [tarGzOf(filesOf([boost])), 'no_posts'],
      [tarGzOf({ ...files, 'actor.json': Buffer.from('{') }), 'damaged'],
    ];
    for (const [file, problem] of problems) {
      const { json, text } = await upload(alice, file);
      await server.drain();
      expect((await alice.get(`${postImports}/${json.id}`)).json, text).toMatchObject({ state: 'failed', problem });
    }
  });

  test('paths, scripts and giant items do no harm', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const script = '<script>alert(1)</script><a href="javascript:alert(2)" onclick="alert(3)">link</a>';
    const attachment = [{ type: 'Document', url: '../../../../media_attachments/../../up.png', name: 'x' }];
    const items = [
      createOf(1, script, { attachment, summary: '<b>warning</b>' }),
      createOf(2, 'x'.repeat(1_100_000)),
      { type: 'Create', object: { content: 5, attributedTo: [null] } },
      7,
    ];
    const archive = zipOf(
      filesOf(items, {
        '../../../../media_attachments/../../up.png': await png(),
        '/etc/outbox.json/../x': Buffer.from('x'),
      }),
      8,
    );
    expect(await importFile(server, alice, archive)).toMatchObject({ imported_count: 1, invalid_count: 3 });
    const [status] = await statusesOf(alice, alice);
    expect(status?.content).not.toMatch(/script|onclick|alert\(1\)/);
    expect(status).toMatchObject({ spoiler_text: '<b>warning</b>', media_attachments: [{ type: 'image' }] });
  });

  test('the quota limits the file, what it unpacks to, and all media of a person', async () => {
    await using server = await startServer({ settings: { IMPORT_QUOTA: '1' } });
    const alice = await server.user('alice');
    const refused = await upload(alice, Buffer.concat([Buffer.from('[]'), Buffer.alloc(1_100_000)]));
    expect(refused.status).toBe(422);
    expect(refused.json.error).toContain('1 MB');
    const noise = Buffer.alloc(600 * 400 * 3);
    for (let place = 0; place < noise.length; place += 1) noise[place] = (place * 2_654_435_761) >>> 24;
    const large = await sharp(noise, { raw: { width: 600, height: 400, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const attachment = [
      { type: 'Document', url: 'media_attachments/a.png' },
      { type: 'Document', url: 'media_attachments/b.png' },
    ];
    const files = filesOf([createOf(1, 'images', { attachment })], {
      'media_attachments/a.png': large,
      'media_attachments/b.png': large,
    });
    expect(large.length).toBeGreaterThan(600_000);
    expect(await importFile(server, alice, tarGzOf(files))).toMatchObject({ files_count: 2, missing_files_count: 1 });
  });
});

describe('the routes', () => {
  test('belong to the user and need the scopes read and write', async () => {
    await using server = await startServer();
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const { json } = await upload(alice, tarGzOf(filesOf([createOf(1, 'first')])));
    await server.drain();
    const path = `${postImports}/${json.id}`;
    const reader = await server.withScopes(alice, 'read');
    const writer = await server.withScopes(alice, 'write');
    expect((await server.anonymous.get(postImports)).status).toBe(401);
    expect((await server.anonymous.post(postImports)).status).toBe(401);
    for (const read of [postImports, path]) expect((await writer.get(read)).status).toBe(403);
    for (const write of [postImports, `${path}/confirm`, `${path}/stop`])
      expect((await reader.post(write)).status).toBe(403);
    expect((await reader.delete(path)).status).toBe(403);
    expect((await bob.get(path)).status).toBe(404);
    for (const write of [`${path}/confirm`, `${path}/stop`]) expect((await bob.post(write)).status).toBe(404);
    expect((await bob.delete(path)).status).toBe(404);
    expect((await bob.get(postImports)).json).toEqual([]);
    expect((await reader.get('/api/v1/fieldfare/post_imports')).json).toMatchObject([
      { id: json.id, state: 'unconfirmed' },
    ]);
  });

  test('a suspended user imports nothing', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const { json } = await upload(alice, tarGzOf(filesOf([createOf(1, 'first')])));
    await server.drain();
    await alice.post(`${postImports}/${json.id}/confirm`, { other_account: true });
    await suspendAccount(server.app, 'system', { accountId: alice.id });
    await server.drain();
    const { rows } = await server.pool.query('select state, problem, storage_key, imported from post_imports');
    expect(rows).toEqual([{ state: 'failed', problem: 'suspended', storage_key: null, imported: 0 }]);
  });

  test('one import is at work at a time, and a stopped one keeps what it added', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const archive = tarGzOf(filesOf([createOf(1, 'first')]));
    const { json } = await upload(alice, archive);
    expect((await upload(alice, archive)).status).toBe(409);
    const path = `${postImports}/${json.id}`;
    expect((await alice.post(`${path}/stop`)).json).toMatchObject({ state: 'finished', imported_count: 0 });
    await server.drain();
    expect((await alice.post(`${path}/confirm`, { other_account: true })).json).toMatchObject({ state: 'finished' });
    const second = await importFile(server, alice, archive);
    expect(second).toMatchObject({ state: 'finished', imported_count: 1 });
    expect((await alice.post(`${postImports}/${second.id}/stop`)).json).toMatchObject({ state: 'finished' });
    expect(await statusesOf(alice, alice)).toHaveLength(1);
    const { rows } = await server.pool.query('select count(*)::int as count from post_import_items');
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('an unconfirmed import ends after a day, one without posts disappears after a month', async () => {
    await using server = await startServer();
    const alice = await server.user('alice');
    const archive = tarGzOf(filesOf([createOf(1, 'first')]));
    const { json: waiting } = await upload(alice, archive);
    await server.drain();
    server.clock.advance(86_400 + 1);
    await server.runSchedule('account_data.clean_up_imports');
    await server.drain();
    expect((await alice.get(`${postImports}/${waiting.id}`)).json).toMatchObject({ state: 'finished' });
    const added = await importFile(server, alice, archive);
    server.clock.advance(31 * 86_400);
    await server.runSchedule('account_data.clean_up_imports');
    expect((await alice.get(postImports)).json.map(({ id }: { id: string }) => id)).toEqual([added.id]);
    await deleteAccount(server.app, alice.id);
    await server.drain();
    const { rows } = await server.pool.query('select count(*)::int as count from post_imports');
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('bookmarks and favourites become an import of bookmarks, if they are wanted', async () => {
    await using server = await startServer();
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const posted = [];
    for (const status of ['one', 'two']) posted.push((await bob.post('/api/v1/statuses', { status })).json);
    const files = filesOf([createOf(1, 'first')], {
      'likes.json': collectionOf([posted[0].uri, 7]),
      'bookmarks.json': collectionOf([posted[1].uri]),
    });
    const without = await importFile(server, alice, tarGzOf(files));
    expect(without).toMatchObject({ likes_count: 2, bookmarks_count: 1 });
    expect((await alice.get('/api/v1/bookmarks')).json).toEqual([]);
    await importFile(server, alice, tarGzOf(files), { choices: { likes: true, bookmarks: true } });
    await server.drain();
    const ids = (await alice.get('/api/v1/bookmarks')).json.map(({ id }: { id: string }) => id);
    expect(ids.toSorted()).toEqual(posted.map(({ id }) => id).toSorted());
    expect((await alice.get('/api/v1/favourites')).json).toEqual([]);
    expect((await bob.get('/api/v1/notifications')).json).toEqual([]);
  });
});

test('imported posts are boosted and edited by nobody; replies to them are local-only; they can be pinned and deleted', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  await importFile(server, alice, tarGzOf(filesOf([createOf(1, 'first')])));
  const [status] = await statusesOf(bob, alice);
  const path = `/api/v1/statuses/${status?.id}`;
  expect((await bob.post(`${path}/reblog`)).json.error).toContain('cannot be boosted');
  expect((await alice.put(path, { status: 'other' })).json.error).toContain('cannot be edited');
  const reply = (await bob.post('/api/v1/statuses', { status: 'yes', in_reply_to_id: status?.id })).json;
  expect(reply).toMatchObject({ local_only: true, in_reply_to_id: status?.id });
  expect(
    (await bob.post('/api/v1/statuses', { status: 'yes', in_reply_to_id: status?.id, local_only: false })).status,
  ).toBe(422);
  expect((await bob.post(`${path}/favourite`)).json).toMatchObject({ favourited: true, favourites_count: 1 });
  expect((await bob.post(`${path}/bookmark`)).json).toMatchObject({ bookmarked: true });
  expect((await alice.post(`${path}/pin`)).json).toMatchObject({ pinned: true });
  expect(contentsOf((await bob.get(`/api/v1/accounts/${alice.id}/statuses?pinned=true`)).json)).toEqual(['first']);
  const found = await alice.get('/api/v2/search?type=statuses&q=first');
  expect(contentsOf(found.json.statuses)).toEqual(['first']);
  expect((await alice.delete(path)).json).toMatchObject({ text: 'first' });
  expect((await bob.get(path)).status).toBe(404);
  expect((await alice.get(`/api/v1/accounts/${alice.id}`)).json).toMatchObject({ statuses_count: 0 });
  // What was deleted is not brought back by the same file.
  expect(await importFile(server, alice, tarGzOf(filesOf([createOf(1, 'first')])))).toMatchObject({ known_count: 1 });
});
