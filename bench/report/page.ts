const BEGIN = '<!-- figures:begin -->';
const END = '<!-- figures:end -->';

/**
 * Puts text between the markers of a page, in place of what is there.
 * @throws Error when the page has not both markers, once each and in their order
 */
export function fillPage(page: string, text: string): string {
  const [before, rest, ...more] = page.split(BEGIN);
  const [, after, ...others] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length > 0 || others.length > 0)
    throw new Error(`the page must have ${BEGIN} and after it ${END}, once each`);
  return `${before}${BEGIN}\n\n${text}\n\n${END}${after}`;
}
