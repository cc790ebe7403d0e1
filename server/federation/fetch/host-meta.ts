import { Parser } from 'htmlparser2';
import { parseJson } from '../../text/index.ts';
import { isObject, listOf } from '../documents/values.ts';

/** Accept header for `/.well-known/host-meta`: XRD, or the same as JSON (RFC 6415). */
export const hostMetaTypes = 'application/xrd+xml, application/xml, text/xml, application/json;q=0.9';

/** Maximum size of a host-meta document. */
export const maxHostMetaBytes = 65_536;

/**
 * Returns the WebFinger template of a host-meta document, XRD or JSON: a URL with `{uri}` in place of the resource.
 * Returns undefined if there is none. Rejects documents with a DTD, so that no entity can be defined.
 */
export function parseLrddTemplate(body: Buffer): string | undefined {
  const text = body.toString('utf8');
  const template = /^\s*\{/.test(text) ? parseJsonTemplate(text) : parseXmlTemplate(text);
  return template?.includes('{uri}') === true ? template : undefined;
}

function parseJsonTemplate(text: string): string | undefined {
  try {
    const value: unknown = parseJson(text);
    const links = isObject(value) ? listOf(value['links']).filter(isObject) : [];
    const template = links.find((link) => link['rel'] === 'lrdd' && isTemplate(link['template']))?.['template'];
    return template as string | undefined;
  } catch {
    return undefined;
  }
}

function parseXmlTemplate(text: string): string | undefined {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return undefined;
  let found: string | undefined;
  const parser = new Parser(
    {
      onopentag(name, { rel, template }) {
        if (name.split(':').at(-1) === 'Link' && rel === 'lrdd' && isTemplate(template)) found ??= template;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return found;
}

const isTemplate = (value: unknown): value is string => typeof value === 'string' && value.includes('{uri}');
