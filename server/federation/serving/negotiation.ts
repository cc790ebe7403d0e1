import type { RequestFacts } from '../../platform/http/routes.ts';

const activityTypes: ReadonlySet<string> = new Set([
  'application/activity+json',
  'application/ld+json',
  'application/json',
]);

/** Says whether a request asks for the ActivityPub document rather than for the page at the same address. */
export function wantsActivity(request: Pick<RequestFacts, 'headers'>): boolean {
  const accept = request.headers['accept'];
  let activity = 0;
  let page = 0;
  for (const part of String(accept ?? '')
    .toLowerCase()
    .split(',')) {
    const [type = '', ...parameters] = part.split(';').map((item) => item.trim());
    const quality = Number(/^q=([\d.]+)$/.exec(parameters.find((item) => item.startsWith('q=')) ?? '')?.[1] ?? 1);
    if (activityTypes.has(type)) activity = Math.max(activity, quality);
    if (type === 'text/html' || type === 'application/xhtml+xml') page = Math.max(page, quality);
  }
  // A list that names both in one breath is that of a server which resolves links.
  return activity > 0 && activity >= page;
}
