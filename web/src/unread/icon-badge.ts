/** Shows a count on the icon of the installed client, where the system has such badges. */
export async function setAppBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  } catch {
    // Only installed clients have a badge.
  }
}

const size = 64;
let original: string | undefined;

/** Draws a dot on the icon of the window, or removes it. */
export async function drawIconBadge(isShown: boolean): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  original ??= link.href;
  if (!isShown) {
    link.href = original;
    return;
  }
  const image = new Image();
  image.src = original;
  try {
    await image.decode();
  } catch {
    return;
  }
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.drawImage(image, 0, 0, size, size);
  context.fillStyle = '#c8283a';
  context.strokeStyle = '#ffffff';
  context.lineWidth = 4;
  context.beginPath();
  context.arc(size - 16, 16, 13, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  link.href = canvas.toDataURL('image/png');
}
