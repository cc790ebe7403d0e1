/** Pauses what plays with sound in posts, except for this element: one thing plays at a time. Animations are silent. */
export function pauseOthers(kept: HTMLMediaElement): void {
  for (const element of document.querySelectorAll<HTMLMediaElement>('.media > video, .media > audio'))
    if (element !== kept) element.pause();
}
