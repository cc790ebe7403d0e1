import { resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { parse, unwrap, type Node } from './syntax.ts';

type ObjectLiteral = Node & { type: 'ObjectExpression' };

/** TypeScript's errors for a member that the expected type does not have. */
const unknownMemberCodes = new Set([2353, 2561]);

/**
 * Returns the members that the type of an object does not have, in spreads of conditional parts: `...(x && { name })`.
 * TypeScript accepts any member there, so a renamed optional one would be lost without an error. Compiles the files with
 * these members written plainly.
 */
export function unknownConditionalMembers(texts: ReadonlyMap<string, string>): string[] {
  const plain = new Map<string, string>();
  for (const [path, text] of texts) {
    const rewritten = withPlainMembers(path, text);
    if (rewritten !== text) plain.set(resolve(path), rewritten);
  }
  const compiler = new API({
    cwd: process.cwd(),
    fs: { readFile: (path) => plain.get(path) },
  });
  try {
    const config = resolve('tsconfig.json');
    const program = compiler.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    if (program === undefined) throw new Error(`${config} does not open`);
    return [...plain.keys()].flatMap((path) => {
      const errors = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
      return errors
        .filter(({ code }) => code < 2_000 || unknownMemberCodes.has(code))
        .map(({ code, text }) => `${path.slice(process.cwd().length + 1)}: ${text} (TS${code})`);
    });
  } finally {
    compiler.close();
  }
}

/**
 * Writes the members of conditional parts plainly: `{ ...base, ...(x && { name: value }) }` becomes
 * `{ name: x ? value : undefined! }`, since TypeScript checks the members of objects without spreads only.
 */
export function withPlainMembers(path: string, text: string): string {
  const literals = parse(path, text).nodes.filter(
    (node): node is ObjectLiteral =>
      node.type === 'ObjectExpression' && node.properties.some((member) => conditionalParts(member).length > 0),
  );
  const write = (start: number, end: number): string => {
    let written = '';
    let at = start;
    for (const literal of literals) {
      if (literal.start < at || literal.end > end) continue;
      written += text.slice(at, literal.start) + writeLiteral(literal);
      at = literal.end;
    }
    return written + text.slice(at, end);
  };
  const writeNode = ({ start, end }: Node): string => write(start, end);
  const writeLiteral = ({ properties }: ObjectLiteral): string => {
    const members = new Map<string, string>();
    for (const property of properties) {
      if (property.type !== 'SpreadElement') members.set(textOf(property.key), writeNode(property));
      for (const { conditions, literal } of conditionalParts(property)) {
        const condition = conditions
          .map(({ test, negated }) => `${negated ? '!' : ''}(${writeNode(test)})`)
          .join(' && ');
        for (const member of literal.properties) {
          if (member.type !== 'Property' || member.method || member.computed) continue;
          const name = textOf(member.key);
          members.set(name, `${name}: ${condition} ? (${writeNode(member.value)}) : undefined!`);
        }
      }
    }
    return `{ ${[...members.values()].join(', ')} }`;
  };
  const textOf = ({ start, end }: Node): string => text.slice(start, end);
  return write(0, text.length);
}

interface Condition {
  readonly test: Node;
  readonly negated: boolean;
}

interface ConditionalPart {
  readonly conditions: readonly Condition[];
  readonly literal: ObjectLiteral;
}

/** Returns the object literals that a spread adds under a condition. */
function conditionalParts(member: Node): ConditionalPart[] {
  if (member.type !== 'SpreadElement') return [];
  return partsOf(member.argument, []).filter(({ conditions }) => conditions.length > 0);
}

function partsOf(expression: Node, conditions: readonly Condition[]): ConditionalPart[] {
  const node = unwrap(expression);
  switch (node.type) {
    case 'ObjectExpression':
      return [{ conditions, literal: node }];
    case 'LogicalExpression':
      if (node.operator !== '&&') return [];
      return partsOf(node.right, [...conditions, { test: node.left, negated: false }]);
    case 'ConditionalExpression':
      return [
        ...partsOf(node.consequent, [...conditions, { test: node.test, negated: false }]),
        ...partsOf(node.alternate, [...conditions, { test: node.test, negated: true }]),
      ];
    default:
      return [];
  }
}
