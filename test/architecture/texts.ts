import { Parser } from 'htmlparser2';
import { literalText, type Node, type Source } from './syntax.ts';

type Template = Node & { type: 'TemplateLiteral' };

/** Stands for a hole of a template; no letter. */
const hole = '\ufffc';

/** Every text of the server is a key of the catalogue. These have no translation. */
const untranslated = new Set(['UTC', '… UTC', 'allow-popups allow-popups-to-escape-sandbox allow-same-origin']);

const textAttributes = ['alt', 'aria-label', 'content', 'placeholder', 'title'];
const booleanAttributes = new Set(['checked', 'hidden', 'required', 'selected']);

/** Names of properties that pages and mails show. */
const shownProperties = new Set(['action', 'hint', 'label', 'subject', 'title']);

/** Returns the texts for people that a file of pages or mails contains, instead of keys. */
export function literalTexts(source: Source): { readonly line: number; readonly text: string }[] {
  const findings = source.nodes.flatMap((node) =>
    textsOf(source, node)
      .map((text) => text.replaceAll(hole, '…').trim())
      .filter((text) => /\p{L}/u.test(text) && !untranslated.has(text))
      .map((text) => ({ line: source.lineOf(node), text })),
  );
  return findings;
}

function textsOf(source: Source, node: Node): string[] {
  if (node.type === 'TemplateLiteral')
    return isHtmlTemplate(source.parentOf(node)) ? htmlTexts(templateText(node)) : prose(source, node);
  return node.type === 'Literal' && typeof node.value === 'string' ? prose(source, node) : [];
}

export const isHtmlTemplate = (node: Node | undefined): boolean =>
  node?.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'html';

export const templateText = ({ quasis }: Template): string => quasis.map(({ value }) => value.cooked ?? '').join(hole);

/** Returns the words of a fragment of HTML: its text and the attributes that are read aloud. */
function htmlTexts(fragment: string): string[] {
  if (!fragment.includes('<') && isAttributes(fragment)) return [];
  const texts: string[] = [];
  const parser = new Parser({
    ontext: (text) => texts.push(text),
    onopentag: (_name, attributes) => texts.push(...textAttributes.map((name) => attributes[name] ?? '')),
  });
  parser.end(fragment.replaceAll(/<meta [^>]*>/g, ''));
  return texts;
}

/** Whether a fragment is attributes for the tag of another template. */
const isAttributes = (fragment: string): boolean =>
  fragment
    .replaceAll(/[\w-]+="[^"]*"/g, '')
    .split(/[\s\ufffc]+/)
    .every((word) => word === '' || booleanAttributes.has(word));

/** Returns a string that is shown, or that has several words. */
function prose(source: Source, node: Node): string[] {
  const text = node.type === 'TemplateLiteral' ? templateText(node) : (literalText(node) ?? '');
  const parent = source.parentOf(node);
  if (parent === undefined || isForDevelopers(source, node)) return [];
  const property = parent.type === 'Property' && parent.value === node ? nameOf(parent.key) : '';
  const isShown = shownProperties.has(property) && text !== property;
  return (isShown && !isKey(text)) || (/\p{L}{2,} \p{L}{2,}/u.test(text) && !isKey(text)) ? [text] : [];
}

/** Keys, paths, and markup that another module writes. */
const isKey = (text: string): boolean => /^[a-z]+\.[\w.:]+$/i.test(text) || /^[/<]/.test(text.trim());
const nameOf = (key: Node): string => ('name' in key ? (key.name as string) : (literalText(key) ?? ''));

/** Calls of the log, of Kysely, and of functions that declare several routes. */
const developerCalls = /\.log\.\w+$|\.(?:where|selectFrom|innerJoin|select)$|Route$/;

/** Whether a string is part of the OpenAPI document, the log, an unexpected error, or a type. */
function isForDevelopers(source: Source, node: Node): boolean {
  for (let at = source.parentOf(node); at !== undefined; at = source.parentOf(at)) {
    if (at.type === 'Property' && /^(?:summary|description|content-security-policy)$/.test(nameOf(at.key))) return true;
    if (at.type === 'NewExpression' && at.callee.type === 'Identifier' && at.callee.name === 'Error') return true;
    if (at.type === 'CallExpression' && developerCalls.test(source.textOf(at.callee)))
      return at.arguments.includes(node as never);
    if (at.type === 'ImportDeclaration' || at.type.startsWith('TS')) return true;
    if (at.type === 'TaggedTemplateExpression' && source.textOf(at.tag).startsWith('sql')) return true;
  }
  return false;
}

/** The strings, property names and templates of all files, to find the keys that they use. */
export interface Usage {
  readonly words: ReadonlySet<string>;
  /** One pattern for each template that begins with the domain of a key; holes are groups. */
  readonly patterns: readonly RegExp[];
}

export function collectUsage(sources: Iterable<Source>): Usage {
  const words = new Set<string>();
  const patterns = new Map<string, RegExp>();
  for (const { nodes } of sources) {
    for (const node of nodes) {
      if (node.type === 'Literal' && node.value !== null) words.add(String(node.value));
      if (node.type === 'Property') words.add(nameOf(node.key));
      if (node.type !== 'TemplateLiteral') continue;
      const text = templateText(node);
      if (/^[a-z]+\./i.test(text) && text.includes(hole)) patterns.set(text, toPattern(text));
    }
  }
  return { words, patterns: [...patterns.values()] };
}

const toPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(hole)
      .map((part) => RegExp.escape(part))
      .join('(.+)')}$`,
  );

/** Whether a key is written out, or a template with known parts makes it. */
export const isUsed = ({ words, patterns }: Usage, key: string): boolean =>
  words.has(key) ||
  patterns.some(
    (pattern) =>
      pattern
        .exec(key)
        ?.slice(1)
        .every((part) => words.has(part)) === true,
  );
