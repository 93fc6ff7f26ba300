import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

/** What may be asked of a service; see {@link unpack}. */
export const ACCEPT_ENCODING = 'gzip, br';

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);
const inflateRawAsync = promisify(inflateRaw);
const brotliAsync = promisify(brotliDecompress);

/**
 * Undoes a reply's content coding.
 * @param max bytes of the result at most
 * @throws when the coding is unknown, the bytes are not of it, or the result is more than `max`
 */
export async function unpack(bytes: Buffer, coding: string | undefined, max: number): Promise<Buffer> {
  const limit = { maxOutputLength: max };
  if (bytes.length === 0) return bytes;
  switch ((coding ?? 'identity').trim().toLowerCase()) {
    case 'identity':
    case '':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return gunzipAsync(bytes, limit);
    case 'br':
      return brotliAsync(bytes, limit);
    case 'deflate':
      // Some send it without the zlib frame.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateAsync(bytes, limit) : inflateRawAsync(bytes, limit);
    default:
      throw new Error('a content coding that was not asked for');
  }
}
