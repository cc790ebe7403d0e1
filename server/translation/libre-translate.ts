import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { App } from '../platform/app.ts';
import { requestService, serviceFailure, undetermined, type TranslationBackend } from './service.ts';

const errorStatuses = { rateLimited: 429, quotaExceeded: 403 };

const Languages = Type.Array(Type.Object({ code: Type.String(), targets: Type.Optional(Type.Array(Type.String())) }));
const DetectedLanguage = Type.Object({ language: Type.String() });
const TranslateResponse = Type.Object({
  translatedText: Type.Array(Type.String()),
  detectedLanguage: Type.Optional(Type.Union([DetectedLanguage, Type.Array(DetectedLanguage)])),
});

/** Codes of the service that differ from the common ones. */
const codeAliases: readonly (readonly [code: string, common: string])[] = [
  ['zt', 'zh-TW'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hans', 'zh'],
  ['pb', 'pt-BR'],
  ['nb', 'no'],
];
const normalizeCode = (code: string): string => codeAliases.find(([alias]) => alias === code)?.[1] ?? code;

/** Creates a client for a server with the API of LibreTranslate. */
export function libreTranslate(
  app: App,
  { address, key }: { address: string; key: string | undefined },
): TranslationBackend {
  const base = address.replace(/\/$/, '');
  // Codes of the service by common code, from its latest list of languages.
  let names = new Map<string, string>();

  const languages = async () => {
    const list = await requestService(app, `${base}/languages`, { refusals: errorStatuses });
    if (!Value.Check(Languages, list)) throw serviceFailure(app, 'invalid list of languages');
    names = new Map(list.map(({ code }) => [normalizeCode(code), code]));
    const all = [...names.keys()];
    const pairs = new Map<string, string[]>();
    for (const { code, targets } of list) {
      pairs.set(
        normalizeCode(code),
        (targets?.map(normalizeCode) ?? all).filter((target) => target !== normalizeCode(code)),
      );
    }
    pairs.set(undetermined, [...new Set([...pairs.values()].flat())]);
    return pairs;
  };

  return {
    provider: 'LibreTranslate',
    languages,
    async translate(texts, source, target) {
      if (names.size === 0) await languages();
      const serviceCode = (code: string): string => names.get(code) ?? code;
      const answer = await requestService(app, `${base}/translate`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          q: texts,
          source: source === null ? 'auto' : serviceCode(source),
          target: serviceCode(target),
          format: 'html',
          ...(key !== undefined && { api_key: key }),
        }),
        refusals: errorStatuses,
      });
      if (!Value.Check(TranslateResponse, answer)) throw serviceFailure(app, 'invalid translation');
      if (answer.translatedText.length !== texts.length) throw serviceFailure(app, 'wrong number of translated texts');
      const detected = [answer.detectedLanguage ?? []].flat()[0]?.language;
      return { texts: answer.translatedText, source: source ?? normalizeCode(detected ?? undetermined) };
    },
  };
}
