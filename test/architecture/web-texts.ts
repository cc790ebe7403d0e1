import { literalText, type Node, type Source } from './syntax.ts';

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
