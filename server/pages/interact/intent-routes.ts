import { Type } from 'typebox';
import { withParameters } from '../../oauth/authorize/index.ts';
import { redirect } from '../../platform/http/http-response.ts';
import { notFound } from '../../platform/http/http-errors.ts';
import { get, type Route } from '../../platform/http/routes.ts';

/** The target of browsers that open `web+mastodon:` links with this server. */
export const intentRoutes: readonly Route[] = [
  get('/intent', {
    summary: 'Redirect a web+mastodon: link to the page for following or sharing',
    access: 'page',
    undocumented: true,
    input: Type.Object({ uri: Type.Optional(Type.String()) }),
    response: Type.Any(),
    handle({ input: { uri = '' } }) {
      const path = intentPath(uri);
      if (path === undefined) throw notFound();
      return redirect(path);
    },
  }),
];

/** Returns the local path of a `web+mastodon://follow?uri=…` or `web+mastodon://share?text=…` link. */
export function intentPath(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, host, searchParams } = new URL(link);
  if (protocol !== 'web+mastodon:') return undefined;
  const [uri, text] = [searchParams.get('uri'), searchParams.get('text')];
  if (host === 'follow' && uri !== null) return withParameters('/authorize_interaction', { uri });
  return host === 'share' && text !== null ? withParameters('/share', { text }) : undefined;
}
