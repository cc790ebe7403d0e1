import { Parser } from 'htmlparser2';

/** What the head of a page says, as it stands there: entities decoded, nothing checked. */
export interface Markup {
  /** Content of `meta` elements by property or name in lower case; the first of each. */
  readonly meta: ReadonlyMap<string, string>;
  readonly title: string;
  /** Of the `html` element. */
  readonly language: string;
  /** Address of the JSON oEmbed document; may be relative. */
  readonly oembed: string;
  /** Texts of JSON-LD. */
  readonly jsonLd: readonly string[];
}

/** Characters of a page that are looked at. */
const maxMarkupLength = 1_048_576;
/** The parser is asked between pieces of this size whether it has seen enough. */
const chunkLength = 16_384;
const maxValueLength = 20_000;
const maxMetaElements = 400;
const maxJsonLdLength = 262_144;
const maxJsonLdScripts = 10;
/** The parser's time grows with the square of the depth. */
const maxDepth = 400;
/** Pieces that are read of the body, where pages with broken heads go on. */
const maxBodyChunks = 8;

/** Reads a page until its head is over, or at most a megabyte of it; whatever is wrong with it, it ends soon. */
export function parseMarkup(html: string): Markup {
  const reader = new MarkupParser();
  for (let from = 0; from < Math.min(html.length, maxMarkupLength) && !reader.done; from += chunkLength) {
    reader.write(html.slice(from, Math.min(from + chunkLength, maxMarkupLength)));
  }
  return reader.markup();
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
  /** What the text now goes to. */
  #into: TextTarget | undefined;
  #text = '';
  #piecesOfBody: number | undefined;

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => {
        if (this.#into !== undefined && this.#text.length < maxJsonLdLength) this.#text += text;
      },
      onclosetag: (name) => this.#close(name),
    });
  }

  get done(): boolean {
    if (this.#depth > maxDepth || this.#meta.size >= maxMetaElements) return true;
    return this.#piecesOfBody !== undefined && this.#piecesOfBody >= maxBodyChunks;
  }

  write(text: string): void {
    this.#parser.write(text);
    if (this.#piecesOfBody !== undefined) this.#piecesOfBody += 1;
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
        this.#piecesOfBody ??= 0;
        break;
      case 'meta':
        this.#readMeta(attributes);
        break;
      case 'link':
        if (isJsonOembed(attributes)) this.#oembed ||= attributes['href'] ?? '';
        break;
      case 'title':
        // Drawings in a page have titles too, but later.
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
    if (this.#into === 'title' && name === 'title') this.#title = this.#text.slice(0, maxValueLength);
    else if (this.#into === 'jsonLd' && name === 'script') {
      if (this.#jsonLd.length < maxJsonLdScripts) this.#jsonLd.push(this.#text);
    } else return;
    this.#into = undefined;
  }

  #collect(into: TextTarget): void {
    this.#into = into;
    this.#text = '';
  }

  #readMeta({ property, name, content = '' }: Record<string, string>): void {
    for (const key of (property ?? name ?? '').toLowerCase().split(/\s+/)) {
      if (key !== '' && content.trim() !== '' && !this.#meta.has(key)) {
        this.#meta.set(key, content.slice(0, maxValueLength));
      }
    }
  }
}

const isJsonOembed = ({ rel = '', type = '' }: Record<string, string>): boolean =>
  rel.toLowerCase().split(/\s+/).includes('alternate') && /^(?:application|text)\/json\+oembed$/i.test(type.trim());
