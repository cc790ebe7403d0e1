import { en } from './en/index.ts';
import { type Message, message, verbatim } from './message.ts';

/** A parameter of the API that texts name. */
export type FieldName = keyof typeof en.fields;

/** Returns the name of a parameter for people; without a text, one made of its name. */
export function fieldLabel(field: string): Message {
  if (Object.hasOwn(en.fields, field)) return message(`fields.${field as FieldName}`);
  return verbatim(field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' '));
}
