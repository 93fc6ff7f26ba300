import { wrongUsage } from '../failure';

/** Found without reading the YAML, so that a document with mistakes reaches Ponte, which tells them by line. */
export function nameIn({ body }: { body: string }, file: string): string {
  const name = /(?:^|[{,]\s*)["']?rule["']?\s*:\s*["']?([a-z][a-z0-9-]*)/m.exec(body)?.[1];
  if (name === undefined) throw wrongUsage(`${file} does not say \`rule:\`; give --name`);
  return name;
}
