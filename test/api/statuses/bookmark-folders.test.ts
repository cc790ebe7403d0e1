import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlCommandsOf, runCurl } from '../../curl.ts';
import { startServer, walk, type TestUser } from '../../server.ts';

const folders = '/api/v1/fieldfare/bookmark_folders';
const bookmarks = '/api/v1/fieldfare/bookmarks';
const statuses = '/api/v1/statuses';

const createFolder = async (user: TestUser, name: string): Promise<string> => {
  const { status, json, text } = await user.post(folders, { name });
  if (status !== 200) throw new Error(text);
  return json.id;
};

const post = async (user: TestUser, status: string, more: object = {}): Promise<string> =>
  (await user.post(statuses, { status, ...more })).json.id;

async function bookmark(user: TestUser, id: string): Promise<string> {
  expect((await user.post(`${statuses}/${id}/bookmark`)).status).toBe(200);
  return id;
}

const idsAt = async (user: TestUser, url: string): Promise<string[]> => (await walk(user, url)).map(({ id }) => id);
const namesOf = ({ json }: { json: { name: string }[] }) => json.map(({ name }) => name);

test('folders are created, renamed, ordered and deleted', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const [birds, bread, code] = [
    await createFolder(alice, ' Birds '),
    await createFolder(alice, 'Bread'),
    await createFolder(alice, 'Code'),
  ];
  expect((await alice.get(folders)).json).toEqual([
    { id: birds, name: 'Birds', position: 0 },
    { id: bread, name: 'Bread', position: 1 },
    { id: code, name: 'Code', position: 2 },
  ]);
  const moved = await alice.put(`${folders}/${code}`, { position: 0, name: 'Software' });
  expect(moved.json).toEqual({ id: code, name: 'Software', position: 0 });
  expect(namesOf(await alice.get(folders))).toEqual(['Software', 'Birds', 'Bread']);
  expect((await alice.put(`${folders}/${birds}`, { position: 99 })).json.position).toBe(2);
  expect((await alice.put(`${folders}/${birds}`, { name: 'birds' })).json.name).toBe('birds');
  expect((await alice.get(`${folders}/${bread}`)).json).toEqual({ id: bread, name: 'Bread', position: 1 });
  expect((await alice.delete(`${folders}/${code}`)).json).toEqual({});
  const last = await createFolder(alice, 'Last');
  expect((await alice.get(folders)).json).toEqual([
    { id: bread, name: 'Bread', position: 0 },
    { id: birds, name: 'birds', position: 1 },
    { id: last, name: 'Last', position: 2 },
  ]);
  expect((await alice.delete(`${folders}/${code}`)).status).toBe(404);
});

