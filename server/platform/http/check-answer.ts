import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { Answer, JsonText } from './answers.ts';

/** Compares answers with the schema that the contract promises: a difference is a bug, and fails the request. */
export function answerCheck(name: string, schema: TSchema): (answer: unknown) => Promise<void> {
  let compiled: Validator | undefined;
  return async (answer) => {
    let value = answer;
    if (answer instanceof Answer) {
      if (answer.status !== 200 || answer.json === undefined) return;
      value = answer.json;
    }
    compiled ??= (await import('typebox/compile')).Compile(schema);
    const plain: unknown = JSON.parse(value instanceof JsonText ? value.text : JSON.stringify(value));
    if (compiled.Check(plain)) return;
    const [first] = compiled.Errors(plain);
    throw new Error(`${name} answers what its schema does not say: ${first?.instancePath} ${first?.message}`);
  };
}
