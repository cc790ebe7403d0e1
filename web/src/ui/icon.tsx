interface IconProps {
  /** The SVG text of an icon: `import house from '@phosphor-icons/core/regular/house.svg?raw'`. */
  readonly svg: string;
  /** Its name for screen readers; without one it is decoration. */
  readonly label?: string;
  /** True for arrows and the like, which point the other way in a right-to-left language. */
  readonly isDirectional?: boolean;
}

/** An icon of the size of the text. */
export function Icon({ svg, label, isDirectional = false }: IconProps) {
  const names = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  const className = isDirectional ? 'icon directional' : 'icon';
  return <span class={className} {...names} dangerouslySetInnerHTML={{ __html: svg }} />;
}
