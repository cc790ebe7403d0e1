import { readFileSync } from 'node:fs';
import type { Client, TestResponse } from './client.ts';
import { form } from './client.ts';

/** Returns the curl commands in the `sh` blocks of a document, in order. */
export function curlCommandsOf(document: string): string[] {
  const blocks = readFileSync(document, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, block = '']) => block.split('\n').filter((line) => line.startsWith('curl ')));
}

/** Sends the request of a curl command to a test server, with the values of its shell variables. */
export async function runCurl(
  client: Client,
  command: string,
  variables: Readonly<Record<string, string>>,
): Promise<TestResponse> {
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let method: string | undefined;
  let url = '';
  const words = splitWords(command, variables).values();
  words.next();
  for (const word of words) {
    if (word === '-X') method = words.next().value;
    else if (word === '-d') data.push(words.next().value ?? '');
    else if (word === '-H') addHeader(headers, words.next().value ?? '');
    else if (/^https?:/.test(word)) url = word;
    else throw new Error(`runCurl does not know ${word}`);
  }
  const isJson = headers['content-type'] === 'application/json';
  const body = data.length === 0 ? undefined : isJson ? (JSON.parse(data.join('&')) as object) : form(data.join('&'));
  const verb = (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET' | 'POST' | 'PUT' | 'DELETE';
  return client.call(verb, url, body, { headers });
}

function addHeader(headers: Record<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
  headers[name.toLowerCase()] = value;
}

/** Splits a command as a shell does, as far as the documents need it: quotes and variables. */
function splitWords(command: string, variables: Readonly<Record<string, string>>): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g) ?? [];
  const expand = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_match, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`the document uses $${name}, which the test does not set`);
      return value;
    });
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_part, literal?: string, quoted?: string, plain?: string) =>
      literal === undefined ? expand(quoted ?? plain ?? '') : literal,
    ),
  );
}
