import { Demuxer, Decoder, Encoder, FilterAPI } from 'node-av/api';
import { FF_ENCODER_LIBX265 } from 'node-av/constants';

/** Bytes of numbers, each in so many bytes. */
const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([number(body.length + 8, 4), Buffer.from(type), body]);
};

const fullBox = (type: string, version: number, flags: number, ...parts: Buffer[]): Buffer =>
  box(type, number(version, 1), number(flags, 3), ...parts);

/** The units of an H.265 stream, without the start codes between them. */
function units(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = stream.indexOf('\0\0\x01'); at >= 0; at = stream.indexOf('\0\0\x01', at + 3)) starts.push(at);
  return starts.map((start, index) => {
    let end = starts[index + 1] ?? stream.length;
    while (end > start + 3 && stream[end - 1] === 0 && index + 1 < starts.length) end -= 1;
    return stream.subarray(start + 3, end);
  });
}

const kindOf = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 0x3f;

/** A HEIC photograph of a test pattern, as telephones make them: one H.265 frame, 64 by 48 pixels, turned by `rotation` quarters counter-clockwise. */
export async function makeHeic(rotation = 0): Promise<Buffer> {
  const [width, height] = [64, 48];
  const all = units(await encodeFrame(width, height));
  const parameters = all.filter((unit) => [32, 33, 34].includes(kindOf(unit)));
  const picture = all.filter((unit) => kindOf(unit) < 32);
  const data = Buffer.concat(picture.flatMap((unit) => [number(unit.length, 4), unit]));
  const type = box('ftyp', Buffer.from('heic'), number(0, 4), Buffer.from('mif1heic'));
  const meta = (offset: number): Buffer =>
    fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, number(0, 4), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, number(1, 2)),
      fullBox(
        'iloc',
        0,
        0,
        number(0x4400, 2),
        number(1, 2),
        number(1, 2),
        number(0, 2),
        number(1, 2),
        number(offset, 4),
        number(data.length, 4),
      ),
      fullBox('iinf', 0, 0, number(1, 2), fullBox('infe', 2, 0, number(1, 2), number(0, 2), Buffer.from('hvc1\0'))),
      box(
        'iprp',
        box(
          'ipco',
          configuration(parameters),
          fullBox('ispe', 0, 0, number(width, 4), number(height, 4)),
          box('irot', number(rotation, 1)),
        ),
        fullBox('ipma', 0, 0, number(1, 4), number(1, 2), number(3, 1), number(0x81, 1), number(2, 1), number(0x83, 1)),
      ),
    );
  return Buffer.concat([type, meta(type.length + meta(0).length + 8), box('mdat', data)]);
}

/** hvcC: what a decoder has to know before the first frame. */
function configuration(parameters: readonly Buffer[]): Buffer {
  const arrays = parameters.map((unit) =>
    Buffer.concat([number(0x80 | kindOf(unit), 1), number(1, 2), number(unit.length, 2), unit]),
  );
  const fixed = Buffer.alloc(22);
  // Version 1, profile Main, units with four bytes of length each.
  [fixed[0], fixed[1], fixed[21]] = [1, 1, 0x0f];
  return box('hvcC', fixed, number(arrays.length, 1), ...arrays);
}

async function encodeFrame(width: number, height: number): Promise<Buffer> {
  await using source = await Demuxer.open(`testsrc2=size=${width}x${height}:rate=1:duration=1`, { format: 'lavfi' });
  using decoder = await Decoder.create(source.video() as never);
  using filter = FilterAPI.create('format=yuv420p');
  for await (using frame of filter.frames(decoder.frames(source.packets()))) {
    if (frame === null) continue;
    return await Encoder.encodeOne(FF_ENCODER_LIBX265, frame, {
      options: { preset: 'ultrafast', 'x265-params': 'log-level=none:keyint=1:repeat-headers=1:info=0' },
    });
  }
  throw new Error('there is no frame');
}
