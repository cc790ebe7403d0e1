import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { App } from '../platform/app.ts';
import { requestService, serviceFailure, undetermined, type TranslationBackend } from './service.ts';

const errorStatuses = { rateLimited: 429, quotaExceeded: 456 };

const Languages = Type.Array(Type.Object({ language: Type.String() }));
const TranslateResponse = Type.Object({
  translations: Type.Array(Type.Object({ detected_source_language: Type.String(), text: Type.String() })),
});

/** Codes of targets for which DeepL requires a region or script. */
const targetCodes: Readonly<Record<string, string>> = {
  en: 'EN-US',
  pt: 'PT-PT',
  'zh-CN': 'ZH-HANS',
  'zh-TW': 'ZH-HANT',
  no: 'NB',
};
const normalizedCodes: Readonly<Record<string, string>> = { NB: 'no', 'ZH-HANS': 'zh-CN', 'ZH-HANT': 'zh-TW' };

/** Returns `EN` as `en`, `PT-BR` as `pt-BR`. */
function normalizeCode(code: string): string {
  const [language = '', region] = code.toUpperCase().split('-');
  return normalizedCodes[code.toUpperCase()] ?? language.toLowerCase() + (region === undefined ? '' : `-${region}`);
}

/** Creates a client for DeepL, free or paid depending on the key. */
export function deepl(app: App, { address, key }: { address: string | undefined; key: string }): TranslationBackend {
  // Keys of the free plan have this suffix and work only with its host.
  const standard = key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com';
  const base = (address ?? standard).replace(/\/$/, '');
  const headers = { authorization: `DeepL-Auth-Key ${key}` };

  const list = async (type: 'source' | 'target'): Promise<string[]> => {
    const answer = await requestService(app, `${base}/v2/languages?type=${type}`, { headers, refusals: errorStatuses });
    if (!Value.Check(Languages, answer)) throw serviceFailure(app, 'invalid list of languages');
    return answer.map(({ language }) => normalizeCode(language));
  };

  return {
    provider: 'DeepL.com',
    async languages() {
      const [from, to] = await Promise.all([list('source'), list('target')]);
      const withoutRegion = to.map((code) => code.split('-', 1)[0] ?? code);
      const all = [...new Set([...withoutRegion, ...to])];
      const pairs = from.map((source) => [source, all.filter((target) => target !== source)] as const);
      return new Map([...pairs, [undetermined, all]]);
    },
    async translate(texts, source, target) {
      const form = new URLSearchParams(texts.map((text): [string, string] => ['text', text]));
      if (source !== null)
        form.set('source_lang', source === 'no' ? 'NB' : (source.split('-', 1)[0] ?? source).toUpperCase());
      form.set('target_lang', targetCodes[target] ?? target.toUpperCase());
      form.set('tag_handling', 'html');
      const answer = await requestService(app, `${base}/v2/translate`, {
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        refusals: errorStatuses,
      });
      if (!Value.Check(TranslateResponse, answer)) throw serviceFailure(app, 'invalid translation');
      const { translations } = answer;
      if (translations.length !== texts.length) throw serviceFailure(app, 'wrong number of translated texts');
      const detected = translations.find(({ detected_source_language: code }) => code !== '');
      return {
        texts: translations.map(({ text }) => text),
        source: normalizeCode(detected?.detected_source_language ?? undetermined),
      };
    },
  };
}
