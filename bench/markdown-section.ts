/**
 * Returns a Markdown document in which a section of the second level replaces the one of its heading, or is added. One
 * empty line separates it from the next.
 */
export function replaceSection(document: string, section: string): string {
  const heading = section.slice(0, section.indexOf('\n'));
  const old = findSection(document, heading);
  if (old === undefined) return `${document.trimEnd()}\n\n${section}`;
  return `${document.replace(old, () => `${section.trimEnd()}\n\n`).trimEnd()}\n`;
}

/** Returns the new text of a document with the sections of the second level that only the old one has, in their order. */
export function keepOtherSections(old: string, text: string): string {
  const headings = old.match(/^## .*$/gm) ?? [];
  return headings
    .filter((heading) => findSection(text, heading) === undefined)
    .reduce((document, heading) => replaceSection(document, findSection(old, heading) ?? ''), text);
}

/** Returns the section of a heading, up to the next of its level. */
export function findSection(document: string, heading: string): string | undefined {
  const start = document.indexOf(`${heading}\n`);
  if (start === -1) return undefined;
  const next = document.indexOf('\n## ', start + heading.length);
  return document.slice(start, next === -1 ? undefined : next + 1);
}
