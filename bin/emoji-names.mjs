// Writes the names and search words of emojis in the languages of the web client, from the annotations of Unicode's CLDR.
// Its packages are large and needed for nothing else, so they are not dependencies. Install them in another folder:
//   npm install --prefix /tmp/cldr cldr-annotations-full cldr-annotations-derived-full
//   node bin/emoji-names.mjs /tmp/cldr/node_modules
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

/** English names come from the packages that list the emojis. */
const languages = ['ar', 'de', 'es', 'fr', 'ja', 'pt'];

const [packages] = process.argv.slice(2);
if (packages === undefined) throw new Error('Name the folder with the packages: node bin/emoji-names.mjs FOLDER');
const groups = createRequire(join(root, 'web', 'package.json'))('unicode-emoji-json/data-by-group.json');
const emojis = groups.flatMap((group) => group.emojis.map(({ emoji }) => emoji));
for (const language of languages) {
  const annotations = readAnnotations(language);
  const lines = emojis.map(
    (emoji) => `${JSON.stringify(emoji)}:${JSON.stringify(wordsOf(emoji, annotations, language))}`,
  );
  const file = join(root, 'web', 'src', 'composer', 'emoji-names', `${language}.json`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

function readAnnotations(language) {
  const read = (folder, member) => {
    const file = join(packages, folder, member, language, 'annotations.json');
    return JSON.parse(readFileSync(file, 'utf8'))[member].annotations;
  };
  return {
    ...read('cldr-annotations-derived-full', 'annotationsDerived'),
    ...read('cldr-annotations-full', 'annotations'),
  };
}

/** Returns the name of an emoji and the search words that it does not contain. Throws if it has no name. */
function wordsOf(emoji, annotations, language) {
  const { tts: [name] = [], default: words = [] } =
    annotations[emoji] ?? annotations[emoji.replaceAll('\uFE0F', '')] ?? {};
  // CLDR marks a name that is that of another language with arrows.
  if (name === undefined || name.includes('↑')) throw new Error(`${emoji} has no name in ${language}`);
  const shortest = words.toSorted((one, other) => other.length - one.length);
  const found = shortest.reduce(
    (kept, word) => (kept.some((one) => one.includes(word)) ? kept : [...kept, word]),
    [name],
  );
  return [name, ...words.filter((word) => word !== name && found.includes(word))];
}
