/** The smallest of 2, 4, 10, 20, 40, 100, … that is not below the number: half of it is a whole number. */
export function niceTop(most: number): number {
  for (let size = 1; ; size *= 10)
    for (const top of [2 * size, 4 * size, 10 * size]) if (most <= top) return top;
}
