import { parseJson } from '../text/index.ts';

/** What a page says of itself as structured data (schema.org in JSON-LD); empty texts where it says nothing. */
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

const articles = new Set(
  (
    'Article AdvertiserContentArticle NewsArticle AnalysisNewsArticle AskPublicNewsArticle BackgroundNewsArticle ' +
    'OpinionNewsArticle ReportageNewsArticle ReviewNewsArticle Report SatiricalArticle ScholarlyArticle ' +
    'MedicalScholarlyArticle SocialMediaPosting BlogPosting LiveBlogPosting DiscussionForumPosting TechArticle APIReference'
  ).split(' '),
);
const others = new Set(['WebPage', 'VideoObject', 'Recipe', 'Event', 'Book', 'Movie', 'PodcastEpisode', 'Product']);
const mostNodes = 200;
const mostAuthors = 5;

type Node = Readonly<Record<string, unknown>>;

/** The first description of an article in these texts, else of another thing that has a page; what is no JSON is skipped. */
export function readJsonLd(texts: readonly string[]): StructuredData | undefined {
  const nodes = texts.flatMap((text) => nodesOf(parse(text))).slice(0, mostNodes);
  const node =
    nodes.find((candidate) => isOf(candidate, articles)) ?? nodes.find((candidate) => isOf(candidate, others));
  if (node === undefined) return undefined;
  const authors = list(node['author']).slice(0, mostAuthors);
  return {
    isArticle: isOf(node, articles),
    headline: textOf(node['headline']) || textOf(node['name']),
    description: textOf(node['description']),
    datePublished: textOf(node['datePublished']),
    language: languageOf(node['inLanguage']),
    authorName: authors.map(nameOf).filter(Boolean).join(', '),
    authorUrl: textOf(first(authors)?.['url']) || textOf(first(authors)?.['sameAs']),
    publisherName: nameOf(list(node['publisher'])[0]),
  };
}

function parse(text: string): unknown {
  try {
    // Some pages wrap it for readers of XHTML.
    return parseJson(text.replace(/^\s*(?:\/\/)?<!\[CDATA\[|(?:\/\/)?\]\]>\s*$/g, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function nodesOf(value: unknown): Node[] {
  return list(value)
    .filter(isNode)
    .flatMap((node) => [node, ...list(node['@graph']).filter(isNode)]);
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const first = (values: readonly unknown[]): Node | undefined => values.find(isNode);

const isOf = (node: Node, types: ReadonlySet<string>): boolean =>
  list(node['@type']).some((type) => typeof type === 'string' && types.has(type));

function textOf(value: unknown): string {
  const text = list(value).find((item) => typeof item === 'string');
  return typeof text === 'string' ? text : '';
}

const nameOf = (value: unknown): string => (isNode(value) ? textOf(value['name']) : textOf(value));

function languageOf(value: unknown): string {
  const node = first(list(value));
  return textOf(value) || textOf(node?.['alternateName']) || textOf(node?.['name']);
}
