import { createVerify } from 'node:crypto';

/** Returns whether a request to `host` has a signature (draft-cavage) of the owner of a key. */
export function isSignedBy(
  sent: { readonly path: string; readonly headers: Record<string, string> } | undefined,
  publicPem: string,
  host = 'remote.test',
): boolean {
  const headers = new Map(Object.entries(sent?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  headers.set('(request-target)', `post ${sent?.path}`);
  if (!headers.has('host')) headers.set('host', host);
  const parts = Object.fromEntries(
    [...(headers.get('signature') ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );
  const text = (parts['headers'] ?? '').split(' ').map((name) => `${name}: ${headers.get(name)}`);
  return createVerify('sha256')
    .update(text.join('\n'))
    .verify(publicPem, parts['signature'] ?? '', 'base64');
}