test('an invalid or taken name is 422, and an account has at most 100 folders', async () => {
  await using server = await startServer();
  const alice = await server.user('alice');
  const birds = await createFolder(alice, 'Birds');
  const other = await createFolder(alice, 'Other');
  for (const [name, error] of [
    [' ', 'ERR_BLANK'],
    [undefined, 'ERR_BLANK'],
    ['a'.repeat(101), 'ERR_TOO_LONG'],
    ['BIRDS', 'ERR_TAKEN'],
  ] as const) {
    const { status, json } = await alice.post(folders, { name });
    expect([status, json.details.name[0].error]).toEqual([422, error]);
    if (name === undefined) continue;
    const renamed = await alice.put(`${folders}/${other}`, { name });
    expect([renamed.status, renamed.json.details.name[0].error]).toEqual([422, error]);
  }
  expect((await alice.get(`${folders}/${birds}`)).json.name).toBe('Birds');
  for (let count = 2; count < 99; count += 1) await createFolder(alice, `Folder ${count}`);
  const both = await Promise.all(['x', 'y'].map((name) => alice.post(folders, { name })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('a bookmark is in any number of folders, and leaves them when it is removed', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const [one, two, three] = [
    await bookmark(alice, await post(bob, 'one')),
    await bookmark(alice, await post(bob, 'two')),
    await bookmark(alice, await post(bob, 'three')),
  ];
  const [birds, bread] = [await createFolder(alice, 'Birds'), await createFolder(alice, 'Bread')];
  const put = (folder: string, ...ids: string[]) => alice.post(`${folders}/${folder}/statuses`, { status_ids: ids });
  expect((await put(birds, two, one)).json).toEqual({});
  expect((await put(birds, two)).status).toBe(200);
  expect((await put(bread, two)).status).toBe(200);
  expect(await idsAt(alice, `${bookmarks}?folder_id=${birds}`)).toEqual([two, one]);
  expect(await idsAt(alice, `${bookmarks}?unfiled=true`)).toEqual([three]);
  expect(await idsAt(alice, bookmarks)).toEqual([three, two, one]);
  const inFolders = (id: string) => alice.get(`/api/v1/fieldfare/statuses/${id}/bookmark_folders`);
  expect(namesOf(await inFolders(two))).toEqual(['Birds', 'Bread']);
  expect(namesOf(await inFolders(three))).toEqual([]);
  expect((await alice.delete(`${folders}/${birds}/statuses`, { status_ids: [two, three] })).json).toEqual({});
  expect(namesOf(await inFolders(two))).toEqual(['Bread']);
  await alice.post(`${statuses}/${two}/unbookmark`);
  expect(await idsAt(alice, `${bookmarks}?folder_id=${bread}`)).toEqual([]);
  await bookmark(alice, two);
  expect(namesOf(await inFolders(two))).toEqual([]);
  await alice.delete(`${folders}/${birds}`);
  expect(await idsAt(alice, '/api/v1/bookmarks')).toEqual([two, three, one]);
  // A reblog stands for its original.
  const reblog = (await bob.post(`${statuses}/${one}/reblog`)).json.id as string;
  expect((await put(bread, reblog)).status).toBe(200);
  expect(await idsAt(alice, `${bookmarks}?folder_id=${bread}`)).toEqual([one]);
});

test('a post that is not bookmarked is 422, and a folder of someone else 404', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const [known, unknown] = [await bookmark(alice, await post(bob, 'known')), await post(bob, 'unknown')];
  const folder = await createFolder(alice, 'Mine');
  const path = `${folders}/${folder}`;
  for (const ids of [[known, unknown], [known, '1'], Array.from({ length: 41 }, (_, index) => String(index + 1))]) {
    const { status, json } = await alice.post(`${path}/statuses`, { status_ids: ids });
    expect([status, Object.keys(json.details)]).toEqual([422, ['status_ids']]);
  }
  expect(await idsAt(alice, `${bookmarks}?folder_id=${folder}`)).toEqual([]);
  expect((await alice.post(`${path}/statuses`)).status).toBe(200);
  const [reader, writer] = [
    await server.withScopes(alice, 'read:bookmarks'),
    await server.withScopes(alice, 'write:bookmarks'),
  ];
  const items = { status_ids: [known] };
  for (const [method, url, body, isShared] of [
    ['GET', folders, undefined, true],
    ['POST', folders, { name: 'New' }, true],
    ['GET', path, undefined, false],
    ['PUT', path, { name: 'x' }, false],
    ['POST', `${path}/statuses`, items, false],
    ['DELETE', `${path}/statuses`, items, false],
    ['GET', bookmarks, undefined, true],
    ['GET', `${bookmarks}?folder_id=${folder}`, undefined, false],
    ['GET', `/api/v1/fieldfare/statuses/${known}/bookmark_folders`, undefined, true],
    ['DELETE', path, undefined, false],
  ] as const) {
    const name = `${method} ${url}`;
    expect((await server.anonymous.call(method, url, body)).status, name).toBe(401);
    expect((await (method === 'GET' ? writer : reader).call(method, url, body)).status, name).toBe(403);
    expect((await bob.call(method, url, body)).status, name).toBe(isShared ? 200 : 404);
  }
  expect(namesOf(await bob.get(folders))).toEqual(['New']);
  expect(namesOf(await reader.get(folders))).toEqual(['Mine']);
  expect((await writer.put(path, { name: 'Ours' })).json.name).toBe('Ours');
  const hidden = await post(bob, 'hidden', { visibility: 'direct' });
  expect((await alice.get(`/api/v1/fieldfare/statuses/${hidden}/bookmark_folders`)).status).toBe(404);
});

test('bookmarks are found by words of the text, the warning and descriptions, and by author and folder', async () => {
  await using server = await startServer();
  const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
  const fieldfare = await bookmark(alice, await post(bob, 'A Fieldfare, 100% bird', { spoiler_text: 'Nature' }));
  const bread = await bookmark(alice, await post(carol, 'Bread with snake_case'));
  const gone = await bookmark(alice, await post(bob, 'A bird that is gone'));
  const secret = await bookmark(alice, await post(bob, '@alice secret bird', { visibility: 'direct' }));
  await post(bob, 'A bird that nobody saved');
  await bob.delete(`${statuses}/${gone}`);
  const found = (query: string) => idsAt(alice, `${bookmarks}?${query}`);
  expect(await found('q=bird')).toEqual([secret, fieldfare]);
  expect(await found('q=BIRD%20field')).toEqual([fieldfare]);
  expect(await found('q=nature')).toEqual([fieldfare]);
  expect(await found('q=bird%20bread')).toEqual([]);
  expect(await found('q=0%25')).toEqual([fieldfare]);
  expect(await found('q=e_c')).toEqual([bread]);
  expect(await found('q=r%25d')).toEqual([]);
  expect(await found('q=%20')).toEqual([secret, bread, fieldfare]);
  expect(await found(`account_id=${carol.id}`)).toEqual([bread]);
  expect(await found(`account_id=${carol.id}&q=bird`)).toEqual([]);
  const folder = await createFolder(alice, 'Birds');
  await alice.post(`${folders}/${folder}/statuses`, { status_ids: [fieldfare, bread] });
  expect(await found(`folder_id=${folder}&q=bird`)).toEqual([fieldfare]);
  expect(await found('unfiled=true&q=bird')).toEqual([secret]);
  expect(await found(`folder_id=${folder}&account_id=${carol.id}`)).toEqual([bread]);
  await bob.post(`/api/v1/accounts/${alice.id}/block`);
  expect(await found('q=bird')).toEqual([]);
  for (const q of ['a'.repeat(201), 'a b c d e f g h i j k']) {
    const { status, json } = await alice.get(`${bookmarks}?q=${encodeURIComponent(q)}`);
    expect([status, Object.keys(json.details)]).toEqual([422, ['q']]);
  }
  expect((await alice.get(`${bookmarks}?account_id=x`)).json).toEqual([]);
  expect((await alice.get(`${bookmarks}?folder_id=1`)).status).toBe(404);
});

test('the HTML of remote posts is not searched, only their text', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const id = await bookmark(alice, await post(bob, 'x'));
  const content = '<p>One<br>two</p><p><a href="https://hidden.test">#<span>birds</span></a></p>';
  await server.pool.query('update statuses set local = false, content = $2 where id = $1', [id, content]);
  const found = (q: string) => idsAt(alice, `${bookmarks}?q=${encodeURIComponent(q)}`);
  for (const q of ['one', 'two', '#birds']) expect(await found(q), q).toEqual([id]);
  for (const q of ['hidden', 'span', 'onetwo', 'two#']) expect(await found(q), q).toEqual([]);
  const entities = '<ul><li>AT&amp;T &lt;3</li><li>&amp;lt; is a sign</li></ul>';
  await server.pool.query('update statuses set content = $2 where id = $1', [id, entities]);
  for (const q of ['at&t', 't <3', '&lt;']) expect(await found(q), q).toEqual([id]);
  for (const q of ['amp', '&gt;', '3&']) expect(await found(q), q).toEqual([]);
});

test('a search examines a bounded number of bookmarks a page, and its links lead to every match', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  // 4,500 bookmarks, of which every 900th matches.
  await server.pool.query(
    `insert into statuses (id, account_id, uri, local, text, visibility, created_at)
     select n, $1, 'https://fieldfare.test/' || n, true, case when n % 900 = 0 then 'needle' else 'hay' end, 'public', now()
     from generate_series(1, 4500) n`,
    [bob.id],
  );
  await server.pool.query(
    `insert into bookmarks (id, account_id, status_id, created_at)
     select n, $1, n, now() from generate_series(1, 4500) n`,
    [alice.id],
  );
  const matches = ['4500', '3600', '2700', '1800', '900'];
  expect(await idsAt(alice, `${bookmarks}?q=needle`)).toEqual(matches);
  expect(await idsAt(alice, `${bookmarks}?q=needle&limit=1`)).toEqual(matches);
  expect(await idsAt(alice, `${bookmarks}?q=nowhere`)).toEqual([]);
  const first = await alice.get(`${bookmarks}?q=needle`);
  expect(first.json).toHaveLength(3);
  expect(first.links.next?.searchParams.get('max_id')).toBe('2501');
  const upwards = await alice.get(`${bookmarks}?q=needle&min_id=0`);
  expect(upwards.json.map(({ id }: { id: string }) => id)).toEqual(['1800', '900']);
  expect(upwards.links.prev?.searchParams.get('min_id')).toBe('2000');
  const folder = await createFolder(alice, 'Nearly all');
  await server.pool.query(
    'insert into bookmark_folder_items (folder_id, bookmark_id) select $1, n from generate_series(3, 4500) n',
    [folder],
  );
  const filed = await alice.get(`${bookmarks}?unfiled=true`);
  expect([filed.json, filed.links.next?.searchParams.get('max_id')]).toEqual([[], '2501']);
  expect(await idsAt(alice, `${bookmarks}?unfiled=true`)).toEqual(['2', '1']);
  const none = await alice.get(`${bookmarks}?q=nowhere&min_id=0`);
  expect([none.json, none.links.prev?.searchParams.get('min_id')]).toEqual([[], '2000']);
});

