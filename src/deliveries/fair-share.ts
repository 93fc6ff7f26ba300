/** Work on a delivery: whose it is, with the milliseconds that planning it took. */
type Work = ReadonlyMap<{ readonly organizationId: string }, number>;

/**
 * Whose deliveries wait for a turn. Deliveries are worked on in the order in which they became ready, whoever's they are;
 * so one organization whose rules take long could keep everybody else's waiting for as long as it has any. Once it has used
 * up a turn it has none until the others had one that was not used up, or have nothing ready.
 */
export class FairShare {
  /** Organizations that have work, at most. */
  private readonly excluded = new Set<string>();

  /** Organizations whose deliveries are left alone in the next turn. */
  get waitingOrganizations(): string[] {
    return [...this.excluded];
  }

  /** A turn was used up: the organization that took most of it lets others go first. */
  usedUp(work: Work): void {
    const spent = new Map<string, number>();
    for (const [{ organizationId }, ms] of work)
      spent.set(organizationId, (spent.get(organizationId) ?? 0) + ms);
    const [most] = [...spent].toSorted(([, left], [, right]) => right - left);
    if (most) this.excluded.add(most[0]);
  }

  /** The others had their turn, or need none. */
  reset(): void {
    this.excluded.clear();
  }
}
