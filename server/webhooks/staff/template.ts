import { message, type Message } from '../../platform/i18n/message.ts';
import { exceedsLimit } from '../../text/index.ts';

/** `{{object.account.id}}` or `{{object.roles.0.name}}`, as in Mastodon. */
const variable = /\{\{([a-z_]+(?:\.(?:[a-z_]+|\d+))*)\}\}/g;
/** Characters. */
const maxLength = 5_000;
/** Bounds the body, because each variable may be the whole event. */
const maxVariables = 50;

/** Returns what is wrong with a template; undefined if it is valid. */
export function findTemplateProblem(template: string): Message | undefined {
  if (exceedsLimit(template, maxLength)) return message('problems.tooLong', { max: maxLength });
  if ([...template.matchAll(variable)].length > maxVariables)
    return message('webhooks.tooManyVariables', { max: maxVariables });
  const unknown = /\{\{.{0,50}/s.exec(template.replaceAll(variable, ''));
  return unknown === null ? undefined : message('webhooks.badTemplate', { text: unknown[0] });
}

/**
 * Returns a template with its variables replaced by values of a document, as JSON. Texts have no quotes around them, so
 * that a variable can be part of a JSON string; unknown variables become null.
 */
export const renderTemplate = (template: string, document: unknown): string =>
  template.replaceAll(variable, (_, path: string) => {
    const value = path.split('.').reduce<unknown>(findMember, document);
    const json = JSON.stringify(value ?? null);
    return typeof value === 'string' ? json.slice(1, -1) : json;
  });

function findMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
