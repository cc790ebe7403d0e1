import { multipart, type TestServer, type TestUser } from '../../server.ts';

export const postImports = '/api/v1/fieldfare/post_imports';

/** Uploads a file. Returns the response. */
export const upload = async (user: TestUser, file: Buffer, fields: Record<string, string> = {}) =>
  user.post(postImports, await multipart({ file: new File([new Uint8Array(file)], 'archive'), ...fields }));

/** Uploads a file, lets it be read, confirms it and lets its posts be added. Returns the import. */
export async function importFile(
  server: TestServer,
  user: TestUser,
  file: Buffer,
  { choices = {}, ...fields }: { choices?: object; origin?: string } = {},
) {
  const uploaded = await upload(user, file, fields);
  if (uploaded.status !== 200) throw new Error(uploaded.text);
  await server.drain();
  const path = `${postImports}/${uploaded.json.id}`;
  const confirmed = await user.post(`${path}/confirm`, { other_account: true, ...choices });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  await server.drain();
  return (await user.get(path)).json;
}
