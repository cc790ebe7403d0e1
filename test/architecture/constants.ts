import { hole } from './sql-text.ts';
import { propertyName, unwrap, type Node, type Source } from './syntax.ts';

/** A possible value of an expression at run time, as far as one file shows it. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  /** Part of a statement. */
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly (readonly Value[])[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, readonly Value[]> };

/** An expression with more possible values is treated as unknown. */
const maxValues = 64;

export interface Constants {
  /** Returns all possible values of an expression, or undefined if the file does not show them. */
  readonly valuesOf: (node: Node) => readonly Value[] | undefined;
  /** Returns the possible texts of an expression, or undefined if a value is unknown or not a text. */
  readonly textsOf: (node: Node) => readonly string[] | undefined;
  /** Returns the statement of a tagged template, with a hole for each unknown part. */
  readonly statementsOf: (node: Node & { type: 'TemplateLiteral' }) => readonly string[];
}

const text = (value: string): Value => ({ kind: 'text', text: value });

/** Resolves constants, parameters with literal types and parts of statements within one file. */
export function constantsOf(source: Source): Constants {
  const active = new Set<Node>();

  const valuesOf = (node: Node): readonly Value[] | undefined => {
    if (active.has(node)) return undefined;
    active.add(node);
    try {
      const values = evaluate(unwrap(node));
      return values === undefined || values.length > maxValues ? undefined : values;
    } finally {
      active.delete(node);
    }
  };

  const textsOf = (node: Node): readonly string[] | undefined => {
    const values = valuesOf(node);
    if (values === undefined) return undefined;
    const texts = values.flatMap((value) => (value.kind === 'text' ? [value.text] : []));
    return texts.length === values.length ? texts : undefined;
  };

  const evaluate = (node: Node): readonly Value[] | undefined => {
    switch (node.type) {
      case 'Literal':
        return [text(String(node.value))];
      case 'TemplateLiteral':
        return join(node, (part) => textsOf(part));
      case 'TaggedTemplateExpression':
        return isRawText(node)
          ? join(node.quasi, (part) => textsOf(part))
          : statementsOf(node.quasi).map((statement) => ({ kind: 'sql', text: statement }));
      case 'BinaryExpression':
        return node.operator === '+' ? combine(textsOf(node.left), textsOf(node.right)) : undefined;
      case 'ConditionalExpression':
        return both(valuesOf(node.consequent), valuesOf(node.alternate));
      case 'LogicalExpression':
        return both(valuesOf(node.left), valuesOf(node.right));
      case 'SequenceExpression': {
        const last = node.expressions.at(-1);
        return last && valuesOf(last);
      }
      case 'ArrayExpression': {
        const items = node.elements.map((element) =>
          element === null || element.type === 'SpreadElement' ? undefined : valuesOf(element),
        );
        return items.includes(undefined) ? undefined : [{ kind: 'list', items: items as (readonly Value[])[] }];
      }
      case 'ObjectExpression':
        return objectOf(node);
      case 'MemberExpression':
        return memberOf(node);
      case 'Identifier':
        return bindingOf(node);
      case 'CallExpression':
        return callOf(node);
      default:
        return undefined;
    }
  };

  const join = (
    node: Node & { type: 'TemplateLiteral' },
    partsOf: (part: Node) => readonly string[] | undefined,
  ): readonly Value[] | undefined => {
    let texts: readonly string[] = [node.quasis[0]?.value.cooked ?? ''];
    for (const [at, expression] of node.expressions.entries()) {
      const parts = partsOf(expression);
      if (parts === undefined || parts.length * texts.length > maxValues) return undefined;
      const after = node.quasis[at + 1]?.value.cooked ?? '';
      texts = texts.flatMap((before) => parts.map((part) => before + part + after));
    }
    return texts.map(text);
  };

  const statementsOf = (node: Node & { type: 'TemplateLiteral' }): readonly string[] => {
    let count = 1;
    const partsOf = (part: Node): readonly string[] => {
      const values = valuesOf(part);
      const unknown = hole(source.textOf(part));
      if (values === undefined) return [unknown];
      // A text is a parameter of the statement, not a part of its SQL.
      const parts = [...new Set(values.map((value) => (value.kind === 'sql' ? value.text : unknown)))];
      if (count * parts.length > maxValues) return [unknown];
      count *= parts.length;
      return parts;
    };
    return (join(node, partsOf) ?? []).flatMap((value) => (value.kind === 'text' ? [value.text] : []));
  };

  const objectOf = (node: Node & { type: 'ObjectExpression' }): readonly Value[] | undefined => {
    const fields = new Map<string, readonly Value[]>();
    for (const property of node.properties) {
      if (property.type !== 'Property') return undefined;
      const key = !property.computed && 'name' in property.key ? [property.key.name as string] : textsOf(property.key);
      if (key?.length !== 1) return undefined;
      const values = valuesOf(property.value);
      if (values !== undefined) fields.set(key[0] ?? '', values);
    }
    return [{ kind: 'object', fields }];
  };

  const memberOf = (node: Node & { type: 'MemberExpression' }): readonly Value[] | undefined => {
    const objects = valuesOf(node.object);
    const key = propertyName(node);
    return all(objects, (object) => {
      if (object.kind === 'list') return node.computed ? object.items.flat() : undefined;
      if (object.kind !== 'object') return undefined;
      return key === undefined ? [...object.fields.values()].flat() : object.fields.get(key);
    });
  };

  /**
   * Calls that build parts of statements: sql.table('x'), sql.ref('x.y'), sql.id('x', 'y'), sql.raw('…'),
   * sql.join([…]).
   */
  const callOf = (node: Node & { type: 'CallExpression' }): readonly Value[] | undefined => {
    const callee = unwrap(node.callee);
    const name = propertyName(callee);
    if (name === 'join' && callee.type === 'MemberExpression') return joined(callee.object, node.arguments[0]);
    if (name === undefined || !['table', 'ref', 'id', 'raw'].includes(name)) return undefined;
    let texts: readonly string[] | undefined = [''];
    for (const [at, argument] of node.arguments.entries()) {
      const parts: readonly string[] | undefined = argument.type === 'SpreadElement' ? undefined : textsOf(argument);
      const before: readonly string[] | undefined = texts;
      texts = before && parts?.flatMap((part) => before.map((start) => (at === 0 ? part : `${start}.${part}`)));
    }
    return texts?.map((part) => ({ kind: 'sql', text: name === 'raw' ? part : part.replace(/ as \w+$/, '') }));
  };

  /** `['a', 'b'].join(' ')` */
  const joined = (list: Node, separator: Node | undefined): readonly Value[] | undefined => {
    const lists = valuesOf(list);
    const between = separator === undefined ? [','] : textsOf(separator);
    return all(lists, (value) => {
      if (value.kind !== 'list' || between === undefined) return undefined;
      const items = value.items.map(([item]) => (item?.kind === 'text' ? item.text : undefined));
      const isKnown = !items.includes(undefined) && value.items.every((item) => item.length === 1);
      return isKnown ? between.map((part) => text(items.join(part))) : undefined;
    });
  };

  /** The values of a name where it is used: a constant, a parameter with a literal type, or a loop variable. */
  const bindingOf = (node: Node & { type: 'Identifier' }): readonly Value[] | undefined => {
    for (let scope = source.parentOf(node); scope !== undefined; scope = source.parentOf(scope)) {
      for (const { pattern, values } of declarationsIn(scope)) {
        const found = namesIn(pattern, node.name);
        if (found !== undefined) return found(values);
      }
    }
    return undefined;
  };

  interface Declared {
    readonly pattern: Node;
    readonly values: () => readonly Value[] | undefined;
  }

  const declarationsIn = (scope: Node): Declared[] => {
    switch (scope.type) {
      case 'Program':
      case 'BlockStatement':
      case 'StaticBlock':
        return scope.body.flatMap((statement) => declaredBy(statement as Node));
      case 'SwitchCase':
        return scope.consequent.flatMap((statement) => declaredBy(statement));
      case 'ForStatement':
        return scope.init === null ? [] : declaredBy(scope.init);
      case 'ForOfStatement':
      case 'ForInStatement': {
        const [declarator] = scope.left.type === 'VariableDeclaration' ? scope.left.declarations : [];
        if (declarator === undefined) return [];
        const isConstant = scope.type === 'ForOfStatement';
        const items = () =>
          all(valuesOf(scope.right), (list) => (list.kind === 'list' ? list.items.flat() : undefined));
        return [{ pattern: declarator.id, values: isConstant ? items : () => undefined }];
      }
      case 'CatchClause':
        return scope.param === null ? [] : [{ pattern: scope.param, values: () => undefined }];
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return scope.params.map((parameter) => ({
          pattern: parameter,
          values: () => typeValues(annotationOf(parameter)),
        }));
      default:
        return [];
    }
  };

  const declaredBy = (statement: Node): Declared[] => {
    if (statement.type === 'ExportNamedDeclaration')
      return statement.declaration ? declaredBy(statement.declaration) : [];
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') {
      return statement.id ? [{ pattern: statement.id, values: () => undefined }] : [];
    }
    if (statement.type === 'ImportDeclaration') {
      return statement.specifiers.map(({ local }) => ({ pattern: local, values: () => undefined }));
    }
    if (statement.type !== 'VariableDeclaration') return [];
    return statement.declarations.map(({ id, init }) => ({
      pattern: id,
      values: () => (statement.kind === 'const' && init !== null ? valuesOf(init) : undefined),
    }));
  };

  /** Returns how to get the values of a name from the values of the pattern that declares it, or undefined. */
  const namesIn = (
    pattern: Node,
    name: string,
  ): ((values: () => readonly Value[] | undefined) => readonly Value[] | undefined) | undefined => {
    switch (pattern.type) {
      case 'Identifier':
        return pattern.name === name ? (values) => values() : undefined;
      case 'AssignmentPattern': {
        const inner = namesIn(pattern.left, name);
        return (
          inner &&
          ((values) =>
            both(
              inner(values),
              inner(() => valuesOf(pattern.right)),
            ))
        );
      }
      case 'RestElement':
        return namesIn(pattern.argument, name) && (() => undefined);
      case 'ArrayPattern':
        for (const [at, element] of pattern.elements.entries()) {
          const inner = element === null ? undefined : namesIn(element, name);
          if (inner === undefined) continue;
          return (values) => inner(() => all(values(), (list) => (list.kind === 'list' ? list.items[at] : undefined)));
        }
        return undefined;
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          const inner = namesIn(property.type === 'Property' ? property.value : property, name);
          if (inner === undefined) continue;
          if (property.type !== 'Property' || property.computed || !('name' in property.key)) return () => undefined;
          const key = property.key.name as string;
          return (values) =>
            inner(() => all(values(), (object) => (object.kind === 'object' ? object.fields.get(key) : undefined)));
        }
        return undefined;
      default:
        return undefined;
    }
  };

  /** The values that a type allows if it consists of literals. */
  const typeValues = (type: Node | undefined): readonly Value[] | undefined => {
    switch (type?.type) {
      case 'TSLiteralType':
        return valuesOf(type.literal);
      case 'TSUnionType':
        return type.types.map(typeValues).reduce((left, right) => both(left, right), [] as readonly Value[]);
      case 'TSTypeLiteral':
        return [{ kind: 'object', fields: fieldsOf(type.members) }];
      case 'TSTypeReference': {
        const name = type.typeName.type === 'Identifier' ? type.typeName.name : undefined;
        for (const statement of source.program.body) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          if (declaration?.type === 'TSTypeAliasDeclaration' && declaration.id.name === name) {
            return typeValues(declaration.typeAnnotation);
          }
          if (declaration?.type === 'TSInterfaceDeclaration' && declaration.id.name === name) {
            return [{ kind: 'object', fields: fieldsOf(declaration.body.body) }];
          }
        }
        return undefined;
      }
      default:
        return undefined;
    }
  };

  const fieldsOf = (members: readonly Node[]): ReadonlyMap<string, readonly Value[]> => {
    const fields = new Map<string, readonly Value[]>();
    for (const member of members) {
      if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier') continue;
      const values = typeValues(member.typeAnnotation?.typeAnnotation);
      if (values !== undefined) fields.set(member.key.name, values);
    }
    return fields;
  };

  return { valuesOf, textsOf, statementsOf };
}

/** String.raw creates a text; every other tag creates a part of a statement. */
export function isRawText(node: Node & { type: 'TaggedTemplateExpression' }): boolean {
  return (
    node.tag.type === 'MemberExpression' && node.tag.object.type === 'Identifier' && node.tag.object.name === 'String'
  );
}

function annotationOf(parameter: Node): Node | undefined {
  const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
  return 'typeAnnotation' in target && target.typeAnnotation?.type === 'TSTypeAnnotation'
    ? target.typeAnnotation.typeAnnotation
    : undefined;
}

const both = (left: readonly Value[] | undefined, right: readonly Value[] | undefined): readonly Value[] | undefined =>
  left && right && [...left, ...right];

const combine = (
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): readonly Value[] | undefined => left && right && left.flatMap((start) => right.map((end) => text(start + end)));

function all(
  values: readonly Value[] | undefined,
  pick: (value: Value) => readonly Value[] | undefined,
): readonly Value[] | undefined {
  return values?.map(pick).reduce((left, right) => both(left, right), [] as readonly Value[]);
}
