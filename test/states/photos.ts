import { newId, type AccountId } from '../../server/platform/ids.ts';
import type { HostHandler } from '../network.ts';
import type { Client, TestServer } from '../server.ts';

/** The smallest PNG: one transparent pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** An attachment of a remote post. Its host answers by `serveRemotePhoto`. */
export const remotePhoto = { type: 'image', url: 'https://files.test/photo.png' } as const;

export const serveRemotePhoto: HostHandler = () => ({
  status: 200,
  headers: { 'content-type': 'image/png' },
  body: png,
});

/** Stores a processed photo that a local account can post. Returns its id. */
export async function storePhoto({ app, pool }: TestServer, accountId: AccountId): Promise<string> {
  const id = newId<'media'>(app.clock.now());
  const key = `attachments/${id}.png`;
  await app.storage.put(key, png, 'image/png');
  await pool.query(
    `insert into media_attachments (id, account_id, type, content_type, file_key, state, created_at)
     values ($1, $2, 'image', 'image/png', $3, 'ready', now())`,
    [id, accountId, key],
  );
  return id;
}

/**
 * Returns the id of the photo of a post, and the paths of its file for anonymous viewers and for bob. Both may let the
 * proxy fetch it, which only bob gets permission for.
 */
export async function findFiles(
  statusId: string,
  { anonymous, bob }: { readonly anonymous: Client; readonly bob: Client },
): Promise<Record<string, string>> {
  const find = async (viewer: Client): Promise<{ id: string; url: URL }> => {
    const [file] = (await viewer.get(`/api/v1/statuses/${statusId}`)).json.media_attachments;
    return { id: file.id as string, url: new URL(file.url as string) };
  };
  const [open, granted] = [await find(anonymous), await find(bob)];
  const { pathname, search } = granted.url;
  return { photo: open.id, file: open.url.pathname + search, granted: pathname + search };
}
