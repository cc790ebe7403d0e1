import { parseJson } from '../text/index.ts';

/** The structured data of a page (schema.org in JSON-LD). Missing texts are empty. */
export interface StructuredData {
  readonly isArticle: boolean;
  readonly headline: string;
  readonly description: string;
  readonly datePublished: string;
  readonly language: string;
  readonly authorName: string;
  readonly authorUrl: string;
  readonly publisherName: string;
}

const articleTypes = new Set(
  (
    'Article AdvertiserContentArticle NewsArticle AnalysisNewsArticle AskPublicNewsArticle BackgroundNewsArticle ' +
    'OpinionNewsArticle ReportageNewsArticle ReviewNewsArticle Report SatiricalArticle ScholarlyArticle ' +
    'MedicalScholarlyArticle SocialMediaPosting BlogPosting LiveBlogPosting DiscussionForumPosting TechArticle APIReference'
  ).split(' '),
);
const otherTypes = new Set(['WebPage', 'VideoObject', 'Recipe', 'Event', 'Book', 'Movie', 'PodcastEpisode', 'Product']);
const maxNodes = 200;
const maxAuthors = 5;

type Node = Readonly<Record<string, unknown>>;

/** Returns the first article in these texts, else the first other known type. Skips invalid JSON. */
export function parseJsonLd(texts: readonly string[]): StructuredData | undefined {
  const nodes = texts.flatMap((text) => flattenNodes(tryParseJson(text))).slice(0, maxNodes);
  const node =
    nodes.find((candidate) => hasType(candidate, articleTypes)) ??
    nodes.find((candidate) => hasType(candidate, otherTypes));
  if (node === undefined) return undefined;
  const authors = toArray(node['author']).slice(0, maxAuthors);
  return {
    isArticle: hasType(node, articleTypes),
    headline: firstString(node['headline']) || firstString(node['name']),
    description: firstString(node['description']),
    datePublished: firstString(node['datePublished']),
    language: nodeLanguage(node['inLanguage']),
    authorName: authors.map(nodeName).filter(Boolean).join(', '),
    authorUrl: firstString(firstNode(authors)?.['url']) || firstString(firstNode(authors)?.['sameAs']),
    publisherName: nodeName(toArray(node['publisher'])[0]),
  };
}

function tryParseJson(text: string): unknown {
  try {
    // Some pages wrap it in CDATA for XHTML.
    return parseJson(text.replace(/^\s*(?:\/\/)?<!\[CDATA\[|(?:\/\/)?\]\]>\s*$/g, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function flattenNodes(value: unknown): Node[] {
  return toArray(value)
    .filter(isNode)
    .flatMap((node) => [node, ...toArray(node['@graph']).filter(isNode)]);
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const toArray = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const firstNode = (values: readonly unknown[]): Node | undefined => values.find(isNode);

const hasType = (node: Node, types: ReadonlySet<string>): boolean =>
  toArray(node['@type']).some((type) => typeof type === 'string' && types.has(type));

function firstString(value: unknown): string {
  const text = toArray(value).find((item) => typeof item === 'string');
  return typeof text === 'string' ? text : '';
}

const nodeName = (value: unknown): string => (isNode(value) ? firstString(value['name']) : firstString(value));

function nodeLanguage(value: unknown): string {
  const node = firstNode(toArray(value));
  return firstString(value) || firstString(node?.['alternateName']) || firstString(node?.['name']);
}
