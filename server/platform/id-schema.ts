// Apart from ids.ts, so that commands that use ids do not load TypeBox, which has hundreds of modules.
import { Type, type TUnsafe } from 'typebox';
import type { Id } from './ids.ts';

/**
 * Schema of an identifier in requests and responses. The parameter parser answers 404 to a value that is not a 64-bit
 * integer (PAG-01).
 */
export function idSchema<Owner extends string>(): TUnsafe<Id<Owner>> {
  return Type.Unsafe<Id<Owner>>({ type: 'string', pattern: '^-?[0-9]{1,19}$', 'x-id': true });
}

/**
 * Schema of an identifier that a list is filtered by. One that is not a 64-bit integer is of nothing, as an unknown one: the
 * list is empty, as in Mastodon.
 */
export function filterIdSchema<Owner extends string>(): TUnsafe<Id<Owner>> {
  return Type.Unsafe<Id<Owner>>({ type: 'string', 'x-id': 'filter' });
}

/**
 * Schema of an identifier that the use case checks, because an unknown one is not answered with 404. A blank one counts
 * as absent.
 */
export function uncheckedIdSchema(options: { description?: string } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ ...options, type: 'string', 'x-id': 'unchecked' });
}