test('search and pages agree with a model for any bookmarks, folder and query', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const folder = await createFolder(alice, 'Some');
  const words = ['ant', 'bee', 'antelope', 'é', '%'];
  const word = fc.constantFrom(...words);
  const saved: { id: string; text: string; isFiled: boolean }[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.array(word, { maxLength: 2 }),
      fc.integer({ min: 1, max: 3 }),
      async (texts, isFiled, query, limit) => {
        const text = texts.join(' ');
        const id = await bookmark(alice, await post(bob, text));
        if (isFiled) await alice.post(`${folders}/${folder}/statuses`, { status_ids: [id] });
        saved.unshift({ id, text, isFiled });
        const matching = saved.filter((each) => query.every((part) => each.text.includes(part)));
        const filed = matching.filter((each) => each.isFiled);
        const url = `${bookmarks}?limit=${limit}&q=${encodeURIComponent(query.join(' '))}`;
        expect(await idsAt(alice, url)).toEqual(matching.map((each) => each.id));
        expect(await idsAt(alice, `${url}&folder_id=${folder}`)).toEqual(filed.map((each) => each.id));
        expect(await idsAt(alice, `${url}&unfiled=true`)).toEqual(
          matching.filter((each) => !each.isFiled).map((each) => each.id),
        );
        expect(saved.map((each) => each.id)).toEqual(await idsAt(alice, `/api/v1/bookmarks?limit=${limit}`));
      },
    ),
    { numRuns: 12 },
  );
});

test('the commands of docs/bookmark-folders.md work', async () => {
  await using server = await startServer();
  const [alice, bob] = [await server.user('alice'), await server.user('bob')];
  const id = await bookmark(alice, await post(bob, 'A recipe for bread'));
  const [create = '', ...rest] = curlCommandsOf('docs/bookmark-folders.md');
  const variables = { TOKEN: alice.token ?? '', STATUS_ID: id };
  const { json: folder } = await runCurl(server.anonymous, create, variables);
  const results = [];
  for (const command of rest) {
    results.push(await runCurl(server.anonymous, command, { ...variables, FOLDER_ID: folder.id }));
  }
  expect(results.map(({ status, json }) => [status, json])).toMatchObject([
    [200, {}],
    [200, [{ name: 'Recipes' }]],
    [200, [{ id, bookmarked: true }]],
    [200, { name: 'Baking', position: 0 }],
    [200, {}],
    [200, {}],
  ]);
  expect(await idsAt(alice, '/api/v1/bookmarks')).toEqual([id]);
});
