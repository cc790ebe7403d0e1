import { decode, isBlurhashValid } from 'blurhash';
import { useLayoutEffect, useRef } from 'preact/hooks';

const side = 24;

/** A blurred picture of an image, which stands in its place while it is covered or loads. */
export function Blurhash({ hash }: { readonly hash: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (hash === null || context == null || !isBlurhashValid(hash).result) return;
    const image = context.createImageData(side, side);
    image.data.set(decode(hash, side, side));
    context.putImageData(image, 0, 0);
  }, [hash]);
  return hash === null ? null : <canvas ref={canvas} class="blurhash" width={side} height={side} aria-hidden="true" />;
}
