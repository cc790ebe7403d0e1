import { parseJson } from '../text/index.ts';

/** The response of an oEmbed provider, not validated. */
export interface Oembed {
  readonly type: 'link' | 'photo' | 'video' | 'rich';
  readonly title: string;
  readonly authorName: string;
  readonly authorUrl: string;
  readonly providerName: string;
  readonly providerUrl: string;
  /** URL of the image; photos only. */
  readonly url: string;
  readonly thumbnailUrl: string;
  readonly html: string;
  readonly width: unknown;
  readonly height: unknown;
}

/** Parses an oEmbed document (version 1.0). Returns undefined if it is invalid. */
export function parseOembed(text: string): Oembed | undefined {
  let document: unknown;
  try {
    document = parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  const fields = document as Record<string, unknown>;
  const field = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const type = field('type');
  if (!['1', '1.0'].includes(String(fields['version']))) return undefined;
  if (type !== 'link' && type !== 'photo' && type !== 'video' && type !== 'rich') return undefined;
  return {
    type,
    title: field('title'),
    authorName: field('author_name'),
    authorUrl: field('author_url'),
    providerName: field('provider_name'),
    providerUrl: field('provider_url'),
    url: field('url'),
    thumbnailUrl: field('thumbnail_url'),
    html: field('html'),
    width: fields['width'],
    height: fields['height'],
  };
}
