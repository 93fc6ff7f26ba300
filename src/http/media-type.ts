/**
 * The media type that a `Content-Type` header names, in lower case and without parameters; undefined when the text
 * is in another encoding than UTF-8.
 */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  const [mediaType = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(text)?.[1]).find(Boolean);
  return ['utf-8', 'utf8', undefined].includes(charset) ? mediaType.trim() : undefined;
}
