// Images of the site: its thumbnail and its icon.
export { resetSiteImage, setSiteImage } from './change-site-images.ts';
export { bundledBlurhash, loadIcons, loadThumbnail } from './site-images.ts';
