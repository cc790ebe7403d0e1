interface IconProps {
  /** The SVG text of an icon: `import house from '@phosphor-icons/core/regular/house.svg?raw'`. */
  readonly svg: string;
  /** Its name for screen readers; without one it is decoration. */
  readonly label?: string;
}

/** An icon of the size of the text. */
export function Icon({ svg, label }: IconProps) {
  const names = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return <span class="icon" {...names} dangerouslySetInnerHTML={{ __html: svg }} />;
}
