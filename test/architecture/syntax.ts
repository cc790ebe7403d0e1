import { parseSync, visitorKeys, type Node, type Program } from 'oxc-parser';

export type { Node };

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  /** All nodes in the order of the text. */
  readonly nodes: readonly Node[];
  readonly parentOf: (node: Node) => Node | undefined;
  readonly lineOf: (node: Node) => number;
  /** The code of a node with whitespace collapsed. */
  readonly textOf: (node: Node) => string;
}

const parsed = new Map<string, Source>();

/**
 * Parses a file. Throws if it has a syntax error. The tree has no parentheses. All tests of a worker share the trees: a
 * file is parsed once as long as its text is the same.
 */
export function parse(path: string, text: string): Source {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const source = buildTree(path, text);
  parsed.set(path, source);
  return source;
}

function buildTree(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const parents = new Map<Node, Node>();
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    for (const child of childrenOf(node)) {
      parents.set(child, node);
      visit(child);
    }
  };
  visit(program);
  return {
    path,
    text,
    program,
    nodes,
    parentOf: (node) => parents.get(node),
    textOf: (node) => text.slice(node.start, node.end).replaceAll(/\s+/g, ' '),
    lineOf: (node) => text.slice(0, node.start).split('\n').length,
  };
}

function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Record<string, unknown>;
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value = fields[key];
    return (Array.isArray(value) ? value : [value]).filter((child) => child !== null && child !== undefined) as Node[];
  });
}

/** Removes the syntax that the compiler removes: `x as T`, `x satisfies T`, `x!`, `<T>x`, `f<T>`. */
export function unwrap(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return unwrap(node.expression);
    default:
      return node;
  }
}

/** Returns the text of a literal without holes, undefined for anything else. */
export function literalText(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** Returns the name of a property: of `a.name` and of `a['name']`. */
export function propertyName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  if (!node.computed) return 'name' in node.property ? (node.property.name as string) : undefined;
  return literalText(unwrap(node.property));
}
