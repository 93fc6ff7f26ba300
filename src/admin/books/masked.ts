const SHOWN = 4;

/** A document with its last four characters alone. One that has no more shows none. */
export function maskedDocument(document: string | undefined): string | null {
  const bare = document?.replace(/[\s./-]/g, '') ?? '';
  if (bare === '') return null;
  return bare.length > SHOWN ? `***${bare.slice(-SHOWN)}` : '***';
}

/** An address with its first character and its domain: `l***@example.com`. */
export function maskedEmail(email: string | undefined): string | null {
  if (!email) return null;
  const at = email.lastIndexOf('@');
  if (at < 0) return '***';
  const [first = ''] = email.slice(0, at);
  return `${at > 1 ? first : ''}***${email.slice(at)}`;
}
