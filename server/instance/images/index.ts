// Images of the site: its thumbnail and its icon.
export { resetSiteImage, setSiteImage } from './change-site-images.ts';
export { bundledPageIcons, loadPageIcons, type PageIcons } from './page-icons.ts';
export { bundledBlurhash, loadIcons, loadThumbnail } from './site-images.ts';
