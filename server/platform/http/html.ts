/** Text that is HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

/**
 * Tags a template as HTML: values are escaped unless they are Html, lists are joined, undefined, null and false are
 * left out.
 */
export function html(strings: TemplateStringsArray, ...holes: HtmlValue[]): Html {
  return new Html(strings.reduce((text, string, index) => text + renderValue(holes[index - 1]) + string));
}

/** Marks text as HTML. Only for sanitised or generated HTML. */
export const rawHtml = (text: string): Html => new Html(text);

function renderValue(hole: HtmlValue): string {
  if (hole === undefined || hole === null || hole === false) return '';
  if (hole instanceof Html) return hole.text;
  if (typeof hole === 'object') return hole.map(renderValue).join('');
  return escapeHtml(String(hole));
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
