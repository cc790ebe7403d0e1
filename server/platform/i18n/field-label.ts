import { isMessageKey, type MessageKey } from './catalogue.ts';
import { type Message, toMessage, verbatim } from './message.ts';

type NameOf<Key> = Key extends `fields.${infer Name}` ? Name : never;

/** A parameter of the API that texts name. */
export type FieldName = NameOf<MessageKey>;

/** Returns the name of a parameter for people; without a text, one made of its name. */
export function fieldLabel(field: string): Message {
  const key = `fields.${field}`;
  if (isMessageKey(key)) return toMessage(key);
  return verbatim(field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' '));
}
