/** Returns the text of sanitized HTML, with line breaks between paragraphs. */
export function toPlainText(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replaceAll(/<br\s*\/?>|<\/p>/g, '$&\n'), 'text/html');
  return body.textContent.trim();
}
