/** What a rule does, from the comment that its document begins with; empty where there is none. */
export function descriptionIn(document: string): string {
  const lines = document.split(/\r?\n/);
  const end = lines.findIndex((line) => !line.startsWith('#'));
  return (end === -1 ? lines : lines.slice(0, end))
    .map((line) => line.replace(/^#\s*/, ''))
    .filter((line) => line !== '' && !line.startsWith('yaml-language-server'))
    .join(' ');
}
