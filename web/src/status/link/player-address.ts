import type { PreviewCard } from '../../api/entities.ts';

/**
 * Returns the address of a card's player, which is shown in a sandboxed frame. Only frames with TLS of other origins than
 * `ownOrigin` are players.
 */
export function playerOf({ type, html }: Pick<PreviewCard, 'type' | 'html'>, ownOrigin: string): string | undefined {
  if (type !== 'video' && type !== 'rich') return undefined;
  const source = /<iframe[^>]*\ssrc=["']([^"']+)["']/i.exec(html)?.[1]?.replaceAll('&amp;', '&');
  if (source === undefined || !URL.canParse(source)) return undefined;
  const { protocol, origin } = new URL(source);
  return protocol === 'https:' && origin !== ownOrigin ? source : undefined;
}
