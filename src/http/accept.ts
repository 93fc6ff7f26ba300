/** How closely each range speaks of JSON; the closest one decides (RFC 9110, section 12.5.1). */
const JSON_RANGES = ['*/*', 'application/*', 'application/json'];

/** Whether an `Accept` header takes `application/json`. An absent one takes anything. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  let closest = -1;
  let quality = 0;
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const closeness = JSON_RANGES.indexOf(range);
    if (closeness < 0 || closeness < closest) continue;
    closest = closeness;
    quality = qualityOf(parameters);
  }
  return quality > 0;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return Number.isNaN(quality) ? 0 : quality;
}
