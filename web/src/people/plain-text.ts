/** Returns the text of HTML that the server has sanitized, in one line. */
export function plainText(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html.replaceAll(/<br\s*\/?>|<\/p>/g, ' ');
  return template.content.textContent.replaceAll(/\s+/g, ' ').trim();
}
