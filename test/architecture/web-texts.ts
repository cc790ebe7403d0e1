import { templateText } from './texts.ts';
import { literalText, unwrap, type Node, type Source } from './syntax.ts';

/** Functions and errors whose texts are shown to people as they are. */
const showing = /^(?:showError|showToast|confirm|describeError|ExplainedError|ApiError)$/;

const shownAttributes = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title']);

/** Returns the texts for people that a component contains, instead of keys of the catalogue. */
export function literalTextsOfJsx(source: Source): { readonly line: number; readonly text: string }[] {
  return source.nodes
    .flatMap((node) => textsOf(source, node).map((text) => ({ line: source.lineOf(node), text: text.trim() })))
    .filter(({ text }) => /\p{L}{2,}/u.test(text));
}

function textsOf(source: Source, node: Node): string[] {
  if (node.type === 'JSXText') return [node.value];
  if (node.type === 'JSXAttribute') {
    const isShown = node.name.type === 'JSXIdentifier' && shownAttributes.has(node.name.name);
    const text = node.value?.type === 'Literal' ? literalText(node.value) : undefined;
    return isShown && text !== undefined ? [text] : [];
  }
  const isChild = node.type === 'JSXExpressionContainer' && source.parentOf(node)?.type !== 'JSXAttribute';
  if (!isChild) return [];
  const { expression } = node;
  const parts =
    expression.type === 'ConditionalExpression' ? [expression.consequent, expression.alternate] : [expression];
  return parts.flatMap((part) => literalText(part) ?? []);
}

/**
 * Returns the texts for people in code: those of calls that show them, also by a constant of the file, and every string
 * that begins like a sentence.
 */
export function literalTextsOfCode(source: Source): { readonly line: number; readonly text: string }[] {
  const constants = new Map(
    source.nodes.flatMap((node) =>
      node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init
        ? [[node.id.name, node.init] as const]
        : [],
    ),
  );
  return source.nodes
    .flatMap((node) => {
      const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
      const shown =
        isCall && node.callee.type === 'Identifier' && showing.test(node.callee.name)
          ? node.arguments.flatMap((argument) => shownTexts(argument, constants))
          : [];
      const text = textOf(node);
      return [...shown, ...(text !== undefined && isSentence(text) ? [text] : [])].map((found) => ({
        line: source.lineOf(node),
        text: found.replaceAll('\ufffc', '…'),
      }));
    })
    .filter(({ text }) => /\p{L}{2,}/u.test(text));
}

const isSentence = (text: string): boolean => /^\p{Lu}[\p{L}'’]*,? \p{L}{2,}/u.test(text);

/** Returns the text of a string or template, with a sign for each hole. */
const textOf = (node: Node): string | undefined =>
  node.type === 'TemplateLiteral' ? templateText(node) : literalText(node);

/** Returns the texts that an argument can be, without those of the keys of `t`. */
function shownTexts(argument: Node, constants: ReadonlyMap<string, Node>): string[] {
  const node = unwrap(argument);
  switch (node.type) {
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap((part) => shownTexts(part, constants));
    case 'LogicalExpression':
    case 'BinaryExpression':
      return [node.left, node.right].flatMap((part) => shownTexts(part as Node, constants));
    case 'ObjectExpression':
      return node.properties.flatMap((property) =>
        property.type === 'Property' && !('name' in property.key && property.key.name === 'kind')
          ? shownTexts(property.value, constants)
          : [],
      );
    case 'Identifier': {
      const value = constants.get(node.name);
      return value === undefined || value.type === 'Identifier' ? [] : shownTexts(value, constants);
    }
    default:
      return [textOf(node) ?? []].flat();
  }
}
