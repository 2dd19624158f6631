const kinds = { Uint8Array, Int8Array, Uint16Array, Uint32Array, Float32Array };

type NumberArray = Uint8Array | Int8Array | Uint16Array | Uint32Array | Float32Array;
type Entry = [name: string, kind: keyof typeof kinds, length: number];

/** Every array begins at a multiple of this many bytes, as the widest number needs. */
const step = 4;
const align = (offset: number) => Math.ceil(offset / step) * step;

/** Packs arrays of numbers into one file: the length of a table of contents, the table as JSON, then the bytes. */
export function packArrays(arrays: Readonly<Record<string, NumberArray>>): Uint8Array {
  const table = Object.entries(arrays).map(([name, array]): Entry => {
    return [name, array.constructor.name as Entry[1], array.length];
  });
  const head = new TextEncoder().encode(JSON.stringify(table));
  const sizes = Object.values(arrays).map(({ byteLength }) => align(byteLength));
  let offset = align(step + head.length);
  const file = new Uint8Array(sizes.reduce((sum, size) => sum + size, offset));
  new DataView(file.buffer).setUint32(0, head.length, true);
  file.set(head, step);
  for (const { buffer, byteOffset, byteLength } of Object.values(arrays)) {
    file.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += align(byteLength);
  }
  return file;
}

/**
 * Returns the arrays of a file that `packArrays` wrote. They are views of its bytes, or of a copy if the file does not
 * begin at a multiple of 4. Numbers are in the byte order of the machine, which must be little-endian.
 */
export function unpackArrays(file: Uint8Array): Record<string, NumberArray> {
  const bytes = file.byteOffset % step === 0 ? file : file.slice();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const table: Entry[] = JSON.parse(new TextDecoder().decode(bytes.subarray(step, step + length)));
  let offset = align(step + length);
  return Object.fromEntries(
    table.map(([name, kind, count]) => {
      const array = new kinds[kind](bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, count);
      offset = align(offset + array.byteLength);
      return [name, array];
    }),
  );
}
