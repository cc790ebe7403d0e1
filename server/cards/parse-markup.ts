import { Parser } from 'htmlparser2';

/** The head of a page, with decoded entities, not validated. */
export interface Markup {
  /** The first content of each `meta` element by property or name, in lower case. */
  readonly meta: ReadonlyMap<string, string>;
  readonly title: string;
  /** The language of the `html` element. */
  readonly language: string;
  /** URL of the JSON oEmbed document; may be relative. */
  readonly oembed: string;
  /** The JSON-LD scripts. */
  readonly jsonLd: readonly string[];
}

/** Characters of a page that are parsed. */
const maxMarkupLength = 1_048_576;
/** After each chunk the parser may stop early. */
const chunkLength = 16_384;
const maxValueLength = 20_000;
const maxMetaElements = 400;
const maxJsonLdLength = 262_144;
const maxJsonLdScripts = 10;
/** The parser's time is quadratic in the depth. */
const maxDepth = 400;
/** Chunks of the body that are parsed, because broken heads continue there. */
const maxBodyChunks = 8;

/** Parses a page to the end of its head, at most a megabyte. Takes bounded time for any input. */
export function parseMarkup(html: string): Markup {
  const parser = new MarkupParser();
  for (let from = 0; from < Math.min(html.length, maxMarkupLength) && !parser.done; from += chunkLength) {
    parser.write(html.slice(from, Math.min(from + chunkLength, maxMarkupLength)));
  }
  return parser.markup();
}

type TextTarget = 'title' | 'jsonLd';

class MarkupParser {
  readonly #meta = new Map<string, string>();
  readonly #jsonLd: string[] = [];
  readonly #parser: Parser;
  #title: string | undefined;
  #language = '';
  #oembed = '';
  #depth = 0;
  /** The field that receives the text. */
  #target: TextTarget | undefined;
  #text = '';
  #bodyChunkCount: number | undefined;

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => {
        if (this.#target !== undefined && this.#text.length < maxJsonLdLength) this.#text += text;
      },
      onclosetag: (name) => this.#close(name),
    });
  }

  get done(): boolean {
    if (this.#depth > maxDepth || this.#meta.size >= maxMetaElements) return true;
    return this.#bodyChunkCount !== undefined && this.#bodyChunkCount >= maxBodyChunks;
  }

  write(text: string): void {
    this.#parser.write(text);
    if (this.#bodyChunkCount !== undefined) this.#bodyChunkCount += 1;
  }

  markup(): Markup {
    return {
      meta: this.#meta,
      title: this.#title ?? '',
      language: this.#language,
      oembed: this.#oembed,
      jsonLd: this.#jsonLd,
    };
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    switch (name) {
      case 'html':
        this.#language ||= attributes['lang'] ?? '';
        break;
      case 'body':
        this.#bodyChunkCount ??= 0;
        break;
      case 'meta':
        this.#addMeta(attributes);
        break;
      case 'link':
        if (isJsonOembed(attributes)) this.#oembed ||= attributes['href'] ?? '';
        break;
      case 'title':
        // SVG elements have titles too, but later.
        if (this.#title === undefined) this.#collect('title');
        break;
      case 'script':
        if (/^application\/ld\+json\b/i.test(attributes['type']?.trim() ?? '')) this.#collect('jsonLd');
        break;
      default:
    }
  }

  #close(name: string): void {
    this.#depth -= 1;
    if (this.#target === 'title' && name === 'title') this.#title = this.#text.slice(0, maxValueLength);
    else if (this.#target === 'jsonLd' && name === 'script') {
      if (this.#jsonLd.length < maxJsonLdScripts) this.#jsonLd.push(this.#text);
    } else return;
    this.#target = undefined;
  }

  #collect(target: TextTarget): void {
    this.#target = target;
    this.#text = '';
  }

  #addMeta({ property, name, content = '' }: Record<string, string>): void {
    for (const key of (property ?? name ?? '').toLowerCase().split(/\s+/)) {
      if (key !== '' && content.trim() !== '' && !this.#meta.has(key)) {
        this.#meta.set(key, content.slice(0, maxValueLength));
      }
    }
  }
}

const isJsonOembed = ({ rel = '', type = '' }: Record<string, string>): boolean =>
  rel.toLowerCase().split(/\s+/).includes('alternate') && /^(?:application|text)\/json\+oembed$/i.test(type.trim());
