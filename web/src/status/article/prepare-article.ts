import type { MediaAttachment, Status } from '../../api/entities.ts';
import { prepareHtml } from '../../ui/prepare-html.ts';

/**
 * Prepares the HTML of an article like that of a post. Its images, which come as links, are shown if they are among the
 * attachments. Links within it stay in this window, and wide tables scroll.
 */
export function prepareArticle(html: string, status: Status, hasImages: boolean): string {
  const template = document.createElement('template');
  template.innerHTML = prepareHtml(html, status);
  const files = new Map(hasImages ? status.media_attachments.map((file) => [file.remote_url, file]) : []);
  for (const link of template.content.querySelectorAll('a')) {
    if (link.getAttribute('href')?.startsWith('#') === true) {
      link.removeAttribute('target');
      link.removeAttribute('title');
    } else if (link.classList.contains('u-photo')) showImage(link, files.get(link.href));
  }
  for (const table of template.content.querySelectorAll('table')) {
    const scroller = document.createElement('div');
    scroller.className = 'table-scroll';
    // It scrolls by the keyboard, too.
    scroller.tabIndex = 0;
    table.replaceWith(scroller);
    scroller.append(table);
  }
  return template.innerHTML;
}

function showImage(link: HTMLAnchorElement, file: MediaAttachment | undefined): void {
  const source = file?.type === 'image' ? (file.url ?? file.preview_url) : null;
  if (file === undefined || source === null) return;
  const image = document.createElement('img');
  image.src = source;
  image.alt = file.description ?? '';
  image.loading = 'lazy';
  const { width, height } = file.meta?.original ?? {};
  if (width !== undefined && height !== undefined) {
    image.width = width;
    image.height = height;
  }
  link.replaceWith(image);
}
