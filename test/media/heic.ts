import { Demuxer, Decoder, Encoder, FilterAPI } from 'node-av/api';
import { FF_ENCODER_LIBX265 } from 'node-av/constants';

/** Encodes numbers as big-endian integers of the same size in bytes. */
const uintBytes = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uintBytes(body.length + 8, 4), Buffer.from(type), body]);
};

const fullBox = (type: string, version: number, flags: number, ...parts: Buffer[]): Buffer =>
  box(type, uintBytes(version, 1), uintBytes(flags, 3), ...parts);

/** Splits an H.265 stream into its NAL units, without start codes. */
function splitNalUnits(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = stream.indexOf('\0\0\x01'); at >= 0; at = stream.indexOf('\0\0\x01', at + 3)) starts.push(at);
  return starts.map((start, index) => {
    let end = starts[index + 1] ?? stream.length;
    while (end > start + 3 && stream[end - 1] === 0 && index + 1 < starts.length) end -= 1;
    return stream.subarray(start + 3, end);
  });
}

const nalUnitType = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 0x3f;

/**
 * A HEIC photograph of a test pattern, as phones take them: one H.265 frame of 64 by 48 pixels, rotated
 * counter-clockwise by `rotation` quarter turns.
 */
export async function createHeic(rotation = 0): Promise<Buffer> {
  const [width, height] = [64, 48];
  const all = splitNalUnits(await encodeFrame(width, height));
  const parameters = all.filter((unit) => [32, 33, 34].includes(nalUnitType(unit)));
  const coded = all.filter((unit) => nalUnitType(unit) < 32);
  const data = Buffer.concat(coded.flatMap((unit) => [uintBytes(unit.length, 4), unit]));
  const type = box('ftyp', Buffer.from('heic'), uintBytes(0, 4), Buffer.from('mif1heic'));
  const meta = (offset: number): Buffer =>
    fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, uintBytes(0, 4), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, uintBytes(1, 2)),
      fullBox(
        'iloc',
        0,
        0,
        uintBytes(0x4400, 2),
        uintBytes(1, 2),
        uintBytes(1, 2),
        uintBytes(0, 2),
        uintBytes(1, 2),
        uintBytes(offset, 4),
        uintBytes(data.length, 4),
      ),
      fullBox(
        'iinf',
        0,
        0,
        uintBytes(1, 2),
        fullBox('infe', 2, 0, uintBytes(1, 2), uintBytes(0, 2), Buffer.from('hvc1\0')),
      ),
      box(
        'iprp',
        box(
          'ipco',
          decoderConfiguration(parameters),
          fullBox('ispe', 0, 0, uintBytes(width, 4), uintBytes(height, 4)),
          box('irot', uintBytes(rotation, 1)),
        ),
        fullBox(
          'ipma',
          0,
          0,
          uintBytes(1, 4),
          uintBytes(1, 2),
          uintBytes(3, 1),
          uintBytes(0x81, 1),
          uintBytes(2, 1),
          uintBytes(0x83, 1),
        ),
      ),
    );
  return Buffer.concat([type, meta(type.length + meta(0).length + 8), box('mdat', data)]);
}

/** hvcC: what a decoder needs to know before the first frame. */
function decoderConfiguration(parameters: readonly Buffer[]): Buffer {
  const arrays = parameters.map((unit) =>
    Buffer.concat([uintBytes(0x80 | nalUnitType(unit), 1), uintBytes(1, 2), uintBytes(unit.length, 2), unit]),
  );
  const fixed = Buffer.alloc(22);
  // Version 1, profile Main, units with four bytes of length each.
  [fixed[0], fixed[1], fixed[21]] = [1, 1, 0x0f];
  return box('hvcC', fixed, uintBytes(arrays.length, 1), ...arrays);
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
