/** Codes and native names of the languages of posts and users: ISO 639-1, and those of 639-3 in common use. */
const languageNames: readonly (readonly [code: string, name: string])[] = [
  ['aa', 'Afaraf'],
  ['ab', 'Аҧсуа бызшәа'],
  ['ae', 'Avesta'],
  ['af', 'Afrikaans'],
  ['ak', 'Akan'],
  ['am', 'አማርኛ'],
  ['an', 'Aragonés'],
  ['ar', 'العربية'],
  ['as', 'অসমীয়া'],
  ['av', 'Авар мацӀ'],
  ['ay', 'Aymar aru'],
  ['az', 'Azərbaycan'],
  ['ba', 'Башҡорт теле'],
  ['be', 'Беларуская'],
  ['bg', 'Български'],
  ['bh', 'भोजपुरी'],
  ['bi', 'Bislama'],
  ['bm', 'Bamanakan'],
  ['bn', 'বাংলা'],
  ['bo', 'བོད་སྐད་'],
  ['br', 'Brezhoneg'],
  ['bs', 'Bosanski'],
  ['ca', 'Català'],
  ['ce', 'Нохчийн'],
  ['ch', 'Chamoru'],
  ['co', 'Corsu'],
  ['cr', 'ᓀᐦᐃᔭᐍᐏᐣ'],
  ['cs', 'Čeština'],
  ['cu', 'Словѣньскъ'],
  ['cv', 'Чӑваш чӗлхи'],
  ['cy', 'Cymraeg'],
  ['da', 'Dansk'],
  ['de', 'Deutsch'],
  ['dv', 'ދިވެހި'],
  ['dz', 'རྫོང་ཁ'],
  ['ee', 'Eʋegbe'],
  ['el', 'Ελληνικά'],
  ['en', 'English'],
  ['eo', 'Esperanto'],
  ['es', 'Español'],
  ['et', 'Eesti'],
  ['eu', 'Euskara'],
  ['fa', 'فارسی'],
  ['ff', 'Pulaar'],
  ['fi', 'Suomi'],
  ['fj', 'Vosa Vakaviti'],
  ['fo', 'Føroyskt'],
  ['fr', 'Français'],
  ['fy', 'Frysk'],
  ['ga', 'Gaeilge'],
  ['gd', 'Gàidhlig'],
  ['gl', 'Galego'],
  ['gn', 'Avañeʼẽ'],
  ['gu', 'ગુજરાતી'],
  ['gv', 'Gaelg'],
  ['ha', 'Hausa'],
  ['he', 'עברית'],
  ['hi', 'हिन्दी'],
  ['ho', 'Hiri Motu'],
  ['hr', 'Hrvatski'],
  ['ht', 'Kreyòl ayisyen'],
  ['hu', 'Magyar'],
  ['hy', 'Հայերեն'],
  ['hz', 'Otjiherero'],
  ['ia', 'Interlingua'],
  ['id', 'Indonesia'],
  ['ie', 'Interlingue'],
  ['ig', 'Igbo'],
  ['ii', 'ꆈꌠꉙ'],
  ['ik', 'Iñupiaq'],
  ['io', 'Ido'],
  ['is', 'Íslenska'],
  ['it', 'Italiano'],
  ['iu', 'ᐃᓄᒃᑎᑐᑦ'],
  ['ja', '日本語'],
  ['jv', 'Jawa'],
  ['ka', 'Ქართული'],
  ['kg', 'Kikongo'],
  ['ki', 'Gikuyu'],
  ['kj', 'Kuanyama'],
  ['kk', 'Қазақ тілі'],
  ['kl', 'Kalaallisut'],
  ['km', 'ខ្មែរ'],
  ['kn', 'ಕನ್ನಡ'],
  ['ko', '한국어'],
  ['kr', 'Kanuri'],
  ['ks', 'کٲشُر'],
  ['ku', 'Kurdî (kurmancî)'],
  ['kv', 'Коми кыв'],
  ['kw', 'Kernewek'],
  ['ky', 'Кыргызча'],
  ['la', 'Latina'],
  ['lb', 'Lëtzebuergesch'],
  ['lg', 'Luganda'],
  ['li', 'Limburgs'],
  ['ln', 'Lingála'],
  ['lo', 'ລາວ'],
  ['lt', 'Lietuvių'],
  ['lu', 'Tshiluba'],
  ['lv', 'Latviešu'],
  ['mg', 'Malagasy'],
  ['mh', 'Kajin M̧ajeļ'],
  ['mi', 'Māori'],
  ['mk', 'Македонски'],
  ['ml', 'മലയാളം'],
  ['mn', 'Монгол'],
  ['mr', 'मराठी'],
  ['ms', 'Melayu'],
  ['mt', 'Malti'],
  ['my', 'မြန်မာ'],
  ['na', 'Dorerin Naoero'],
  ['nb', 'Norsk bokmål'],
  ['nd', 'IsiNdebele'],
  ['ne', 'नेपाली'],
  ['ng', 'Owambo'],
  ['nl', 'Nederlands'],
  ['nn', 'Norsk nynorsk'],
  ['no', 'Norsk'],
  ['nr', 'IsiNdebele'],
  ['nv', 'Diné bizaad'],
  ['ny', 'Chichewa'],
  ['oc', 'Occitan'],
  ['oj', 'ᐊᓂᔑᓈᐯᒧᐎᓐ'],
  ['om', 'Oromoo'],
  ['or', 'ଓଡ଼ିଆ'],
  ['os', 'Ирон æвзаг'],
  ['pa', 'ਪੰਜਾਬੀ'],
  ['pi', 'पाऴि'],
  ['pl', 'Polski'],
  ['ps', 'پښتو'],
  ['pt', 'Português'],
  ['qu', 'Runasimi'],
  ['rm', 'Rumantsch'],
  ['rn', 'Ikirundi'],
  ['ro', 'Română'],
  ['ru', 'Русский'],
  ['rw', 'Ikinyarwanda'],
  ['sa', 'संस्कृत भाषा'],
  ['sc', 'Sardu'],
  ['sd', 'سنڌي'],
  ['se', 'Davvisámegiella'],
  ['sg', 'Sängö'],
  ['si', 'සිංහල'],
  ['sk', 'Slovenčina'],
  ['sl', 'Slovenščina'],
  ['sn', 'ChiShona'],
  ['so', 'Soomaali'],
  ['sq', 'Shqip'],
  ['sr', 'Српски'],
  ['ss', 'SiSwati'],
  ['st', 'Sesotho'],
  ['su', 'Basa Sunda'],
  ['sv', 'Svenska'],
  ['sw', 'Kiswahili'],
  ['ta', 'தமிழ்'],
  ['te', 'తెలుగు'],
  ['tg', 'Тоҷикӣ'],
  ['th', 'ไทย'],
  ['ti', 'ትግርኛ'],
  ['tk', 'Türkmen dili'],
  ['tl', 'Tagalog'],
  ['tn', 'Setswana'],
  ['to', 'Lea fakatonga'],
  ['tr', 'Türkçe'],
  ['ts', 'Xitsonga'],
  ['tt', 'Татар'],
  ['tw', 'Twi'],
  ['ty', 'Reo Tahiti'],
  ['ug', 'ئۇيغۇرچە'],
  ['uk', 'Українська'],
  ['ur', 'اردو'],
  ['uz', 'O‘zbek'],
  ['ve', 'Tshivenḓa'],
  ['vi', 'Tiếng Việt'],
  ['vo', 'Volapük'],
  ['wa', 'Walon'],
  ['wo', 'Wolof'],
  ['xh', 'IsiXhosa'],
  ['yi', 'ייִדיש'],
  ['yo', 'Èdè Yorùbá'],
  ['za', 'Saɯ cueŋƅ'],
  ['zh', '中文'],
  ['zu', 'IsiZulu'],
  ['ast', 'Asturianu'],
  ['chr', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ'],
  ['ckb', 'کوردیی ناوەندی'],
  ['cnr', 'Crnogorski'],
  ['csb', 'Kaszëbsczi'],
  ['gsw', 'Schwiizertüütsch'],
  ['jbo', 'La .lojban.'],
  ['kab', 'Taqbaylit'],
  ['lfn', 'Lingua Franca Nova'],
  ['moh', 'Kanienʼkéha'],
  ['nds', 'Neddersass’sch'],
  ['pdc', 'Pennsilfaani-Deitsch'],
  ['sco', 'Scots'],
  ['sma', 'Åarjelsaemien gïele'],
  ['smj', 'Julevsámegiella'],
  ['szl', 'Ślůnsko godka'],
  ['tok', 'Toki pona'],
  ['vai', 'ꕙꔤ'],
  ['xal', 'Хальмг келн'],
  ['zgh', 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
  ['zh-CN', '简体中文'],
  ['zh-HK', '繁體中文（香港）'],
  ['zh-TW', '繁體中文（臺灣）'],
  ['zh-YUE', '廣東話'],
  ['pt-BR', 'Português (Brasil)'],
];

export interface Language {
  /** ISO 639 code, with a region only where the written form differs: `en`, `zh-TW`. */
  readonly code: string;
  /** Its name in the language itself. */
  readonly name: string;
}

/** All supported languages, ordered by code. */
export const languages: readonly Language[] = languageNames
  .map(([code, name]) => ({ code, name }))
  .toSorted((a, b) => (a.code < b.code ? -1 : 1));

const codes = new Map(languages.map(({ code }) => [code.toLowerCase(), code]));

/**
 * Returns the nearest of `languages` to a language tag, as clients and servers send it: with a region or a script (`en-US`,
 * `zh-Hant-HK`), with other capitals or separators (`PT_br`), in an old or three-letter code (`iw`, `deu`), or as the name of
 * a POSIX locale (`de_CH.UTF-8`). Returns undefined if none is near.
 */
export function findLanguage(tag: string): string | undefined {
  // Before any pattern: their time grows with the square of the length.
  if (tag.length > maxTagLength) return undefined;
  const exact = codes.get(tag.toLowerCase());
  if (exact !== undefined) return exact;
  const wanted = tag
    .trim()
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/[.@].*$/, '');
  if (!/^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/.test(wanted)) return undefined;
  return findListed(wanted) ?? findListed(canonicalTag(wanted));
}

/** Returns the code of a language and those of its regional forms: `zh`, `zh-CN` and so on. */
export const regionalForms = (code: string): string[] =>
  languages.map((language) => language.code).filter((each) => each === code || each.startsWith(`${code}-`));

/** Returns the listed code for a tag in lower case: that of the whole tag, of its region or written form, or of its language. */
function findListed(tag: string): string | undefined {
  const [primary = '', ...parts] = tag.split('-');
  const language = neighbours.get(primary) ?? primary;
  const written = language === 'zh' ? chineseForm(parts) : undefined;
  const regional = parts.map((part) => codes.get(`${language}-${part}`)).find((code) => code !== undefined);
  return codes.get(tag) ?? written ?? regional ?? codes.get(language.toLowerCase());
}

/** Returns the form of Chinese by its script, which counts more than the region; undefined if the tag has neither. */
function chineseForm(parts: readonly string[]): string | undefined {
  if (parts.includes('yue')) return 'zh-YUE';
  if (parts.includes('hans')) return 'zh-CN';
  if (parts.includes('hk') || parts.includes('mo')) return 'zh-HK';
  if (parts.includes('hant')) return 'zh-TW';
  return parts.includes('sg') || parts.includes('my') ? 'zh-CN' : undefined;
}

/** Replaces old codes and codes of three letters: `iw` becomes `he`, `deu` becomes `de`. */
function canonicalTag(tag: string): string {
  try {
    return (Intl.getCanonicalLocales(tag)[0] ?? tag).toLowerCase();
  } catch {
    return tag;
  }
}

/** Listed codes for languages that are not listed themselves. */
const neighbours = new Map([
  ['yue', 'zh-YUE'],
  ['fil', 'tl'],
  ['bho', 'bh'],
]);

const maxTagLength = 100;

const names = new Map(languageNames);

/** Returns the name of a language in the language itself; undefined for an unknown code. */
export const languageName = (code: string): string | undefined => names.get(code);
