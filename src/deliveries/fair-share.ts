/** Work on a delivery: whose it is, with the milliseconds that planning it took. */
type Work = ReadonlyMap<{ readonly organizationId: string }, number>;

/**
 * Decides whose deliveries the next batch leaves out. Deliveries are worked on in the order in which they became ready,
 * whichever organization they belong to; so one organization whose rules take long could delay all others for as long
 * as it has any. Once it has used up a batch it is left out until the others had a batch with time to spare, or have
 * nothing ready.
 */
export class FairShare {
  /** Organizations that have work, at most. */
  private readonly excluded = new Set<string>();

  get waitingOrganizations(): string[] {
    return [...this.excluded];
  }

  /** A batch used all its time: the organization that took most of it is left out of the next. */
  usedUp(work: Work): void {
    const spent = new Map<string, number>();
    for (const [{ organizationId }, ms] of work)
      spent.set(organizationId, (spent.get(organizationId) ?? 0) + ms);
    const [most] = [...spent].toSorted(([, left], [, right]) => right - left);
    if (most) this.excluded.add(most[0]);
  }

  /** The others had a batch with time to spare, or have nothing ready: nobody is left out any more. */
  reset(): void {
    this.excluded.clear();
  }
}
